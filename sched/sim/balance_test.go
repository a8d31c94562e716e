package sim

import (
	"fmt"
	"hearth/cpu"
	"testing"
	"time"
)

// Six threads whose home is the same CPU are woken at once while seven CPUs sleep.
func TestAStormOnOneCPUUsesEverySleeper(t *testing.T) {
	workers := names("w", 6)
	sc := &Scenario{Shape: "L(4,4)", Main: MoveSelf("{1}")}
	for _, w := range workers {
		sc.Main = append(sc.Main, Spawn(w, Block(), Run(time.Millisecond)).On("{0}"))
	}
	sc.Main = append(sc.Main, Run(settling))
	for _, w := range workers {
		sc.Main = append(sc.Main, SetMask(w, everyCPU))
	}
	for _, w := range workers {
		sc.Main = append(sc.Main, Wake(w))
	}
	for _, w := range workers {
		sc.Main = append(sc.Main, Join(w))
	}
	seeds(t, 20, always(sc), func(out *Outcome) error {
		if n := len(out.Migrations); n < 5 {
			return fmt.Errorf("%d migrations, want one for each thread but the first", n)
		}
		return nil
	}, "work-conserved")
}

// Two threads share a CPU and one has another CPU for itself. When that one ends,
// its CPU takes one of the two; nothing else makes the other CPU look.
func TestACPUThatGoesIdleTakesWhatWaits(t *testing.T) {
	sc := &Scenario{Shape: "L(2)", Main: []Op{
		Run(settling),
		SetMask("", "{0}"),
		Spawn("short", Run(time.Millisecond)).On("{1}"),
		Spawn("long", Run(10*time.Millisecond)).On("{0}"),
		Spawn("longer", Run(10*time.Millisecond)).On("{0}"),
		SetMask("long", everyCPU), SetMask("longer", everyCPU),
		Join("longer"), Join("long"), Join("short"),
	}}
	seeds(t, 20, always(sc), func(out *Outcome) error {
		if out.Elapsed > 15*time.Millisecond {
			return fmt.Errorf("it took %v: the two never ran at once", out.Elapsed)
		}
		return nil
	}, "work-conserved")
}

// behindAnother is a machine of four CPUs on which t, which may run on mask, is woken on
// a busy CPU where another thread waits that may run on waits; CPU 2 sleeps.
func behindAnother(mask, waits string, isolated ...cpu.ID) *Scenario {
	return &Scenario{Shape: "L(4)", First: 3, Isolated: isolated, Main: []Op{
		Run(settling),
		SetMask("", "{3}"),
		Spawn("t", Block(), Run(time.Microsecond)).On("{0}"),
		Run(settling),
		SetMask("t", mask),
		Spawn("other", Run(30*time.Millisecond)).On("{1}"),
		Spawn("runs", Run(20*time.Millisecond)).On("{0}"),
		Spawn("waits", Run(20*time.Millisecond)).On("{0}"),
		SetMask("waits", waits),
		Run(settling),
		Wake("t"), Run(10 * time.Millisecond), Join("t"), Join("other"), Join("runs"), Join("waits"),
	}}
}

func tDoesNotWait(out *Outcome) error { return out.waitedAtMost(bound, "t") }

// The other one may not go to the sleeper.
func TestAThreadThatMayGoAnywhereDoesNotWaitBehindOneThatMayNot(t *testing.T) {
	seeds(t, 20, always(behindAnother(everyCPU, "{0-1}")), tDoesNotWait, "work-conserved")
}

// The sleeper is isolated, and the other one may run on every other CPU.
func TestAThreadThatNamesAnIsolatedCPUDoesNotWaitBehindOneThatDoesNot(t *testing.T) {
	seeds(t, 20, always(behindAnother("{0-3}", "{0-1,3}", 2)), tDoesNotWait, "work-conserved")
}
