package kernel

import (
	"hearth/boot"
	"hearth/process"
	"unsafe"
)

// waitersMost is how many waiters a report of a deadlock lists.
const waitersMost = 64

// waiterCounts counts what a report does not list one by one.
type waiterCounts struct{ threads, others, carriers, events int }

// reportDeadlock writes who waits on what and ends the machine. The other CPUs
// sleep, but for their ticks.
func reportDeadlock() {
	ending.Store(true)
	consoleLock.lock()
	put("\nhearth: deadlock begin\ndeadlock: all CPUs are idle, no alarm is set, and every thread waits:\n")
	var w waiterCounts
	w.writeAll(true)
	w.writeAll(false)
	w.writeCounts()
	put("hearth: deadlock end\n")
	dumpTrace()
	boot.ExitDeadlock()
}

// writeAll lists the blocked contexts that surely wait for the program, or else the
// others: a wait without a thread may be an idle M's of the Go runtime or a
// goroutine's own, which the kernel cannot tell apart.
func (w *waiterCounts) writeAll(certain bool) {
	for id := process.ContextID(1); id <= process.MaxContexts; id++ {
		x, thread := contextAt(id), scheduler.Table.Context(id).Thread()
		isCertain := thread != 0 || x.wait.kind == waitJoin
		if scheduler.Table.Context(id).State() == process.Blocked && isCertain == certain {
			w.write(id, x, thread)
		}
	}
}

// count counts a waiter and reports whether there is room to list it.
func (w *waiterCounts) count(certain bool) bool {
	if certain {
		w.threads++
	} else {
		w.others++
	}
	return w.threads+w.others <= waitersMost
}

// unlisted returns how many of n waiters, counted behind others, were not listed.
func unlisted(n, others int) int { return max(min(n, n+others-waitersMost), 0) }

// write lists a blocked context, or counts it.
func (w *waiterCounts) write(id process.ContextID, x *context, thread process.ThreadID) {
	switch {
	case x.wait.kind == waitReserve:
		w.carriers++
		return
	case thread == 0 && x.wait.kind == waitEvents:
		w.events++
		return
	}
	if !w.count(thread != 0 || x.wait.kind == waitJoin) {
		return
	}
	put("deadlock: ")
	switch {
	case thread != 0:
		writeThread(thread)
	case x.wait.kind == waitJoin:
		put("a goroutine")
	default:
		put("a goroutine, or an idle M of the Go runtime,")
	}
	put(" on context ")
	putDecimal(uint64(id))
	writeWait(x)
	put("\n")
}

func writeThread(id process.ThreadID) {
	put("thread ")
	putDecimal(uint64(id))
	var name [16]byte
	scheduler.Table.Thread(id).Name(&name)
	if name[0] != 0 {
		put(" \"")
		for i := 0; i < len(name) && name[i] != 0; i++ {
			boot.PutConsole(name[i])
		}
		put("\"")
	}
	put(" home ")
	putSigned(int64(scheduler.Table.Context(scheduler.Table.Thread(id).Context()).Home()))
}

// writeWait writes what a context waits on.
func writeWait(x *context) {
	switch x.wait.kind {
	case waitFutex:
		put(" waits on the futex at ")
		putHex(uint64(x.wait.address))
		if word := futexWord(x.wait.address); uintptr(unsafe.Pointer(word)) != 0 {
			put(", which holds ")
			putDecimal(uint64(word.Load()))
		}
	case waitJoin:
		put(" waits for the end of thread ")
		putDecimal(uint64(x.wait.thread))
	case waitEvents:
		put(" waits for events")
	default:
		put(" sleeps")
	}
}

// writeCounts tells what was not listed.
func (w *waiterCounts) writeCounts() {
	if n := unlisted(w.threads, 0); n > 0 {
		put("deadlock: and ")
		putDecimal(uint64(n))
		put(" more\n")
	}
	put("deadlock: besides, ")
	putDecimal(uint64(w.carriers))
	put(" carriers wait in the reserve, ")
	putDecimal(uint64(unlisted(w.others, w.threads)))
	put(" contexts without a thread on futexes, ")
	putDecimal(uint64(w.events))
	put(" for events\n")
}
