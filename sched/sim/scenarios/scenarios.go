// Package scenarios holds the failures of other schedulers that their users reported,
// each as a small machine, what runs on it and what must come of it.
//
// A file is one scenario in the language of sim.Parse, named after its number in the
// collection and what of it, such as P05-woken.txt.
package scenarios

import (
	"embed"
	"fmt"
	"hearth/sched/sim"
	"strings"
)

//go:embed *.txt
var files embed.FS

// All returns every scenario, in the order of their names.
func All() ([]*sim.Scenario, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var all []*sim.Scenario
	for _, e := range entries {
		sc, err := read(e.Name())
		if err != nil {
			return nil, err
		}
		all = append(all, sc)
	}
	return all, nil
}

// Named returns the scenario of that name, such as P05-woken; the error lists those
// that there are.
func Named(name string) (*sim.Scenario, error) {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Name() == name+".txt" {
			return read(e.Name())
		}
		names = append(names, strings.TrimSuffix(e.Name(), ".txt"))
	}
	return nil, fmt.Errorf("unknown scenario %q: there are %s", name, strings.Join(names, ", "))
}

func read(file string) (*sim.Scenario, error) {
	data, err := files.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return sim.Parse(file, data)
}
