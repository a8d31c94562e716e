package sched

import (
	"hearth/cpu"
	"hearth/process"
	"time"
)

// Request asks for a placement.
type Request struct {
	Context process.ContextID
	Process process.ID
	Near    bool      // prefer the caller's LLC domain and cores without homes of Process
	Mask    *cpu.Mask // becomes the context's own mask; nil: keep the one it has
	Cores   int32     // of a gang: how many threads are to come, this one included; 0: no gang
	Toward  cpu.ID    // of a gang: where the last one was placed; cpu.None: this is the first
}

// Raw is what a placement read of one CPU, once.
type Raw struct {
	CPU       cpu.ID
	Load      uint32 // queued and in transit; background ones only if one of them asks
	Latency   uint32 // nanoseconds to leave the idle state it is in, 0 if it is in none
	Homes     int32  // of the process on the CPU; 0 unless Near
	CoreHomes int32  // of the process on its core; 0 unless Near
	Slowness  uint16
	Idle      uint8 // an Idle
	Flags     uint8 // RawAllowed …
	word      uint64
}

const (
	// RawAllowed: the mask allows the CPU; without it, it is there as a sibling.
	RawAllowed = 1 << iota
	// RawAnswering: no kick is pending, or it made a pass within ten slices.
	RawAnswering
	// RawBackground: background contexts are queued or in transit.
	RawBackground
	// RawPreemptible: it runs a background context, nothing but such is queued or in
	// transit, and the context that asks is none.
	RawPreemptible
)

// Sleeper reports whether the CPU sleeps with no kick coming and nothing posted.
func (r *Raw) Sleeper() bool {
	return Idle(r.Idle).asleep() && r.Flags&RawBackground == 0
}

// Free reports whether the CPU has nothing to do.
func (r *Raw) Free() bool { return r.Load == 0 && r.Sleeper() }

// View is everything that a placement read. It decides from this value alone, so
// whoever records it can decide again. It is some 35 KB: the caller has one for
// each CPU.
type View struct {
	Spawner    cpu.ID // whose LLC domain is near: of a gang, where it goes
	Start      cpu.ID // where the rotation begins
	Process    process.ID
	Near       bool
	Background bool  // a background context asks
	Homes      int32 // of the process, all together; 0 unless Near
	Attempt    int32 // 0 for the first look, one more for each claim lost
	N          int32 // entries of CPUs
	CPUs       [cpu.Max]Raw

	busy [cpu.Max]uint16 // derived from CPUs: those of a core that are not free
}

// look reads once each CPU that mask m allows and each sibling of one.
func (s *Scheduler) look(now time.Duration, v *View, m *cpu.Mask) {
	v.N = 0
	if v.Near {
		v.Homes = s.homes.all[v.Process].Load()
	} else {
		v.Homes = 0
	}
	var online cpu.Mask
	s.OnlineMask(&online)
	for c := online.First(); c != cpu.None; c = online.Next(c) {
		allowed := m.Has(c)
		if !allowed && !s.Topology.Siblings(c).Intersects(m) {
			continue
		}
		r := &v.CPUs[v.N]
		v.N++
		s.read(c, now, v.Background, r)
		if allowed {
			r.Flags |= RawAllowed
		}
		if v.Near {
			r.Homes = s.homes.byCPU[v.Process][c].Load()
			r.CoreHomes = s.homes.byCore[v.Process][s.Topology.At[c].Core].Load()
		}
	}
}

// read reads the handle of c; it leaves homes and RawAllowed to its caller. The
// load word comes first: a claim on it fails if anything came or went since.
func (s *Scheduler) read(c cpu.ID, now time.Duration, all bool, r *Raw) {
	h := &s.handles[c]
	word := h.load.Load()
	idle := Idle(h.idle.Load())
	load, flags, latency := ordinary(word), uint8(0), uint32(0)
	if waiting := background(word); waiting != 0 {
		flags = RawBackground
		if all {
			load += waiting
		}
	}
	if idle == Busy && !all && load == 0 && band(h.running.Load()) == bandBackground+1 {
		flags |= RawPreemptible
	}
	if idle == Halted {
		latency = h.latency.Load()
	}
	if idle != Kicked || now-time.Duration(h.heard.Load()) < patience {
		flags |= RawAnswering
	}
	r.CPU, r.word, r.Load, r.Latency = c, word, load, latency
	r.Homes, r.CoreHomes, r.Slowness = 0, 0, s.slowness[c]
	r.Idle, r.Flags = uint8(idle), flags
}

// patience is how long a CPU may take to answer a kick and still be a candidate.
const patience = 10 * Slice
