package sim

import (
	"fmt"
	"hearth/cpu"
	"testing"
	"time"
)

// settling is how long a machine needs until all CPUs but the first sleep.
const settling = 100 * time.Microsecond

// burst spawns n threads that park at once, wakes them all and joins them.
func burst(n int) *Scenario {
	sc := &Scenario{Shape: "L(6,6)s2", NoOracle: true, Main: []Op{Run(settling)}}
	workers := names("w", n)
	for _, w := range workers {
		sc.Main = append(sc.Main, Spawn(w, Block(), Run(time.Microsecond)), Run(20*time.Microsecond).Any())
	}
	for _, w := range workers {
		sc.Main = append(sc.Main, Wake(w))
	}
	for _, w := range workers {
		sc.Main = append(sc.Main, Join(w))
	}
	return sc
}

func TestABurstOfParkedThreadsSpreadsOverFreeCores(t *testing.T) {
	seeds(t, 40, always(burst(16)), func(out *Outcome) error {
		top, err := cpu.ParseShape("L(6,6)s2")
		if err != nil {
			return err
		}
		homes := map[cpu.ID]bool{0: true} // main's
		cores := map[int32]bool{top.At[0].Core: true}
		var placed []cpu.ID
		for _, s := range out.Spawns {
			core := top.At[s.CPU].Core
			placed = append(placed, s.CPU)
			if cores[core] && len(cores) < top.Cores {
				return fmt.Errorf("placed on %v: a core is shared while only %d of %d are used", placed, len(cores), top.Cores)
			}
			if homes[s.CPU] {
				return fmt.Errorf("placed on %v: a CPU is home to two", placed)
			}
			homes[s.CPU], cores[core] = true, true
		}
		if len(homes) != 17 {
			return fmt.Errorf("%d homes, want main's and 16", len(homes))
		}
		return nil
	}, "homes-exact")
}

func TestASpawnedPartnerStartsInItsSpawnersLLC(t *testing.T) {
	partner := Sequence(Repeat(50, Block(), Run(time.Microsecond), Wake("main")))
	sc := &Scenario{Shape: "L(6,6)s2", NoOracle: true, Main: Sequence(
		[]Op{Run(settling)},
		MoveSelf("{8}"),
		[]Op{Spawn("partner", partner...)},
		Repeat(50, Wake("partner"), Run(time.Microsecond), Block()),
		[]Op{Join("partner")},
	)}
	seeds(t, 40, always(sc), func(out *Outcome) error {
		far := out.FarKicks()
		if len(far) != 1 || far[0].From != 0 || far[0].To != 8 {
			return fmt.Errorf("%d kicks cross LLC domains, want that of the move alone: %+v", len(far), far)
		}
		if c := out.Placed("partner"); c < 6 || c > 11 && c < 18 {
			return fmt.Errorf("the partner of a thread on CPU 8 is placed on %d", c)
		}
		return nil
	}, "one-kick", "no-lost-wakeup")
}

func TestTheSameSeedGivesTheSameBytes(t *testing.T) {
	for seed := range uint64(20) {
		a, err := Random(seed).Run(Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		b, _ := Random(seed).Run(Options{Seed: seed})
		if string(a.Bytes()) != string(b.Bytes()) {
			t.Fatalf("seed %d gives\n%s\nand\n%s", seed, a.Bytes(), b.Bytes())
		}
		if c, _ := Random(seed).Run(Options{Seed: seed + 1}); seed == 0 && string(a.Bytes()) == string(c.Bytes()) {
			t.Error("another seed gives the same run")
		}
	}
}
