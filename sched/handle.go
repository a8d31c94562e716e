package sched

import (
	"hearth/cpu"
	"hearth/process"
	"sync/atomic"
	"time"
)

// Idle is what a CPU does about kicks.
type Idle uint32

const (
	// Busy: it runs a context or kernel code. Only the CPU itself makes it so.
	Busy Idle = iota
	// Polling: it runs nothing and watches its inbox, so a post needs no kick.
	Polling
	// Halted: it sleeps until a kick or its alarm.
	Halted
	// Kicked: a kick is on its way; whoever made it so sends that kick, and nobody
	// sends another before the CPU's next pass.
	Kicked
)

// asleep reports whether a CPU in that state has nothing to run and no kick coming.
func (i Idle) asleep() bool { return i == Halted || i == Polling }

// handle is the published face of a CPU. The first line is what every placement
// reads, so its owner writes it only when it changes; the second line is where
// others post.
type handle struct {
	load    atomic.Uint64 // contexts queued here or in transit; see load.go. Any CPU
	idle    atomic.Uint32 // Idle. Its CPU; others only change it to Kicked
	latency atomic.Uint32 // nanoseconds to leave Halted. Its CPU
	surplus atomic.Uint32 // queued contexts that may run elsewhere. Its CPU
	heed    atomic.Uint32 // a post of a band below this must kick the busy CPU. Its CPU
	running atomic.Uint32 // the band of what it runs, + 1; 0 nothing. Its CPU
	_       [64 - 28]byte

	inbox    atomic.Uint32 // first of the contexts posted here, newest first; 0 none
	requests atomic.Uint32 // first of the contexts whose mask the CPU must look at again
	pull     atomic.Uint32 // who asks for a queued context, see pullWord; 0 none
	recall   atomic.Uint32 // 1: it came back, and contexts that run elsewhere for want of it do too
	heard    atomic.Int64  // when it last made a pass or, silent by right, was kicked
	turn     struct {      // turn, of the current context while it shares the CPU. Its CPU
		time, until atomic.Int64
		weight      atomic.Uint32
	}
	_ [64 - 48]byte
}

// local is what a CPU keeps for itself; no other CPU touches it, apart from the
// counters.
type local struct {
	current      process.ContextID // runs; 0 none
	blocked      process.ContextID // the last to block, until another runs
	partner      process.ContextID // woken by current, which may be about to block; see partner.go
	partnerUntil time.Duration     // when partner stops waiting for that
	start        int32             // the CPU after the last one that a spawn here chose
	sliceEnd     time.Duration     // when current has to let the next one run
	charged      int64             // virtual time of the turn that ended last
	accounted    time.Duration     // until when shares has what current ran
	queues       [bands]heap
	clocks       [bands]int64 // virtual times, see fair.go
	latest       [bands]int64 // the largest virtual time in the queue, or that was there
	shares       [bands]share
	arrived      bool              // of current's band, and stands first
	turning      process.ContextID // taken from the inbox and not yet in order: newest first
	turned       process.ContextID // those of the same catch that are in order: oldest first
	arriving     process.ContextID // in order and not yet queued
	checking     process.ContextID // taken from the requests and not yet looked at
	calling      process.ContextID // the first that recall has not yet looked at; 0 none
	budget       int32             // what is left of passBudget
	tries        int32             // what is left of maxTries
	expired      int16             // alarms since the last pass
	woke         int16             // contexts woken since the last pass
	movable      int32             // queued contexts that may run elsewhere
	roaming      int32             // those of them that may run on every CPU that is not isolated
	sought       bool              // since the queue last grew, no sleeper was found for what is in it
	slept        time.Duration     // average of recent sleeps
	idleSince    time.Duration     // when the sleep began
	pollUntil    time.Duration     // when it stops to poll
	idleState    int32             // in which it halts
	polls        bool              // since EnterIdle
	alarms       heap
	steps        uint64   // nodes visited
	allowed      cpu.Mask // see scratch
	lines        uint64   // of other LLC domains that placements read
	refused      uint64   // groups and CPUs that were not what they seemed
	counters     [counterKinds]atomic.Uint64
	_            [64]byte // neighbours' lines are not ours
}

// node is what the scheduler keeps of a context. A context is in one run queue or
// one inbox at most, and may besides have an alarm and a request; each has links of
// its own, so that no move has to wait for another.
type node struct {
	posted process.ContextID // inbox
	asked  process.ContextID // requests
	asking atomic.Uint32     // 1 while in some CPU's requests

	left  time.Duration // what remains of its slice
	links [kinds]link   // by turn the key is the virtual time, in no queue too
	band  band
	flags uint8
	_     [128 - 90]byte // neighbours may be at home in other LLC domains
}

const (
	flagQueued  = 1 << iota // in a run queue
	flagMovable             // queued, and allowed on another CPU too
	flagRoams               // movable, and allowed on every CPU that is not isolated
	flagArmed               // has an alarm
	flagCounted             // counted among its process's homes
	flagNew                 // has run nowhere yet
	flagCarried             // between two CPUs: its virtual time is relative to a clock
)
