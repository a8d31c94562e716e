package process

// fault is the type of the static values that a violated precondition panics
// with; a pointer to one converts to an interface without allocating.
type fault struct{ text string }

// Error returns the precondition that was violated.
func (f *fault) Error() string { return f.text }

var (
	faultReserveBusy = fault{"process: a context in the reserve carries no thread"}
	faultFreeBusy    = fault{"process: a context is freed without its thread"}
	faultFreeState   = fault{"process: only an exited context is freed, once"}
	faultOccupied    = fault{"process: a context carries one thread, a thread one context"}
	faultExitTwice   = fault{"process: a thread exits once, while it lives"}
	faultWeight      = fault{"process: a weight is at most MaxWeight"}
	faultReap        = fault{"process: only its joiner reaps an exited thread, once"}
)
