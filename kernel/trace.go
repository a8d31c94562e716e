package kernel

import (
	"hearth/boot"
	"hearth/cpu"
	"hearth/process"
	"hearth/sched"
	"sync/atomic"
	"time"
	"unsafe"
)

// Kinds of trace records; docs/trace.md says what their arguments are.
const (
	traceSpawn = 1 + iota
	traceCandidate
	traceWake
	traceKick
	traceDispatch
	tracePreempt
	traceMigrate
	traceIdleEnter
	traceIdleLeave
	traceMark
	traceBlockKind
	traceExit
)

// record is one entry of the trace, 64 bytes.
type record struct {
	time     uint64
	sequence uint32
	kind     uint16
	cpu      uint16
	context  int32
	thread   int32
	args     [10]uint32
}

// ringSize is the number of records a CPU keeps.
const ringSize = 2048

// ring holds a CPU's newest records. Only its CPU writes it; it is dumped when
// the machine ends.
type ring struct {
	count   uint64
	records [ringSize]record
	spare   record // written instead while the dump is being made
}

// tracing says that a trace was asked for: only then are a spawn's candidates
// written, which would push everything else out of the ring.
var tracing bool

// frozen keeps the other CPUs, which go on running, from writing to their rings
// while these are dumped.
var frozen atomic.Bool

// next returns the record to fill in.
func (r *ring) next(c *perCPU, kind uint16, id process.ContextID) *record {
	e := &r.spare
	if !frozen.Load() {
		e = &r.records[r.count%ringSize]
	}
	*e = record{time: uint64(now()), sequence: uint32(r.count), kind: kind, cpu: uint16(c.id), context: int32(id)}
	if id != 0 {
		e.thread = int32(scheduler.Table.Context(id).Thread())
	}
	if e != &r.spare {
		r.count++
	}
	return e
}

func (r *ring) add(c *perCPU, kind uint16, id process.ContextID, a, b uint32) {
	e := r.next(c, kind, id)
	e.args[0], e.args[1] = a, b
}

func (c *perCPU) traceBlock(id process.ContextID, until time.Duration) {
	c.trace.add(c, traceBlockKind, id, uint32(until), uint32(until>>32))
}

// traceSpawn writes a placement and, before it, everything that it read.
func (c *perCPU) traceSpawn(id process.ContextID, thread process.ThreadID, r *sched.Request, p *sched.Placement) {
	if tracing {
		c.traceCandidates(id, thread)
	}
	e := c.trace.next(c, traceSpawn, id)
	e.thread = int32(thread)
	e.args[0] = uint32(p.CPU)
	copy(e.args[1:9], p.Key[:])
	e.args[9] = uint32(p.Start)<<16 | uint32(uint16(c.id))
	if r.Near {
		e.args[9] |= 1 << 31
	}
}

// spawnView returns where a placement leaves what it read: only a trace wants to know.
func (c *perCPU) spawnView() *sched.View {
	if !tracing {
		return nil
	}
	return &c.view
}

func (c *perCPU) traceCandidates(id process.ContextID, thread process.ThreadID) {
	v := &c.view
	for i := int32(0); i < v.N; i++ {
		raw := &v.CPUs[i]
		e := c.trace.next(c, traceCandidate, id)
		e.thread = int32(thread)
		e.args = [10]uint32{
			uint32(raw.CPU), raw.Load, uint32(raw.Idle), uint32(raw.Flags), uint32(raw.Homes),
			uint32(raw.CoreHomes), raw.Latency, uint32(v.Attempt), uint32(v.Homes), uint32(raw.Slowness),
		}
	}
}

// traceActions writes what the scheduler did by itself.
func (c *perCPU) traceActions(a *sched.Actions) {
	for i := int32(0); i < a.N; i++ {
		switch e := &a.Events[i]; e.Kind {
		case sched.EventKick:
			c.trace.add(c, traceKick, 0, uint32(e.To), uint32(e.Reason))
		case sched.EventPreempt:
			c.trace.add(c, tracePreempt, e.Context, 0, 0)
		case sched.EventMigrate:
			r := c.trace.next(c, traceMigrate, e.Context)
			r.args[0], r.args[1], r.args[2] = uint32(e.From), uint32(e.To), uint32(e.Reason)
		}
	}
}

// dumpTrace writes every ring to the second serial port, if a trace was asked
// for. A machine that fails while it does so goes on with no second one.
func dumpTrace() {
	if !tracing || !frozen.CompareAndSwap(false, true) {
		return
	}
	boot.OpenDump()
	dumpText("HTRC")
	dumpWord(1)
	dumpWord(uint32(onlineCount))
	dumpWord(ringSize)
	dumpWord(uint32(clock.Hz))
	dumpWord(uint32(clock.Hz >> 32))
	for id := 0; id < onlineCount; id++ {
		cpuAt(cpu.ID(id)).trace.dump(uint32(id))
	}
	dumpText("HEND")
}

func (r *ring) dump(id uint32) {
	count := r.count
	// A CPU that was about to write when the rings froze has overwritten the
	// oldest record, or does so now.
	kept := min(count, ringSize-1)
	dumpWord(id)
	dumpWord(uint32(kept))
	dumpWord(uint32(count - kept))
	dumpWord(uint32((count - kept) >> 32))
	for i := count - kept; i < count; i++ {
		at := uintptr(unsafe.Pointer(&r.records[i%ringSize]))
		for offset := uintptr(0); offset < unsafe.Sizeof(record{}); offset++ {
			boot.PutDump(*(*byte)(unsafe.Pointer(at + offset)))
		}
	}
}

func dumpText(text string) {
	for i := 0; i < len(text); i++ {
		boot.PutDump(text[i])
	}
}

func dumpWord(word uint32) {
	for shift := 0; shift < 32; shift += 8 {
		boot.PutDump(byte(word >> shift))
	}
}
