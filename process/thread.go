package process

import "sync/atomic"

// Thread is what the table keeps of a thread.
type Thread struct {
	life    atomic.Uint64 // phase, joiner and exit code in one word; see life.go
	context atomic.Int32  // the context that it occupies, 0 none
	kind    atomic.Uint32 // process | class<<16
	weight  atomic.Uint32 // 0 for the default
	name    [2]atomic.Uint64
}

// Context returns the context that the thread occupies, 0 before it starts and
// once it has exited.
func (th *Thread) Context() ContextID { return ContextID(th.context.Load()) }

// Class returns the thread's class.
func (th *Thread) Class() Class { return Class(th.kind.Load() >> 16) }

// Weight returns the thread's weight.
func (th *Thread) Weight() uint32 { return weightOr(th.weight.Load()) }

func weightOr(w uint32) uint32 {
	if w == 0 {
		return DefaultWeight
	}
	return w
}

// Process returns the process that the thread belongs to.
func (th *Thread) Process() ID { return ID(th.kind.Load()) }

// Name copies the thread's name, padded with zeros, to name.
func (th *Thread) Name(name *[16]byte) {
	for i := range name {
		name[i] = byte(th.name[i>>3].Load() >> (uint(i) & 7 * 8))
	}
}

func (th *Thread) setName(name *[16]byte) {
	var words [2]uint64
	for i := range name {
		words[i>>3] |= uint64(name[i]) << (uint(i) & 7 * 8)
	}
	th.name[0].Store(words[0])
	th.name[1].Store(words[1])
}

// Thread returns the entry of id, nil if id is out of range or free.
func (t *Table) Thread(id ThreadID) *Thread {
	if id <= 0 || id > MaxThreads || phaseOf(t.threads[id].life.Load()) == free {
		return nil
	}
	return &t.threads[id]
}

// NewThread takes a free identity in p; 0 when all are taken, zombies among them.
// A detached thread frees itself when it exits. If no context is to be had for it,
// DropThread gives it back.
func (t *Table) NewThread(p ID, class Class, name *[16]byte, detached bool) ThreadID {
	id := ThreadID(t.freeThreads.pop(t.threadLinks[:]))
	if id == 0 {
		return 0
	}
	th := &t.threads[id]
	th.kind.Store(uint32(p) | uint32(class)<<16)
	th.weight.Store(0)
	th.setName(name)
	phase := alive
	if detached {
		phase = detachedAlive
	}
	th.life.Store(phase) // publishes the entry: pairs with the load in Thread
	return id
}

// SetWeight gives thread id a weight, from 1 to MaxWeight, or with 0 the default one.
// Call it before Occupy.
func (t *Table) SetWeight(id ThreadID, w uint32) {
	if w > MaxWeight {
		panic(&faultWeight)
	}
	t.threads[id].weight.Store(w)
}

// DropThread gives back an identity that never occupied a context and that nobody
// else has seen.
func (t *Table) DropThread(id ThreadID) {
	if t.threads[id].context.Load() != 0 {
		panic(&faultOccupied)
	}
	t.free(id)
}

// Occupy makes context c the one that thread id lives on: c takes its class and
// weight and begins with the mask of its process. c must carry no thread and must not be
// scheduled yet.
func (t *Table) Occupy(id ThreadID, c ContextID) {
	th, x := &t.threads[id], &t.contexts[c]
	if th.context.Load() != 0 || x.thread.Load() != 0 {
		panic(&faultOccupied)
	}
	x.setKind(th.Process(), th.Class())
	x.weight.Store(th.weight.Load())
	x.mask.inherit(&t.processes[th.Process()].mask)
	x.thread.Store(int32(id))
	th.context.Store(int32(c))
}

// vacate undoes Occupy: the context is the runtime's again.
func (t *Table) vacate(id ThreadID) {
	th := &t.threads[id]
	x := &t.contexts[th.context.Load()]
	th.context.Store(0)
	x.thread.Store(0)
	x.setKind(th.Process(), Service)
	x.weight.Store(0)
	x.mask.inherit(&t.processes[th.Process()].mask)
}

func (t *Table) free(id ThreadID) {
	t.threads[id].life.Store(free)
	t.freeThreads.push(t.threadLinks[:], uint32(id))
}
