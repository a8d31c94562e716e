package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hearth/sched/sim"
)

// docs/sim.md explains each invariant.
func TestTheGuideNamesTheInvariants(t *testing.T) {
	guide, err := os.ReadFile("../../docs/sim.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(guide), "## Invariants")
	table, _, _ = strings.Cut(table, "\n## ")
	var named []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` ").FindAllStringSubmatch(table, -1) {
		named = append(named, m[1])
	}
	for _, there := range sim.Invariants() {
		if !slices.Contains(named, there) {
			t.Errorf("%s is not in docs/sim.md", there)
		}
	}
}
