package kernel

import (
	"hearth/process"
	"hearth/sched"
)

// clone starts a context for the Go runtime: an M, of class service, which
// shares everything with its maker but registers and stack.
func (c *perCPU) clone(x *context, f *frame) int64 {
	const vm, thread, setTLS = 0x100, 0x10000, 0x80000
	if f.di&(vm|thread) != vm|thread {
		return -eINVAL // only threads of the image: processes come by exec
	}
	id := scheduler.Table.NewContext(imageProcess, process.Service)
	if id == 0 {
		return -eAGAIN
	}
	child := contextAt(id)
	if !child.prepareExtended() {
		scheduler.Table.DropContext(id)
		return -eNOMEM
	}
	child.forget()
	extended := child.frame.extended
	child.frame = *f
	child.frame.extended = extended
	child.frame.ax = 0
	child.frame.sp = f.si
	if f.di&setTLS != 0 {
		child.frame.fs = f.r8
	}
	child.masked = x.masked
	request := sched.Request{Context: id, Process: imageProcess}
	if _, ok := scheduler.Spawn(c.id, c.entry, &request, c.spawnView(), &c.actions); !ok {
		scheduler.Table.DropContext(id)
		return -eAGAIN
	}
	return int64(id)
}

// exitContext ends the calling context: an M whose goroutine ended while it
// was locked to it. A thread that lives on it ends with it.
func (c *perCPU) exitContext() {
	id := c.context()
	joiner := c.endThread(id, 0)
	scheduler.Exit(c.id, c.entry)
	// Nothing of it is needed any more: its registers are dead, and kernel
	// code runs on the CPU's own stack.
	scheduler.Table.FreeContext(id)
	c.wakeJoiner(joiner)
}
