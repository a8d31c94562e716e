package sim

import (
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
