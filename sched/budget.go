package sched

import "hearth/cpu"

// No kernel entry may run long, so no call here visits a number of contexts that
// grows with their number, other than by its logarithm. A pass has a budget; what is
// beyond it stays in the CPU's lists for the next one. Steps count the visits, so
// that the simulator and the tests can hold every call to its bound.
const (
	// passBudget is what one pass may spend: a unit is a context taken from the inbox,
	// its alarm cancelled or a request looked at, some 1,500 instructions each where
	// thousands stand in the heaps and 500 where few do. A kernel entry has 20,000.
	passBudget = 6
	// expiryCost and wakeCost are what each alarm that expired, and each context that
	// was woken, in an entry take off its pass.
	expiryCost = 2
	wakeCost   = 1
	// minBudget is what every pass may spend nevertheless: a context with its alarm.
	minBudget = 2
	// linksAUnit is how many links of the inbox are turned round for a unit.
	linksAUnit = 32
	// cpusAUnit is how many CPUs are read for a unit in search of a new home.
	cpusAUnit = 4
	// maxTries bounds the queued contexts that the pushes and answers to requests for
	// work of one pass look at.
	maxTries = 16
	// maxLooks bounds the looks of one pass at a busy inbox; what comes after the last
	// one is left to a pass that begins at once.
	maxLooks = 4
)

// MaxSteps is the largest number of contexts that one call visits, whatever the
// number of contexts: a pass comes closest that queues as many as it may, sends on
// another one for each unit that is left and turns a long inbox round.
const MaxSteps = passBudget*(1+addSteps) + passBudget/2*(1+removeSteps) + 2*addSteps + 2*removeSteps + maxTries + maxLooks*(linksAUnit+recallPiece)

// addSteps and removeSteps bound the nodes that adding one to a heap and removing one
// visit: two paths to the right of a heap of all contexts, there and back, and, for
// one that is removed, the way up.
const (
	addSteps    = 2 * (heapRank + 1)
	removeSteps = 5 * heapRank
	heapRank    = 13 // no path to the right is longer: log2 of all contexts
)

// Steps returns how many contexts the calls of c have visited so far.
func (s *Scheduler) Steps(c cpu.ID) uint64 { return s.locals[c].steps }

func (s *Scheduler) step(c cpu.ID) { s.locals[c].steps++ }

// spend takes units off the budget of c's pass.
func (s *Scheduler) spend(c cpu.ID, units int32) {
	s.step(c)
	s.locals[c].budget -= units
}

// try takes one of the pass's tries, false if there is none left.
func (s *Scheduler) try(c cpu.ID) bool {
	l := &s.locals[c]
	if l.tries <= 0 {
		return false
	}
	s.step(c)
	l.tries--
	return true
}
