package sim

import (
	"strings"
	"testing"
)

// holds runs a scenario with many seeds and wants work to be conserved, and that put to
// the test.
func holds(t *testing.T, text string) {
	t.Helper()
	sc, err := Parse("s.txt", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	reach := 0
	for seed := range uint64(200) {
		out, err := sc.Run(Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		reach += out.Reach["work-conserved"]
	}
	if reach == 0 {
		t.Error("nothing waited")
	}
}

func TestAMaskWidenedInTransitFindsASleeper(t *testing.T) {
	holds(t, strings.TrimSpace(`
scenario in-transit
machine L(2,2)s2
isolated {2-3,6-7}
thread main
  spawn w1 gang 4
  offline {1-4}
  spawn w2
  spawn w1 named mw2 as service
  critical 10us
thread w1
thread w2
  together
    wake w2
    set-mask w1 {0-1023}
    wake w2
  end
  offline {2,4-5}`))
}
