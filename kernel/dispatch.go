package kernel

import (
	"hearth/boot"
	"hearth/process"
	"hearth/smp"
	"math/bits"
	"time"
)

// leave is the end of every kernel entry: it carries out what the scheduler
// decides until there is a context to resume, and makes that one current.
func (c *perCPU) leave() {
	for {
		t := now()
		c.tick(t)
		c.inject(t)
		c.expire(t)
		next, alarm := scheduler.Pass(c.id, t, &c.actions)
		c.checkPass(t, next, alarm)
		c.carryOut()
		if next != 0 {
			c.spun = 0
			c.setAlarm(t, c.nextTick(c.nextInjected(alarm)))
			c.run(next)
			c.end()
			return
		}
		c.idle(t, alarm)
	}
}

// leaveCall is leave for a system call, most of which change nothing for the
// scheduler: then the caller goes on at once.
func (c *perCPU) leaveCall(x *context) {
	if scheduler.Settled(c.id) && c.actions.N == 0 && x.ready() == 0 && !c.holdsKicks() {
		c.check()
		c.end()
		return
	}
	c.leave()
}

// run makes a context current, with its pending signals delivered.
func (c *perCPU) run(next process.ContextID) {
	x := contextAt(next)
	if address := x.frame.address(); address != c.current {
		c.current = address
		c.trace.add(c, traceDispatch, next, 0, 0)
	}
	if c.root != programSpace.root {
		c.root = programSpace.root
		boot.WriteCR3(c.root)
	}
	if ready := x.ready(); ready != 0 {
		c.deliverPending(x, ready)
	}
	c.serveFlush()
}

// idle halts the CPU until something wakes it, unless work came up meanwhile.
func (c *perCPU) idle(t time.Duration, alarm time.Duration) {
	if !scheduler.EnterIdle(c.id, t, &c.actions) {
		c.carryOut()
		c.pause()
		return
	}
	c.carryOut()
	c.checkIdle()
	c.spun = 0
	c.seekDeadlock(t)
	alarm = c.nextSearch(t, c.nextTick(c.nextInjected(alarm)))
	// The alarm is armed last: an interrupt is taken only in the halt.
	c.setAlarm(now(), alarm)
	c.trace.add(c, traceIdleEnter, 0, 0, 0)
	c.enterQuiescent()
	if c.poll() {
		c.halt(alarm < 0 || now() < alarm) // a near one may be due by now
	}
	c.leaveQuiescent()
	scheduler.LeaveIdle(c.id, now())
	c.trace.add(c, traceIdleLeave, 0, c.wokenBy(), 0)
}

// poll looks for what is posted for as long as the scheduler says, and takes
// interrupts meanwhile. True: nothing came, and the CPU must halt. What is between two
// looks is no kernel entry.
func (c *perCPU) poll() (halt bool) {
	until, _ := scheduler.Idling(c.id)
	if until == 0 {
		return true
	}
	c.woken = 0
	c.end()
	for c.woken == 0 && now() < until && !scheduler.Polled(c.id) {
		c.mode = inHalt
		smp.LetInterruptsIn()
		c.mode = inKernel
		boot.Pause()
	}
	c.resumed()
	return c.woken == 0 && scheduler.StopPolling(c.id, now())
}

// resumed begins the entry that follows a halt or polling.
func (c *perCPU) resumed() {
	c.begin(kindOfWaking(c.wokenBy()))
	if c.woken>>(smp.AlarmVector&63)&1 != 0 {
		c.alarm = -1
	}
}

// pause ends an entry after which the CPU runs nothing and cannot sleep either,
// because work was left or came up, and begins the next one.
func (c *perCPU) pause() {
	c.halt(false)
	c.serveFlush()
}

// halt ends the entry, lets interrupts in, until there was one if the CPU is to
// sleep, and begins the next entry.
func (c *perCPU) halt(sleep bool) {
	c.woken = 0
	c.end()
	c.mode = inHalt
	if sleep {
		smp.HaltForInterrupt()
	} else {
		smp.LetInterruptsIn()
	}
	c.mode = inKernel
	c.resumed()
}

// kindOfWaking returns the kind of the entry that a vector brought, 0 for none.
func kindOfWaking(vector uint32) int {
	if vector == 0 {
		return kindGoingOn
	}
	return kindOfVector(uint64(vector))
}

// wokenBy returns the lowest vector that ended the halt, 0 if there was none.
func (c *perCPU) wokenBy() uint32 {
	if c.woken == 0 {
		return 0
	}
	return uint32(64 + bits.TrailingZeros64(c.woken))
}

// expiries bounds the waits that one entry ends; for what is left, the alarm of the
// entry's pass fires at once.
const expiries = 3

// expire ends waits whose time has come.
func (c *perCPU) expire(t time.Duration) {
	for range expiries {
		id, due := scheduler.Expired(c.id, t)
		if !due {
			return
		}
		if id != 0 && contextAt(id).giveUp(id) {
			scheduler.Wake(c.id, t, id, &c.actions)
		}
	}
}

// giveUp takes a context whose time has come off its wait list and sets the
// result of its call; false when a waker was first.
func (x *context) giveUp(id process.ContextID) bool {
	switch x.wait.kind {
	case waitFutex:
		return x.leaveBucket(id)
	case waitEvents:
		return x.leaveEvents()
	}
	x.frame.ax = 0
	return true
}

// carryOut sends the kicks that the scheduler asked for and writes what it did
// into the trace. It comes after every lock of the entry is dropped.
func (c *perCPU) carryOut() {
	a := &c.actions
	c.traceActions(a)
	if a.Empty() {
		a.Reset()
		return
	}
	c.holdKicks(&a.Kicks)
	for id := a.Kicks.First(); id >= 0; id = a.Kicks.Next(id) {
		smp.Kick(cpuAt(id).apic)
	}
	a.Reset()
}

// setAlarm makes the one-shot fire at a time since boot, < 0: never. Setting a
// register costs more than remembering what it holds.
func (c *perCPU) setAlarm(t, at time.Duration) {
	if at == c.alarm {
		return
	}
	c.alarm = at
	if at < 0 {
		smp.SetAlarm(-1)
		return
	}
	smp.SetAlarm(max(at-t, 0) + lateness())
}
