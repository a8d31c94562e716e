package trace

import (
	"fmt"
	"slices"
	"time"
)

// Field is one named value of a record.
type Field struct {
	Name  string
	Value any // a number, a word, a list of numbers, a bool
}

// kinds describes every kind once: the table and the JSON lines follow it.
var kinds = []struct {
	name   string
	fields func(a *[10]uint32) []Field
}{
	KindSpawn:     {"spawn", spawnFields},
	KindCandidate: {"candidate", candidateFields},
	KindWake:      {"wake", named("home", "waker")},
	KindKick:      {"kick", named("target", "reason")},
	KindDispatch:  {"dispatch", named()},
	KindPreempt:   {"preempt", named()},
	KindMigrate:   {"migrate", migrateFields},
	KindIdleEnter: {"idle-enter", named()},
	KindIdleLeave: {"idle-leave", named("vector")},
	KindMark: {"mark", func(a *[10]uint32) []Field {
		return []Field{{"a", wide(a[0], a[1])}, {"b", wide(a[2], a[3])}}
	}},
	KindBlock: {"block", blockFields},
	KindExit:  {"exit", func(a *[10]uint32) []Field { return []Field{{"code", int32(a[0])}} }},
}

// Fields returns what the record's kind says about its arguments, in a fixed
// order. Numbers that name CPUs and contexts are int32, so that -1 reads as none.
func (r *Record) Fields() []Field { return kinds[r.Kind].fields(&r.Args) }

// named makes fields of the first arguments.
func named(names ...string) func(*[10]uint32) []Field {
	return func(a *[10]uint32) []Field {
		var fields []Field
		for i, name := range names {
			fields = append(fields, Field{name, int32(a[i])})
		}
		return fields
	}
}

func wide(low, high uint32) uint64 { return uint64(high)<<32 | uint64(low) }

func spawnFields(a *[10]uint32) []Field {
	s := spawnOf(&Record{Args: *a})
	return []Field{{"chosen", s.Chosen}, {"near", s.Near}, {"spawner", s.Spawner}, {"start", s.Start}, {"key", slices.Clone(s.Key[:])}}
}

func candidateFields(a *[10]uint32) []Field {
	c := candidateOf(&Record{Args: *a})
	return []Field{
		{"candidate", c.CPU}, {"load", c.Load}, {"idle", c.Idle.String()}, {"in_mask", c.InMask}, {"answering", c.Answering},
		{"homes_cpu", c.HomesOnCPU}, {"homes_core", c.HomesOnCore}, {"homes_process", c.HomesOfProcess},
		{"exit_latency_ns", c.ExitLatency.Nanoseconds()}, {"attempt", c.Attempt},
	}
}

func migrateFields(a *[10]uint32) []Field {
	return []Field{{"from", int32(a[0])}, {"to", int32(a[1])}, {"reason", word(a[2], "", "push", "pull", "mask", "offline")}}
}

// blockFields gives the time at which the wait ends by itself, if it does.
func blockFields(a *[10]uint32) []Field {
	deadline := time.Duration(wide(a[0], a[1]))
	if deadline < 0 {
		return []Field{{"deadline_ns", nil}}
	}
	return []Field{{"deadline_ns", deadline.Nanoseconds()}}
}

// word names the value n, or shows the number when it has no name.
func word(n uint32, names ...string) string {
	if int64(n) < int64(len(names)) && names[n] != "" {
		return names[n]
	}
	return fmt.Sprint(n)
}
