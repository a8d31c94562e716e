package kernel

import (
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"unsafe"
)

// spawnArguments is what a spawn call passes and gets back; see docs/abi.md.
type spawnArguments struct {
	token     uint64
	relation  uint32
	class     uint32
	flags     uint32
	weight    uint32
	mask      uint64
	maskBytes uint64
	name      [16]byte
	// Written by the kernel.
	cpu  int32
	term int32
	key  [8]uint32
	// Of a gang, from the program.
	cores  uint32
	toward int32
}

const (
	relationPair     = 0
	relationStranger = 1
	relationGang     = 2
	spawnDetached    = 1
)

// spawn gives a new thread to a parked carrier of the process: identity,
// placement, claim and wake-up in one call.
func (c *perCPU) spawn(at uintptr) int64 {
	var a spawnArguments
	if !programSpace.copyIn(unsafe.Pointer(&a), at, unsafe.Sizeof(a)) {
		return -eFAULT
	}
	class, ok := classOf(a.class)
	if !ok || !a.related() || a.weight > process.MaxWeight {
		return -eINVAL
	}
	request := sched.Request{Process: imageProcess, Near: a.relation != relationStranger}
	if a.relation == relationGang {
		request.Cores, request.Toward = int32(a.cores), cpu.ID(a.toward)
	}
	var mask cpu.Mask
	if a.mask != 0 {
		if errno := readMask(&mask, uintptr(a.mask), uintptr(a.maskBytes)); errno != 0 {
			return -errno
		}
		request.Mask = &mask
	}
	// Before there is a thread: an address that cannot be written starts none.
	if !a.copyOut(at) {
		return -eFAULT
	}
	id, result := c.startThread(&a, class, &request)
	if result < 0 {
		return result
	}
	if !a.copyOut(at) {
		return -eFAULT
	}
	return int64(id)
}

// related reports whether the arguments name a relation, and a gang that can be.
func (a *spawnArguments) related() bool {
	gang := a.cores-1 < process.MaxThreads && a.toward >= -1 && int(a.toward) < onlineCount
	return a.relation <= relationStranger || a.relation == relationGang && gang
}

// copyOut writes the kernel's part of the arguments back to the program.
func (a *spawnArguments) copyOut(at uintptr) bool {
	const first = unsafe.Offsetof(a.cpu)
	return programSpace.copyOut(at+first, unsafe.Pointer(&a.cpu), unsafe.Sizeof(*a)-first)
}

// startThread makes the thread and fills in where it was placed.
func (c *perCPU) startThread(a *spawnArguments, class process.Class, r *sched.Request) (process.ThreadID, int64) {
	t := &scheduler.Table
	id := t.NewThread(imageProcess, class, &a.name, a.flags&spawnDetached != 0)
	if injectFullTable(id) {
		t.DropThread(id)
		id = 0
	}
	if id == 0 {
		return 0, -eAGAIN
	}
	carrier := t.PopReserve(imageProcess)
	if carrier == 0 {
		t.DropThread(id)
		return 0, -eBUSY
	}
	t.SetWeight(id, a.weight)
	t.Occupy(id, carrier)
	if !giveThread(carrier, id, a.token) {
		killed(contextAt(carrier), sigSEGV, contextAt(carrier).wait.address)
	}
	r.Context = carrier
	placement, ok := scheduler.Spawn(c.id, c.entry, r, c.spawnView(), &c.actions)
	if !ok {
		// The last CPU of the mask went offline since it was read: the thread starts as
		// if that had come a moment later.
		t.Context(carrier).SetMask(r.Mask)
		own := sched.Request{Context: carrier, Process: r.Process, Near: r.Near, Cores: r.Cores, Toward: r.Toward}
		placement, _ = scheduler.Spawn(c.id, c.entry, &own, c.spawnView(), &c.actions)
	}
	c.traceSpawn(carrier, id, r, &placement)
	a.cpu, a.term = int32(placement.CPU), placement.Term
	a.key = placement.Key
	return id, 0
}

// parkResult is what a park call gets when a spawn ends it.
type parkResult struct {
	token  uint64
	thread process.ThreadID
	cpu    int32
}

// giveThread writes the result of the carrier's park call.
func giveThread(carrier process.ContextID, id process.ThreadID, token uint64) bool {
	x := contextAt(carrier)
	r := parkResult{token: token, thread: id}
	x.frame.ax = 0
	return programSpace.copyOut(x.wait.address, unsafe.Pointer(&r), unsafe.Sizeof(r))
}

// park ends the thread that the calling carrier ran, if it ran one, and makes
// the carrier wait in the reserve for the next. Without an address for the
// result it only ends the thread: the carrier is about to end too.
func (c *perCPU) park(x *context, code int32, to uintptr) (int64, bool) {
	// The spawn that ends this wait must not fail on the result's address.
	var r parkResult
	if to != 0 && !programSpace.copyOut(to, unsafe.Pointer(&r), unsafe.Sizeof(r)) {
		return -eFAULT, false
	}
	id := c.context()
	joiner := c.endThread(id, code)
	if to != 0 {
		x.wait = wait{kind: waitReserve, address: to}
		scheduler.Block(c.id, c.entry, never)
		// From here on another CPU may run the carrier. Its joiner is woken after
		// this, so that the joiner's next spawn finds it.
		scheduler.Table.PushReserve(imageProcess, id)
	}
	c.wakeJoiner(joiner)
	return 0, to != 0
}

// endThread publishes the exit of the thread that the current context carries,
// if any, and returns who waits for it, 0: nobody.
func (c *perCPU) endThread(id process.ContextID, code int32) process.ContextID {
	thread := scheduler.Table.Context(id).Thread()
	if thread == 0 {
		return 0
	}
	c.trace.add(c, traceExit, id, uint32(code), 0)
	scheduler.Vacate(c.id)
	return scheduler.Table.Exit(thread, code)
}

// wakeJoiner completes the join call of a context that endThread returned.
func (c *perCPU) wakeJoiner(joiner process.ContextID) {
	if joiner != 0 {
		c.finishJoin(joiner)
		c.wake(joiner)
	}
}

// join waits for a thread's end, takes its exit code and frees its identity.
func (c *perCPU) join(x *context, thread process.ThreadID, to uintptr) (int64, bool) {
	var code int32
	if to != 0 && !programSpace.copyOut(to, unsafe.Pointer(&code), unsafe.Sizeof(code)) {
		return -eFAULT, false
	}
	// Blocked first: once registered, the thread's end may wake it at once.
	id := c.context()
	x.wait = wait{kind: waitJoin, address: to, thread: thread}
	scheduler.Block(c.id, c.entry, never)
	code, outcome := scheduler.Table.Join(thread, id)
	switch outcome {
	case process.JoinWait:
		return 0, true
	case process.JoinDone:
		scheduler.Unblock(c.id)
		if to != 0 && !programSpace.copyOut(to, unsafe.Pointer(&code), unsafe.Sizeof(code)) {
			return -eFAULT, false
		}
		return 0, false
	}
	scheduler.Unblock(c.id)
	return joinError(outcome), false
}

func joinError(r process.JoinResult) int64 {
	switch r {
	case process.JoinNoThread:
		return -eSRCH
	case process.JoinSelf:
		return -eDEADLK
	}
	return -eINVAL
}

// finishJoin reaps the thread that a blocked joiner waited for and writes the
// join call's results.
func (c *perCPU) finishJoin(joiner process.ContextID) {
	x := contextAt(joiner)
	code := scheduler.Table.Reap(x.wait.thread)
	x.frame.ax = 0
	if x.wait.address != 0 && !programSpace.copyOut(x.wait.address, unsafe.Pointer(&code), unsafe.Sizeof(code)) {
		x.frame.ax = negative(eFAULT)
	}
}

// classOf turns a class number of the call into the scheduler's.
func classOf(number uint32) (process.Class, bool) {
	switch number {
	case 0:
		return process.Fair, true
	case 1:
		return process.RealTime, true
	case 2:
		return process.Background, true
	}
	return 0, false
}
