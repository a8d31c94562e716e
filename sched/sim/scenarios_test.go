package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

// Failures that users of other schedulers reported, as scenarios; what the test
// names claims is what must happen here. The invariants are checked besides.

// bound is how long a thread may wait where the claim is that it does not: the time
// of a few kernel entries and two late kicks.
const bound = 100 * time.Microsecond

func (o *Outcome) waitedAtMost(limit time.Duration, names ...string) error {
	for _, name := range names {
		if e := o.End(name); e.CPU == cpu.None || e.Waited > limit {
			return fmt.Errorf("%s was runnable for %v and did not run", name, e.Waited)
		}
	}
	return nil
}

func joinAll(names []string) (ops []Op) {
	for _, name := range names {
		ops = append(ops, Join(name))
	}
	return ops
}

func wakeAll(names []string) (ops []Op) {
	for _, name := range names {
		ops = append(ops, Wake(name))
	}
	return ops
}

func TestNineThreadsOfOneLLCUseTheNinthCPU(t *testing.T) {
	workers := names("w", 9)
	main := Sequence([]Op{Run(settling)}, MoveSelf("{63}"))
	for i, w := range workers {
		main = append(main, Spawn(w, Block(), Run(5*time.Millisecond)).On(fmt.Sprintf("{%d}", i%8)))
	}
	main = append(main, Run(settling))
	for _, w := range workers {
		main = append(main, SetMask(w, everyCPU))
	}
	sc := &Scenario{Shape: "L(8)x8", Main: Sequence(main, wakeAll(workers), joinAll(workers))}
	seeds(t, 5, always(sc), func(out *Outcome) error {
		inside := 0
		for _, w := range workers {
			if out.End(w).CPU < 8 {
				inside++
			}
		}
		if inside != 8 {
			return fmt.Errorf("%d of 9 threads ran in their LLC domain of 8 CPUs", inside)
		}
		return out.waitedAtMost(bound, workers...)
	})
}

func TestASleeperWakesWhereItSlept(t *testing.T) {
	sc := &Scenario{Shape: "L(4)s2", Main: Repeat(300, BlockFor(20*time.Microsecond), Run(time.Microsecond))}
	seeds(t, 3, always(sc), func(out *Outcome) error {
		if n := len(out.Migrations); n != 0 {
			return fmt.Errorf("%d migrations", n)
		}
		return nil
	}, "alarm-armed")
}

func TestAThreadOfTwoCPUsRunsOnTheIdleOne(t *testing.T) {
	for name, first := range map[string]Op{
		"woken":  Run(settling),
		"queued": Run(0),
	} {
		t.Run(name, func(t *testing.T) {
			sc := &Scenario{Shape: "L(4,4)", Main: []Op{
				Run(settling),
				Spawn("t", Block(), Run(time.Microsecond)).On("{1}"),
				Run(settling), SetMask("t", "{1,5}"),
				Spawn("long", Run(100*time.Millisecond)).On("{1}"),
				first, Wake("t"), Join("t"), Join("long"),
			}}
			seeds(t, 20, always(sc), func(out *Outcome) error {
				return out.waitedAtMost(bound, "t")
			})
		})
	}
}

func TestAThreadThatIsQueuedObeysANewMask(t *testing.T) {
	sc := &Scenario{Shape: "L(4)", Main: []Op{
		Run(settling),
		Spawn("long", Run(50*time.Millisecond)).On("{3}"),
		Spawn("t", Run(time.Microsecond)).On("{3}"),
		Run(settling), SetMask("t", "{0}"), Join("t"), Join("long"),
	}}
	seeds(t, 40, always(sc), func(out *Outcome) error {
		if e := out.End("t"); e.CPU != 0 || e.At > 10*time.Millisecond {
			return fmt.Errorf("it ended on CPU %d at %v", e.CPU, e.At)
		}
		return nil
	}, "affinity-held")
}

// warmUp is how long pairs may still give way to each other within their domain.
const warmUp = 100 * time.Microsecond

func TestSynchronousPairsStayInOneLLC(t *testing.T) {
	var main []Op
	var clients []string
	for i := range 12 {
		client, server := fmt.Sprintf("client%d", i), fmt.Sprintf("server%d", i)
		main = append(main, Spawn(client, Sequence(
			[]Op{SetMask("", everyCPU), Spawn(server, Repeat(30, Block(), Run(time.Microsecond), Wake(client))...)},
			Repeat(30, Wake(server), Block()),
			[]Op{Join(server)})...).On(fmt.Sprintf("{%d}", i%4*8+i/4+1)))
		clients = append(clients, client)
	}
	sc := &Scenario{Shape: "L(8)x4", Main: Sequence([]Op{Run(settling)}, main, joinAll(clients))}
	seeds(t, 10, always(sc), func(out *Outcome) error {
		for i := range 12 {
			client, server := out.End(fmt.Sprintf("client%d", i)), out.End(fmt.Sprintf("server%d", i))
			if client.CPU/8 != server.CPU/8 {
				return fmt.Errorf("pair %d ended on CPUs %d and %d", i, client.CPU, server.CPU)
			}
			for _, move := range append(out.Moves(client.Name), out.Moves(server.Name)...) {
				if move.Far || move.At > 2*settling+warmUp {
					return fmt.Errorf("pair %d: %+v", i, move)
				}
			}
		}
		return nil
	})
}

func TestWorkersOfABusyAcceptorUseEveryCPU(t *testing.T) {
	workers := names("w", 31)
	main := []Op{Run(settling)}
	for _, w := range workers {
		main = append(main, Spawn(w, Run(time.Millisecond)))
	}
	sc := &Scenario{Shape: "L(8)x4", Main: Sequence(main, []Op{Run(3 * time.Millisecond)}, joinAll(workers))}
	seeds(t, 5, always(sc), func(out *Outcome) error {
		used := map[cpu.ID]bool{0: true}
		for _, w := range workers {
			used[out.End(w).CPU] = true
		}
		if len(used) != 32 {
			return fmt.Errorf("%d of 32 CPUs are used", len(used))
		}
		return out.waitedAtMost(bound, workers...)
	})
}

func TestAnAlarmIsNotLateBecauseItsCPUIsBusy(t *testing.T) {
	sc := &Scenario{Shape: "L(4)", Main: []Op{
		Run(settling),
		Spawn("t", SetMask("", everyCPU), BlockFor(100*time.Microsecond), Run(time.Microsecond)).On("{1}"),
		Run(20 * time.Microsecond),
		Spawn("long", Run(10*time.Millisecond)).On("{1}"),
		Join("t"), Join("long"),
	}}
	seeds(t, 40, always(sc), func(out *Outcome) error {
		return out.waitedAtMost(bound, "t")
	}, "alarm-armed")
}

func TestSMTSwitchedOffPlacesAsIfThereWereNone(t *testing.T) {
	run := func(sc *Scenario) string {
		workers := names("w", 10)
		for _, w := range workers {
			sc.Main = append(sc.Main, Spawn(w, Block()))
		}
		sc.Main = Sequence([]Op{Run(settling)}, sc.Main, []Op{Run(settling)}, wakeAll(workers), joinAll(workers))
		out, err := sc.Run(Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		placed := ""
		for _, s := range out.Spawns {
			placed += fmt.Sprint(s.CPU, " ")
		}
		return placed
	}
	without := run(&Scenario{Shape: "L(8)"})
	off := run(&Scenario{Shape: "L(8)s2", Absent: []cpu.ID{8, 9, 10, 11, 12, 13, 14, 15}})
	if without != off {
		t.Errorf("without SMT: %s\nswitched off: %s", without, off)
	}
}

func TestAPinnedThreadStaysThroughPreemptions(t *testing.T) {
	sc := &Scenario{Shape: "L(4)", Main: []Op{
		Run(settling),
		Spawn("a", Repeat(20, Run(5*time.Millisecond), Yield())...).On("{2}"),
		Spawn("b", Repeat(20, Run(5*time.Millisecond), Yield())...).On("{2}"),
		Join("a"), Join("b"),
	}}
	seeds(t, 10, always(sc), func(out *Outcome) error {
		if out.End("a").CPU != 2 || out.End("b").CPU != 2 || len(out.Migrations) != 0 {
			return fmt.Errorf("migrations: %+v", out.Migrations)
		}
		return nil
	}, "affinity-held")
}

func TestUnequalLLCsAreUsedToTheLastCPU(t *testing.T) {
	for _, machine := range []string{"L(4,4)", "L(2,6)", "L(1,7)"} {
		t.Run(machine, func(t *testing.T) {
			workers := names("w", 8)
			main := []Op{Run(settling)}
			for _, w := range workers {
				main = append(main, Spawn(w, Run(20*time.Millisecond)))
			}
			sc := &Scenario{Shape: machine, Main: Sequence(main, joinAll(workers))}
			seeds(t, 10, always(sc), func(out *Outcome) error {
				if out.Elapsed > 21*time.Millisecond {
					return fmt.Errorf("8 threads of 20 ms took %v: two shared a CPU", out.Elapsed)
				}
				return nil
			})
		})
	}
}

func TestBackgroundWorkDoesNotHideIdleCPUs(t *testing.T) {
	sc := &Scenario{Shape: "L(5)", First: 4, Main: []Op{
		Run(settling),
		Spawn("low0", Run(10*time.Millisecond)).On("{0}").As(process.Background),
		Spawn("low1", Run(10*time.Millisecond)).On("{1}").As(process.Background),
		Run(settling),
		Spawn("a", Run(time.Millisecond)).On("{0-3}"), Spawn("b", Run(time.Millisecond)).On("{0-3}"),
		Join("a"), Join("b"), Join("low0"), Join("low1"),
	}}
	seeds(t, 20, always(sc), func(out *Outcome) error {
		if a, b := out.Placed("a"), out.Placed("b"); a != 2 || b != 3 {
			return fmt.Errorf("placed on %d and %d, want 2 and 3", a, b)
		}
		return nil
	})
}

func TestWorkersWokenInOnePassUseAsManyCores(t *testing.T) {
	workers := names("w", 12)
	main := []Op{Run(settling)}
	for _, w := range workers {
		main = append(main, Spawn(w, Block(), Run(200*time.Microsecond)))
	}
	sc := &Scenario{Shape: "L(4)x4", Main: Sequence(main, []Op{Run(settling)}, wakeAll(workers), joinAll(workers))}
	seeds(t, 10, always(sc), func(out *Outcome) error {
		used := map[cpu.ID]bool{}
		for _, w := range workers {
			used[out.End(w).CPU] = true
		}
		if len(used) != 12 {
			return fmt.Errorf("12 threads ran on %d cores", len(used))
		}
		return out.waitedAtMost(bound, workers...)
	})
}
