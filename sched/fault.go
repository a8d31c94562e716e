package sched

// fault is the type of the static values that a violated precondition panics
// with; a pointer to one converts to an interface without allocating.
type fault struct{ text string }

// Error returns the precondition that was violated.
func (f *fault) Error() string { return f.text }

var (
	faultNotOwner   = fault{"sched: a context was changed by two owners at once"}
	faultNoCurrent  = fault{"sched: the call needs a running context on this CPU"}
	faultUnblock    = fault{"sched: only the context that blocked last on this CPU, with nothing run since, is unblocked"}
	faultSpawnState = fault{"sched: only a new context or one from the reserve is spawned"}
	faultQueued     = fault{"sched: a context is in one run queue at most"}
	faultArmed      = fault{"sched: a context has one alarm at most"}
)
