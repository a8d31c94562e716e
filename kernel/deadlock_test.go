package kernel

import (
	"testing"
	"time"
)

// The search looks at one context after the other, so each may have waited when it was
// looked at though one of them ran at any time; then the counters differ.
func TestLookDuringWhichSomebodyRanFindsNoDeadlock(t *testing.T) {
	defer stopSearch(0)
	search.looks, search.blocked, search.steps = 1, 3, 1
	endLook(time.Second)
	if search.looks != 0 || search.at != time.Second+deadlockPeriod {
		t.Errorf("after %d looks it goes on at %v, want a new search a period later", search.looks, search.at)
	}
}

func TestOneLookIsConfirmedByAnother(t *testing.T) {
	defer stopSearch(0)
	search.looks, search.blocked, search.steps, search.next = 0, 3, 0, 100
	endLook(time.Second)
	if search.looks != 1 || search.next != 0 || search.at != time.Second+deadlockConfirm {
		t.Errorf("after a look that found all waiting: %+v", search)
	}
}

func TestTheEarlierOfAlarmAndTickIsSet(t *testing.T) {
	defer func() { tickPeriod = 0 }()
	var c perCPU
	c.tickAt = 50
	for _, test := range []struct{ period, alarm, want time.Duration }{
		{0, -1, -1}, {0, 70, 70}, {10, -1, 50}, {10, 70, 50}, {10, 30, 30},
	} {
		tickPeriod = test.period
		if got := c.nextTick(test.alarm); got != test.want {
			t.Errorf("period %v, alarm %v: %v, want %v", test.period, test.alarm, got, test.want)
		}
	}
}
