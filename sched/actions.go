package sched

import (
	"hearth/cpu"
	"hearth/process"
)

// Actions collects what a kernel entry has to carry out and what it did. It lives
// in the caller's per-CPU memory: every call adds to it, the caller sends the kicks
// once its locks are dropped, and resets it.
type Actions struct {
	Kicks  cpu.Mask // send each of these CPUs one kick
	N      int32    // events
	Lost   int32    // events that found no room
	Events [32]Event
	kicks  int32
}

// Event is one thing that a call did.
type Event struct {
	Kind    EventKind
	Reason  Reason
	Context process.ContextID
	From    cpu.ID
	To      cpu.ID
}

// EventKind says what an event tells.
type EventKind uint8

const (
	// EventWake: Context was woken by From to its home, To.
	EventWake EventKind = iota
	// EventKick: From kicks To.
	EventKick
	// EventDispatch: Context begins to run on To.
	EventDispatch
	// EventPreempt: Context gives up From to one that is due.
	EventPreempt
	// EventMigrate: Context leaves From for To.
	EventMigrate
)

// Reason says why a kick or a migration was made.
type Reason uint8

const (
	// KickWake: the CPU slept.
	KickWake Reason = iota
	// KickPreempt: what was posted is more urgent than what runs.
	KickPreempt
	// KickSlice: the CPU runs something alone and without an alarm; it must share
	// the CPU from now on, or hand on what was posted.
	KickSlice
	// KickMask: a context that is there may not stay.
	KickMask
	// KickPull: an idle CPU asks for work.
	KickPull
	// KickOnline: the CPU goes offline or comes back.
	KickOnline
)

// Reasons of EventMigrate; the trace writes these numbers.
const (
	// MovePush: a CPU with surplus sent it to a sleeper.
	MovePush Reason = 1 + iota
	// MovePull: an idle CPU asked for it.
	MovePull
	// MoveMask: it may not run where it was.
	MoveMask
	// MoveOffline: the CPU where it was went offline.
	MoveOffline
)

// Reset forgets everything.
func (a *Actions) Reset() {
	if a.kicks != 0 {
		a.Kicks.Reset()
		a.kicks = 0
	}
	a.N, a.Lost = 0, 0
}

// Empty reports whether there is no kick to send.
func (a *Actions) Empty() bool { return a.kicks == 0 }

func (a *Actions) kick(from, to cpu.ID, reason Reason) {
	a.Kicks.Set(to)
	a.kicks++
	a.note(EventKick, reason, 0, from, to)
}

func (a *Actions) note(kind EventKind, reason Reason, id process.ContextID, from, to cpu.ID) {
	if a.N == int32(len(a.Events)) {
		a.Lost++
		return
	}
	a.Events[a.N] = Event{kind, reason, id, from, to}
	a.N++
}
