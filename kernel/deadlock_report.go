package kernel

import (
	"hearth/boot"
	"hearth/process"
	"unsafe"
)

// waitersMost is how many threads a report of a deadlock lists.
const waitersMost = 64

// waiterCounts counts what a report does not list one by one.
type waiterCounts struct{ threads, carriers, service, events int }

// reportDeadlock writes who waits on what and ends the machine. The other CPUs
// sleep, but for their ticks.
func reportDeadlock() {
	ending.Store(true)
	consoleLock.lock()
	put("\nhearth: deadlock begin\ndeadlock: all CPUs are idle, no alarm is set, and every thread waits:\n")
	var w waiterCounts
	for id := process.ContextID(1); id <= process.MaxContexts; id++ {
		if scheduler.Table.Context(id).State() == process.Blocked {
			w.write(id)
		}
	}
	w.writeCounts()
	put("hearth: deadlock end\n")
	dumpTrace()
	boot.ExitDeadlock()
}

// write lists a blocked context that carries a thread, or waits for one, and counts
// any other.
func (w *waiterCounts) write(id process.ContextID) {
	x := contextAt(id)
	thread := scheduler.Table.Context(id).Thread()
	switch {
	case x.wait.kind == waitReserve:
		w.carriers++
		return
	case thread == 0 && x.wait.kind == waitEvents:
		w.events++
		return
	case thread == 0 && x.wait.kind != waitJoin:
		w.service++
		return
	}
	if w.threads++; w.threads > waitersMost {
		return
	}
	put("deadlock: ")
	if thread == 0 {
		put("a goroutine")
	} else {
		writeThread(thread)
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
	if w.threads > waitersMost {
		put("deadlock: and ")
		putDecimal(uint64(w.threads - waitersMost))
		put(" more\n")
	}
	put("deadlock: besides, ")
	putDecimal(uint64(w.carriers))
	put(" carriers wait in the reserve, ")
	putDecimal(uint64(w.service))
	put(" contexts of the Go runtime for work, ")
	putDecimal(uint64(w.events))
	put(" for events\n")
}
