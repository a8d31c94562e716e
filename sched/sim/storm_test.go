package sim

import (
	"fmt"
	"hearth/process"
	"hearth/sched"
	"testing"
	"time"
)

// As many threads as there can be do the same at the same moment. That each call of
// the scheduler stays short is the invariant bounded-steps.
const crowd = process.MaxThreads - 1

// storm is a machine of two CPUs: main is on CPU 1, the crowd on CPU 0. The kicks are
// so late that all of it reaches CPU 0 at once.
func storm(each []Op, main ...Op) *Scenario {
	all := names("w", crowd)
	program := Sequence([]Op{SetMask("", "{1}")})
	for _, w := range all {
		program = append(program, Spawn(w, each...).On("{0}"))
	}
	return &Scenario{
		Shape: "L(1,1)", Main: Sequence(program, main, joinAll(all)),
		KickLate: 10 * time.Millisecond, Sparing: 256, NoOracle: true,
	}
}

// reached demands that some call came near to what is allowed.
func reached(least int) func(*Outcome) error {
	return func(out *Outcome) error {
		if out.Longest < least {
			return fmt.Errorf("no call visited more than %d threads, at most %d are allowed", out.Longest, sched.MaxSteps)
		}
		return nil
	}
}

// late is after all of the crowd have been spawned and wait.
const late = 200 * time.Millisecond

func TestAllThreadsAreWokenAtOnce(t *testing.T) {
	sc := storm([]Op{Block(), Run(0)}, Run(late), Together(wakeAll(names("w", crowd))...))
	seeds(t, 1, always(sc), reached(sched.MaxSteps*3/20), "bounded-steps")
}

func TestAllThreadsSleepToTheSameMoment(t *testing.T) {
	sc := storm([]Op{BlockUntil(late), Run(0)}, Run(late))
	seeds(t, 1, always(sc), reached(20), "bounded-steps")
}

func TestAllThreadsAreWokenJustBeforeTheSameDeadline(t *testing.T) {
	sc := storm([]Op{BlockUntil(late + time.Millisecond), Run(0)}, Run(late), Together(wakeAll(names("w", crowd))...))
	seeds(t, 1, always(sc), reached(sched.MaxSteps*3/20), "bounded-steps")
}

func TestAllThreadsGetAnotherMaskAtOnce(t *testing.T) {
	var change []Op
	for _, w := range names("w", crowd) {
		change = append(change, SetMask(w, "{1}"))
	}
	sc := storm([]Op{Run(200 * time.Microsecond)}, Together(change...))
	seeds(t, 1, always(sc), reached(20), "bounded-steps")
}
