package sim

import (
	"fmt"
	"hearth/cpu"
	"hearth/sched"
	"path"
	"strings"
)

// termNames are the terms of a key as docs/placement.md calls them.
var termNames = [sched.Terms]string{
	sched.TermLoad: "load", sched.TermAwake: "awake", sched.TermCapacity: "capacity", sched.TermSiblings: "siblings",
	sched.TermHome: "home", sched.TermFar: "far", sched.TermLatency: "latency", sched.TermDistance: "distance",
}

// Explain runs the scenario and says of each spawn whose thread's name matches the
// pattern where it went and why: the key, the next best CPU and the term that decided.
func (sc *Scenario) Explain(o Options, pattern string) (string, error) {
	if _, err := path.Match(pattern, ""); err != nil {
		return "", fmt.Errorf("%q is no pattern of names", pattern)
	}
	out, err := sc.Run(o)
	if out == nil {
		return "", err
	}
	var b strings.Builder
	for i := range out.Spawns {
		if s := &out.Spawns[i]; matches(pattern, s.Name) {
			fmt.Fprintf(&b, "spawn %d: %s\n", i, s)
		}
	}
	if b.Len() == 0 && err == nil {
		err = fmt.Errorf("scenario %s spawns no thread %q", sc.Name, pattern)
	}
	return b.String(), err
}

// String tells where the thread went and why.
func (s *Spawned) String() string {
	why := "no other CPU was allowed"
	if s.RunnerUp != cpu.None {
		at := decider(&s.Key, &s.RunnerUpKey)
		why = fmt.Sprintf("by %s: %d, against %d on CPU %d (%s)", termNames[at], s.Key[at], s.RunnerUpKey[at], s.RunnerUp, keyText(&s.RunnerUpKey))
	}
	return fmt.Sprintf("%s at %v from CPU %d to CPU %d (%s) %s", s.Name, s.At, s.Spawner, s.CPU, keyText(&s.Key), why)
}

// decider returns the first term in which two keys differ, the last one if none does.
func decider(a, b *sched.Key) int {
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return sched.Terms - 1
}

// keyText names the terms that are not 0.
func keyText(k *sched.Key) string {
	var parts []string
	for i, n := range k {
		if n != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", termNames[i], n))
		}
	}
	if len(parts) == 0 {
		return "all 0"
	}
	return strings.Join(parts, ", ")
}
