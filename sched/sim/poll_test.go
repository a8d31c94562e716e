package sim

import (
	"fmt"
	"hearth/sched"
	"testing"
	"time"
)

// turns makes two threads on CPUs of their own wake each other by turns.
func turns(rounds int, poll time.Duration) *Scenario {
	turn := func(other string) []Op { return []Op{Block(), Run(500), Wake(other)} }
	return &Scenario{Shape: "L(3)", Poll: poll, Main: []Op{
		SetMask("", "{2}"),
		Spawn("a", Repeat(rounds, turn("b")...)...).On("{0}"),
		Spawn("b", Repeat(rounds, turn("a")...)...).On("{1}"),
		Run(settling), Wake("a"), Join("a"), Wake("b"), Join("b"),
	}}
}

func TestACPUThatPollsIsWokenWithoutAKick(t *testing.T) {
	const rounds = 40
	kicks := map[time.Duration]int{}
	for _, poll := range []time.Duration{0, 20 * time.Microsecond} {
		invariants := []string{"no-lost-wakeup"}
		if poll != 0 {
			invariants = append(invariants, "poll-answered")
		}
		seeds(t, 20, always(turns(rounds, poll)), func(out *Outcome) error {
			kicks[poll] = max(kicks[poll], len(out.Kicks))
			if poll == 0 && len(out.Kicks) < 2*rounds {
				return fmt.Errorf("%d kicks in %d turns of CPUs that halt", len(out.Kicks), 2*rounds)
			}
			return nil
		}, invariants...)
	}
	if polled := kicks[20*time.Microsecond]; polled > 2*rounds/4 {
		t.Errorf("%d turns took %d kicks although both CPUs poll, %d if they halt", 2*rounds, polled, kicks[0])
	}
}

// polling returns a machine whose CPU 1 polls.
func polling(t *testing.T) (*machine, *virtual) {
	t.Helper()
	m, err := newMachine(turns(1, 20*time.Microsecond), &Options{}, &random{1})
	if err != nil {
		t.Fatal(err)
	}
	for m.cpus[1].mode != modePoll {
		if m.step++; !m.advance() {
			t.Fatal("CPU 1 never polls")
		}
	}
	return m, &m.cpus[1]
}

func TestAKickToACPUThatPollsIsNoticed(t *testing.T) {
	m, v := polling(t)
	if m.checkPoller(v, sched.KickOnline); m.err != nil {
		t.Errorf("because CPUs come and go: %v", m.err)
	}
	v.mode = modeHalted
	if m.checkPoller(v, sched.KickWake); m.err != nil {
		t.Errorf("to one that halts: %v", m.err)
	}
	v.mode = modePoll
	if m.checkPoller(v, sched.KickWake); brokenBy(m.err) != "poll-answered" {
		t.Errorf("to one that polls: %v", m.err)
	}
}

func TestACPUThatLooksAndPollsOnIsNoticed(t *testing.T) {
	m, v := polling(t)
	if m.checkLook(v, false); m.err != nil {
		t.Errorf("nothing is posted: %v", m.err)
	}
	only, _ := m.mask("{1}")
	req := sched.Request{Context: m.newThread("t", nil, 0, image, 0).context, Process: image, Mask: only}
	if _, ok := m.s.Spawn(0, m.now, &req, &m.view, &m.cpus[0].act); !ok {
		t.Fatal("no CPU")
	}
	if m.checkLook(v, true); m.err != nil {
		t.Errorf("it goes on with a pass: %v", m.err)
	}
	if m.checkLook(v, false); brokenBy(m.err) != "poll-answered" {
		t.Errorf("it polls on: %v", m.err)
	}
}

// A run in which somebody polls all the time ends, too: its looks are bounded.
func TestPollingForEverEndsARun(t *testing.T) {
	sc := turns(2000, time.Millisecond)
	sc.Steps = 1000
	out, err := sc.Run(Options{})
	if brokenBy(err) != "bounded-run" || out.Steps > (looksAStep+1)*sc.Steps {
		t.Errorf("after %d steps: %v", out.Steps, err)
	}
	sc = &Scenario{Shape: "L(2)", Poll: time.Millisecond, Steps: 20, Main: []Op{BlockFor(900 * time.Microsecond)}}
	if out, err := sc.Run(Options{}); brokenBy(err) != "bounded-run" || out.Steps > (looksAStep+1)*sc.Steps {
		t.Errorf("of one that only polls: %d steps, %v", out.Steps, err)
	}
}

func TestLooksDoNotUseUpARunsSteps(t *testing.T) {
	sc := &Scenario{Shape: "L(2)", Poll: time.Millisecond, Steps: 100, Main: []Op{Run(settling)}}
	sc.Main = append(sc.Main, Repeat(3, BlockFor(20*time.Microsecond))...)
	out, err := sc.Run(Options{})
	if err != nil || out.Steps < 2*sc.Steps {
		t.Errorf("%d steps, %v; want %d and no error", out.Steps, err, 2*sc.Steps)
	}
}
