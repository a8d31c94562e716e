package sched

import (
	"hearth/cpu"
	"hearth/process"
)

// Kick adds a kick of to by from, as a scheduler's decision does: for models of other
// schedulers that the simulator drives.
func (a *Actions) Kick(from, to cpu.ID, reason Reason) { a.kick(from, to, reason) }

// Note adds an event, or counts it as lost, as a scheduler's decision does: for models
// of other schedulers that the simulator drives.
func (a *Actions) Note(kind EventKind, reason Reason, id process.ContextID, from, to cpu.ID) {
	a.note(kind, reason, id, from, to)
}
