package sim

import (
	"hearth/cpu"
	"sort"
	"strings"
	"time"
)

// Metrics of where threads were.
func init() {
	add(map[string]*metric{
		"ran": {kindCPUs, "threads", "for each, every CPU on which it ran", eachRan},
		"inside": {kindCount, "threads mask", "how many of them ended on a CPU of the mask",
			func(o *Outcome, of string) []reading { return one(of, inside(o, of)) }},
		"split-pairs": {kindCount, "prefix prefix", "pairs, such as c1 and s1 for c s, that ended in two LLC domains",
			func(o *Outcome, of string) []reading { return one(of, splitPairs(o, of)) }},
		"max-home-threads": {kindCount, "threads", "the most of them that called one CPU home at once",
			func(o *Outcome, of string) []reading { return one(of, crowded(o, of, byCPU)) }},
		"max-core-threads": {kindCount, "threads", "the most of them that called CPUs of one core home at once",
			func(o *Outcome, of string) []reading {
				return one(of, crowded(o, of, func(o *Outcome, c cpu.ID) int32 { return o.top.At[c].Core }))
			}},
	})
}

// add makes more metrics known.
func add(more map[string]*metric) {
	for name, m := range more {
		metrics[name] = m
	}
}

func one(of string, n int) []reading { return []reading{{of, float64(n)}} }

func eachRan(o *Outcome, of string) (got []reading) {
	for i := range o.Ended {
		e := &o.Ended[i]
		for c := e.Ran.First(); matches(of, e.Name) && c != cpu.None; c = e.Ran.Next(c) {
			got = append(got, reading{e.Name, float64(c)})
		}
	}
	return got
}

func inside(o *Outcome, of string) (n int) {
	names, in, _ := strings.Cut(of, " ")
	mask, _ := cpu.ParseMask(in)
	for i := range o.Ended {
		if e := &o.Ended[i]; matches(names, e.Name) && mask.Has(e.CPU) {
			n++
		}
	}
	return n
}

// splitPairs counts the pairs whose names differ in their prefix alone and that ended
// in different LLC domains; a partner that is not there counts as split.
func splitPairs(o *Outcome, of string) (n int) {
	left, right, _ := strings.Cut(of, " ")
	for i := range o.Ended {
		suffix, ok := strings.CutPrefix(o.Ended[i].Name, left)
		if !ok {
			continue
		}
		other := o.End(right + suffix)
		if other.CPU == cpu.None || o.top.At[other.CPU].LLC != o.top.At[o.Ended[i].CPU].LLC {
			n++
		}
	}
	return n
}

func byCPU(_ *Outcome, c cpu.ID) int32 { return int32(c) }

// crowded returns the most threads of a pattern whose homes were in one group at once.
func crowded(o *Outcome, of string, group func(*Outcome, cpu.ID) int32) int {
	type change struct {
		at       time.Duration
		from, to cpu.ID
	}
	changes := []change{{0, cpu.None, o.first}}
	if !matches(of, "main") {
		changes = nil
	}
	// Homes that are left come first among the changes of a moment.
	for i := range o.Ended {
		if e := &o.Ended[i]; matches(of, e.Name) {
			changes = append(changes, change{e.At, e.CPU, cpu.None})
		}
	}
	for i := range o.Migrations {
		if g := &o.Migrations[i]; matches(of, g.Name) {
			changes = append(changes, change{g.At, g.From, g.To})
		}
	}
	for i := range o.Spawns {
		if s := &o.Spawns[i]; matches(of, s.Name) {
			changes = append(changes, change{s.At, cpu.None, s.CPU})
		}
	}
	sort.SliceStable(changes, func(i, j int) bool { return changes[i].at < changes[j].at })
	count, most := map[int32]int{}, 0
	for _, c := range changes {
		if c.from != cpu.None {
			count[group(o, c.from)]--
		}
		if c.to != cpu.None {
			count[group(o, c.to)]++
			most = max(most, count[group(o, c.to)])
		}
	}
	return most
}
