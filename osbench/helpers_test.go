package osbench

import (
	"strings"
	"testing"
	"time"

	"hearth/sys"
)

// twoLLCs is a machine of two LLC domains, each of two SMT cores.
func twoLLCs() *sys.Topology {
	top := new(sys.Topology)
	for id := range 8 {
		top.CPUs = append(top.CPUs, sys.CPU{ID: id, Core: id / 2, LLC: id / 4, SMT: id % 2})
	}
	return top
}

// flat is a machine of n cores behind one LLC.
func flat(n int) *sys.Topology {
	top := new(sys.Topology)
	for id := range n {
		top.CPUs = append(top.CPUs, sys.CPU{ID: id, Core: id})
	}
	return top
}

func thisMachine(t *testing.T) *machine {
	t.Helper()
	m, err := readMachine()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// took is a result whose rounds took so many nanoseconds each.
func took(r *row, ns ...time.Duration) *result {
	res := &result{row: r}
	for _, d := range ns {
		res.rounds = append(res.rounds, round{took: d, sides: []span{{0, 0}, {1, 1}}})
	}
	return res
}

// bench runs the program and returns its exit code and outputs.
func bench(args ...string) (code int, out, errors string) {
	var stdout, stderr strings.Builder
	code = execute(args, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func mustMatch(t *testing.T, what, got string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(got, w) {
			t.Errorf("%s lacks %q:\n%s", what, w, got)
		}
	}
}
