package sim

import (
	"fmt"
	"testing"
	"time"
)

// pair makes two threads on CPU 0 while CPU 1 sleeps; after each wake the waker does
// that much before it blocks.
func pair(rounds int, then time.Duration) *Scenario {
	turn := func(other string) []Op { return []Op{Block(), Run(200), Wake(other), Run(then)} }
	return &Scenario{Shape: "L(2)", Main: Sequence(
		[]Op{SetMask("", "{1}"),
			Spawn("a", Repeat(rounds, turn("b")...)...).On("{0}"),
			Spawn("b", Repeat(rounds, turn("a")...)...).On("{0}"),
			Run(settling), SetMask("a", everyCPU), SetMask("b", everyCPU),
			Wake("a")},
		[]Op{Join("a"), Wake("b"), Join("b")},
	)}
}

func TestASynchronousPairStaysWhereItIs(t *testing.T) {
	seeds(t, 20, always(pair(50, 0)), func(out *Outcome) error {
		if n := len(out.Moves("a")) + len(out.Moves("b")); n != 0 {
			return fmt.Errorf("the pair made %d moves", n)
		}
		return nil
	}, "work-conserved")
}

func TestAPairThatComputesUsesBothCPUs(t *testing.T) {
	seeds(t, 20, always(pair(10, 100*time.Microsecond)), func(out *Outcome) error {
		if n := len(out.Moves("a")) + len(out.Moves("b")); n == 0 || n > 2 {
			return fmt.Errorf("the pair made %d moves, want one or two", n)
		}
		return out.waitedAtMost(bound, "a", "b")
	}, "work-conserved")
}
