package sim

import (
	"hearth/cpu"
	"path"
	"strings"
)

// metric is something that an expectation may claim of an outcome.
type metric struct {
	kind kind
	of   string // what it wants behind its name: whose, or which; a word of it for each
	doc  string
	read func(o *Outcome, of string) []reading
}

type kind uint8

const (
	kindCount kind = iota
	kindTime
	kindCPUs
	kindName
)

// reading is a value of a metric, and of which thread. The claim must hold for all.
type reading struct {
	of    string
	value float64
}

// metrics lists everything that can be claimed. A pattern of names is one of shells:
// w* is every thread whose name begins with w; a,b is two threads.
var metrics = map[string]*metric{
	"waited": {kindTime, "threads", "for each, the longest time that it was runnable and did not run",
		eachEnd(func(e *Ended) float64 { return float64(e.Waited) })},
	"ended": {kindTime, "threads", "for each, when it ended",
		eachEnd(func(e *Ended) float64 { return float64(e.At) })},
	"cpu": {kindCPUs, "threads", "for each, where it ended",
		eachEnd(func(e *Ended) float64 { return float64(e.CPU) })},
	"placed": {kindCPUs, "threads", "for each spawn, where it placed", eachPlaced},
	"migrations": {kindCount, "threads", "moves of theirs together, of threads that waited or had to leave",
		moves(func(*Migration) bool { return true })},
	"far-migrations": {kindCount, "threads", "those of them to another LLC domain",
		moves(func(g *Migration) bool { return g.Far })},
	"kicks": {kindCount, "", "kicks sent",
		whole(func(o *Outcome) float64 { return float64(len(o.Kicks)) })},
	"far-kicks": {kindCount, "", "kicks sent to another LLC domain",
		whole(func(o *Outcome) float64 { return float64(len(o.FarKicks())) })},
	"lines-per-decision": {kindCount, "", "lines of other LLC domains that a spawn or wake looked at, on the average",
		whole(func(o *Outcome) float64 { return float64(o.Reads) / float64(max(len(o.Spawns)+o.Wakes, 1)) })},
	"elapsed": {kindTime, "", "when the last thread ended",
		whole(func(o *Outcome) float64 { return float64(o.Elapsed) })},
	"used-cpus": {kindCount, "threads", "CPUs on which one of them ran",
		ran(func(o *Outcome, m *cpu.Mask) int { return m.Count() })},
	"used-cores": {kindCount, "threads", "cores on which one of them ran", ran(coresOf)},
	"used-llcs":  {kindCount, "threads", "LLC domains in which one of them ran", ran(llcsOf)},
	"invariant": {kindName, "invariant", "the invariant was put to the test (that it holds is always checked)",
		func(o *Outcome, of string) []reading { return []reading{{of, float64(o.Reach[of])}} }},
}

// Metrics returns what each metric of the language measures.
func Metrics() map[string]string {
	docs := map[string]string{}
	for name, m := range metrics {
		docs[name] = m.doc
	}
	return docs
}

// matches reports whether a thread's name fits one of the patterns between commas.
func matches(patterns, name string) bool {
	for _, pattern := range strings.Split(patterns, ",") {
		if ok, _ := path.Match(pattern, name); ok || pattern == "all" {
			return true
		}
	}
	return false
}

func eachEnd(value func(*Ended) float64) func(*Outcome, string) []reading {
	return func(o *Outcome, of string) (got []reading) {
		for i := range o.Ended {
			if e := &o.Ended[i]; matches(of, e.Name) {
				got = append(got, reading{e.Name, value(e)})
			}
		}
		return got
	}
}

func eachPlaced(o *Outcome, of string) (got []reading) {
	for _, s := range o.Spawns {
		if matches(of, s.Name) {
			got = append(got, reading{s.Name, float64(s.CPU)})
		}
	}
	return got
}

func moves(count func(*Migration) bool) func(*Outcome, string) []reading {
	return func(o *Outcome, of string) []reading {
		n := 0
		for i := range o.Migrations {
			if g := &o.Migrations[i]; matches(of, g.Name) && count(g) {
				n++
			}
		}
		return []reading{{of, float64(n)}}
	}
}

func whole(value func(*Outcome) float64) func(*Outcome, string) []reading {
	return func(o *Outcome, _ string) []reading { return []reading{{"", value(o)}} }
}

func ran(count func(*Outcome, *cpu.Mask) int) func(*Outcome, string) []reading {
	return func(o *Outcome, of string) []reading {
		var all cpu.Mask
		found := false
		for i := range o.Ended {
			if e := &o.Ended[i]; matches(of, e.Name) {
				all.Or(&e.Ran)
				found = true
			}
		}
		if !found {
			return nil
		}
		return []reading{{of, float64(count(o, &all))}}
	}
}

func coresOf(o *Outcome, m *cpu.Mask) int {
	return groups(m, func(c cpu.ID) int32 { return o.top.At[c].Core })
}

func llcsOf(o *Outcome, m *cpu.Mask) int {
	return groups(m, func(c cpu.ID) int32 { return o.top.At[c].LLC })
}

func groups(m *cpu.Mask, of func(cpu.ID) int32) int {
	seen := map[int32]bool{}
	for c := m.First(); c != cpu.None; c = m.Next(c) {
		seen[of(c)] = true
	}
	return len(seen)
}
