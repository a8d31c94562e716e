package sim

import (
	"hearth/sched"
	"strings"
	"testing"
)

func TestInvariantsHoldUnderPriorities(t *testing.T) {
	total := 0
	for seed := range uint64(100) {
		out, err := Random(seed).Run(Options{Seed: seed, Mode: ModePCT})
		if err != nil {
			t.Fatal(err)
		}
		total += out.Steps
	}
	if total == 0 {
		t.Error("no step was taken")
	}
}

func TestAnUnknownModeIsRefused(t *testing.T) {
	_, err := Random(1).Run(Options{Mode: "lucky"})
	if err == nil || !strings.Contains(err.Error(), `unknown mode "lucky": want one of seeded pct bytes`) {
		t.Errorf("error %v", err)
	}
	_, err = Random(1).Run(Options{Engine: "best"})
	if err == nil || !strings.Contains(err.Error(), `unknown policy "best": there are hearth`) {
		t.Errorf("error %v", err)
	}
}

// Two CPUs, one wakes the other's thread as it goes to sleep.
const handOver = `scenario S
machine L(2)
exhaustive %
thread main
  spawn t on {1}
  wake t
  block
thread t
  block
  wake main
expect invariant no-lost-wakeup
`

func TestEveryOrderIsTriedOnce(t *testing.T) {
	last := 0
	for bound, text := range []string{"", "1", "2", "3"} {
		if bound == 0 {
			continue
		}
		sc, err := Parse("s.txt", []byte(strings.Replace(handOver, "%", text, 1)))
		if err != nil {
			t.Fatal(err)
		}
		done, _, err := sc.Exhaust(Options{}, 1_000_000)
		if err != nil || !done.Complete || done.Runs <= last {
			t.Errorf("bound %d: %+v after %d, %v", bound, done, last, err)
		}
		t.Logf("bound %d: %d runs", bound, done.Runs)
		last = done.Runs
	}
}

func TestAnExhaustiveSearchThatIsTooLargeSaysSo(t *testing.T) {
	sc, err := Parse("s.txt", []byte(strings.Replace(handOver, "%", "3", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if done, _, err := sc.Exhaust(Options{}, 10); err == nil || done.Complete || !strings.Contains(err.Error(), "make it smaller") {
		t.Errorf("%+v, %v", done, err)
	}
}

func FuzzChoices(f *testing.F) {
	f.Add(uint64(3), []byte{1, 2, 3, 200, 0, 255})
	f.Fuzz(func(t *testing.T, seed uint64, choices []byte) {
		if _, err := Random(seed % 1000).Run(Options{Mode: ModeBytes, Bytes: choices}); err != nil {
			t.Error(err)
		}
	})
}

func TestAFarPostTakesLonger(t *testing.T) {
	m := &machine{out: &Outcome{}, costs: presets[defaultCosts]}
	top, err := Machine("L(2,2)")
	if err != nil {
		t.Fatal(err)
	}
	m.out.top = top
	var near, far virtual
	near.act.N, far.act.N = 1, 1
	near.act.Events[0] = sched.Event{Kind: sched.EventWake, From: 0, To: 1}
	far.act.Events[0] = sched.Event{Kind: sched.EventWake, From: 0, To: 2}
	if n, f := m.lines(&near), m.lines(&far); n != 3*20 || f != 3*95 {
		t.Errorf("a near post takes %v, a far one %v; want 60ns and 285ns", n, f)
	}
	if again := m.lines(&far); again != 0 || m.out.Lines != 6 || m.out.FarLines != 3 {
		t.Errorf("it is charged again: %v, %+v", again, m.out)
	}
}

func TestAKickWaitsForTheEndOfACriticalSection(t *testing.T) {
	for op, want := range map[string]string{"run": "<", "critical": ">="} {
		text := "scenario S\nmachine L(2)\nthread main\n run 100us\n spawn low on {1} as background\n run 100us\n spawn high on {1}\n" +
			" join high\n join low\nthread low\n " + op + " 2ms\nthread high\n run 5us\nexpect waited high " + want + " 1ms"
		sc, err := Parse("s.txt", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sc.Run(Options{Seed: 1}); err != nil {
			t.Errorf("%s: %v", op, err)
		}
	}
}
