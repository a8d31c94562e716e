package sim

import (
	"flag"
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// randomScenario makes a machine and a program of everything from a seed.
func randomScenario(seed uint64) *Scenario {
	r := &random{seed ^ 0xabcdef}
	shapes := []string{"L(1)", "L(2)", "L(2,2)", "L(2,2)s2", "L(4,4)", "L(3,1)s2", "L(6,6)s2"}
	sc := &Scenario{Shape: shapes[r.below(len(shapes))]}
	if sc.Shape != "L(1)" && r.below(4) == 0 {
		sc.Isolated = []cpu.ID{1}
	}
	workers := 1 + r.below(12)
	masks := []string{"{0}", "{0-1}", "{0,2}", "{0-1,3}", everyCPU, everyCPU, everyCPU}
	if sc.Shape != "L(1)" {
		masks = append(masks, "{1}", "{1-3}")
	}
	var all []string
	for i := range workers {
		all = append(all, fmt.Sprintf("w%d", i))
	}
	for i, name := range all {
		op := Spawn(name, randomProgram(r, all[:i+1], masks)...)
		switch r.below(8) {
		case 0:
			op = op.On(masks[r.below(len(masks))])
		case 1:
			op = op.Apart()
		case 2:
			op = op.As(process.RealTime)
		case 3:
			op = op.As(process.Background)
		}
		sc.Main = append(sc.Main, op)
		if r.below(3) == 0 {
			runtime := Spawn("m"+name, randomProgram(r, all[:i+1], masks)...).As(process.Service)
			sc.Main = append(sc.Main, runtime)
		}
		sc.Main = append(sc.Main, randomProgram(r, all[:i+1], masks)...)
	}
	for _, name := range all {
		sc.Main = append(sc.Main, Wake(name), Wake(name), Join(name))
	}
	return sc
}

func randomProgram(r *random, known []string, masks []string) []Op {
	var ops []Op
	someone := func() string { return known[r.below(len(known))] }
	blocks := 0
	for range r.below(12) {
		switch r.below(11) {
		case 0, 1:
			ops = append(ops, Run(time.Duration(r.below(20_000))))
		case 2:
			ops = append(ops, Run(time.Duration(r.below(10_000_000))))
		case 3:
			ops = append(ops, Yield())
		case 4, 5:
			ops = append(ops, Wake(someone()))
		case 6:
			ops = append(ops, BlockFor(time.Duration(r.below(50_000))))
		case 7:
			ops = append(ops, SetMask(someone(), masks[r.below(len(masks))]))
		case 9:
			ops = append(ops, Offline(masks[r.below(len(masks))]))
		case 10:
			ops = append(ops, Online(everyCPU))
		case 8:
			if blocks++; blocks == 1 {
				ops = append(ops, BlockFor(20*time.Millisecond))
			} else {
				ops = append(ops, SetMask("", masks[r.below(len(masks))]))
			}
		}
	}
	return ops
}

var runs = flag.Int("runs", 400, "how many seeds the random machines get")

func TestInvariantsHoldOnRandomMachines(t *testing.T) {
	seeds(t, *runs, randomScenario, nil, "one-place", "no-lost-wakeup", "affinity-held", "work-conserved",
		"one-kick", "time-conserved", "alarm-armed", "homes-exact", "oracle", "finalised-once")
}
