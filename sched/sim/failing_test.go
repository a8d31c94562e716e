package sim

import "testing"

// A policy that fails by something else than what was reported of it does not show the
// report.
func TestAReportIsShownByWhatItNames(t *testing.T) {
	sc, err := Parse("f.txt", []byte("scenario F\nmachine L(2)\nthread main\n run 9us\n spawn t\n join t\n exit\n spawn never\n"+
		"thread t\n run 1us\nthread never\nexpect elapsed < 1us\nexpect used-cpus t == 1\nexpect waited never < 1us\n"))
	if err != nil {
		t.Fatal(err)
	}
	out, missed := sc.Run(Options{})
	if missed == nil {
		t.Fatal("the scenario passes")
	}
	broken := &Violation{Invariant: "one-place"}
	kept := *out
	kept.Violations = map[string]int{"one-kick": 2}
	for _, test := range []struct {
		by   []string
		out  *Outcome
		err  error
		want bool
	}{
		{nil, out, missed, true},
		{nil, out, nil, false},
		{[]string{"elapsed"}, out, missed, true},
		{[]string{"used-cpus"}, out, missed, false},
		{[]string{"elapsed", "used-cpus"}, out, missed, false},
		{[]string{"waited"}, out, missed, false}, // there was no such thread
		{[]string{"one-kick"}, out, missed, false},
		{[]string{"one-kick"}, &kept, missed, true},
		{[]string{"one-kick", "elapsed"}, &kept, missed, true},
		{[]string{"one-place"}, out, broken, true},
		{[]string{"elapsed"}, out, broken, false}, // it broke before the end
		{[]string{"elapsed"}, nil, nil, false},
	} {
		f := &Failing{Policy: "p", By: test.by}
		if got := f.Shows(sc, test.out, test.err); got != test.want {
			t.Errorf("%s, violations %v, error %v: %v, want %v", f, test.out, test.err, got, test.want)
		}
	}
}
