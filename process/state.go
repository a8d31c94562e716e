package process

// State is where a context is in its life. The comment of each constant says who
// owns the context then, and so who may change the state.
type State uint32

const (
	// New: free, or its creator's.
	New State = iota
	// InTransit: posted to the inbox of its home CPU, or about to be by the CPU
	// that made it so. That CPU owns it until the post, the home from then on.
	InTransit
	// Ready: in a run queue of its home CPU, which owns it.
	Ready
	// Running: on its home CPU, which owns it.
	Running
	// Blocked: owned by whoever takes it off what it waits for. Until that is
	// published its CPU still owns it.
	Blocked
	// Exited: its last CPU's, which frees it.
	Exited

	states = iota
)

var stateNames = [states]string{"New", "InTransit", "Ready", "Running", "Blocked", "Exited"}

// String returns the state's name.
func (s State) String() string {
	if s >= states {
		return "unknown state"
	}
	return stateNames[s]
}

// legal holds, for each state, a bit for each state that may follow it.
var legal = [states]uint8{
	New:       1<<InTransit | 1<<Running,                        // spawned; first context of a CPU at boot
	InTransit: 1 << Ready,                                       // its home drained the inbox
	Ready:     1<<Running | 1<<InTransit,                        // dispatched; migrated by its owner
	Running:   1<<Ready | 1<<Blocked | 1<<InTransit | 1<<Exited, // preempted or yielded; waits; moves off its CPU; ended
	Blocked:   1<<InTransit | 1<<Running,                        // woken; the wait was cancelled before anyone saw it
	Exited:    1 << New,                                         // freed
}

// Legal reports whether to may follow from.
func Legal(from, to State) bool {
	return from < states && to < states && legal[from]>>to&1 != 0
}

// EdgeError is what SetState panics with: a change of state that may not happen.
type EdgeError struct{ From, To State }

// Error names both states.
func (e *EdgeError) Error() string {
	return "process: illegal change of state from " + e.From.String() + " to " + e.To.String()
}

// edges holds one value for each pair of states, so that a panic in kernel
// context need not build one.
var edges = [states][states]EdgeError{
	New:       {{New, New}, {New, InTransit}, {New, Ready}, {New, Running}, {New, Blocked}, {New, Exited}},
	InTransit: {{InTransit, New}, {InTransit, InTransit}, {InTransit, Ready}, {InTransit, Running}, {InTransit, Blocked}, {InTransit, Exited}},
	Ready:     {{Ready, New}, {Ready, InTransit}, {Ready, Ready}, {Ready, Running}, {Ready, Blocked}, {Ready, Exited}},
	Running:   {{Running, New}, {Running, InTransit}, {Running, Ready}, {Running, Running}, {Running, Blocked}, {Running, Exited}},
	Blocked:   {{Blocked, New}, {Blocked, InTransit}, {Blocked, Ready}, {Blocked, Running}, {Blocked, Blocked}, {Blocked, Exited}},
	Exited:    {{Exited, New}, {Exited, InTransit}, {Exited, Ready}, {Exited, Running}, {Exited, Blocked}, {Exited, Exited}},
}

// SetState changes the state of c; it is the only writer of states. It panics with
// an *EdgeError if to may not follow from, and reports false, changing nothing, if
// the state is not from.
//
// The compare-and-swap publishes what its caller wrote before it to whoever next
// changes the state or loads it.
func (t *Table) SetState(c ContextID, from, to State) bool {
	if !Legal(from, to) {
		panic(&edges[from][to])
	}
	return t.contexts[c].state.CompareAndSwap(uint32(from), uint32(to))
}
