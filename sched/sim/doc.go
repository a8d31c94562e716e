// Package sim is a deterministic machine for the real scheduler: virtual CPUs and
// virtual time, one goroutine, one seed.
//
// A Scenario is data: a topology and the programs of its threads. Run takes it
// through one interleaving, which the seed chooses, and checks the invariants after
// every step. A step is what one CPU does without another one looking on: the body
// of a kernel entry, its Pass, or its EnterIdle. Kicks and alarms arrive late, by
// the seed's choice. The same scenario and seed give the same bytes on every host.
package sim
