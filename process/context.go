package process

import (
	"hearth/cpu"
	"sync/atomic"
)

// Context is what the table keeps of a context. All fields are single words that
// any CPU may load; State says who may change them.
type Context struct {
	state  atomic.Uint32
	home   atomic.Int32  // home CPU + 1, so that the zero value is none
	thread atomic.Int32  // the thread that occupies it, 0 none
	kind   atomic.Uint32 // process | class<<16: read together, written together
	weight atomic.Uint32 // of its thread, 0 for the default
	mask   affinity
}

// State returns the context's state.
func (x *Context) State() State { return State(x.state.Load()) }

// Home returns the CPU that owns the context while it is ready, running, blocked
// or in transit, cpu.None if it is new or exited.
func (x *Context) Home() cpu.ID { return cpu.ID(x.home.Load()) - 1 }

// SetHome makes c, or cpu.None, the home. Only the scheduler calls it, which keeps
// the counts of homes.
func (x *Context) SetHome(c cpu.ID) { x.home.Store(int32(c) + 1) }

// Thread returns the thread that occupies the context, 0 if none does.
func (x *Context) Thread() ThreadID { return ThreadID(x.thread.Load()) }

// Class returns the class of the context's thread, Service without one.
func (x *Context) Class() Class { return Class(x.kind.Load() >> 16) }

// Weight returns the weight of the context's thread, DefaultWeight without one.
func (x *Context) Weight() uint32 { return weightOr(x.weight.Load()) }

// Process returns the process that the context belongs to.
func (x *Context) Process() ID { return ID(x.kind.Load()) }

// Mask copies the affinity mask to m and reports whether somebody asked for it,
// false if it is the default.
func (x *Context) Mask(m *cpu.Mask) (chosen bool) { return x.mask.load(m) }

// HasMask reports whether somebody asked for the affinity mask.
func (x *Context) HasMask() bool { return x.mask.chosen.Load() != 0 }

// SetMask makes m the affinity mask. It moves nothing: the scheduler's SetMask
// does, and a spawn obeys it.
func (x *Context) SetMask(m *cpu.Mask) { x.mask.store(m, true) }

func (x *Context) setKind(p ID, class Class) { x.kind.Store(uint32(p) | uint32(class)<<16) }

// Context returns the entry of c, which must be from 1 to MaxContexts.
func (t *Table) Context(c ContextID) *Context { return &t.contexts[c] }

// NewContext takes a free context for p, without a thread, with p's mask and in
// state New; 0 when all are taken.
func (t *Table) NewContext(p ID, class Class) ContextID {
	c := ContextID(t.freeContexts.pop(t.contextLinks[:]))
	if c == 0 {
		return 0
	}
	x := &t.contexts[c]
	x.setKind(p, class)
	x.mask.inherit(&t.processes[p].mask)
	return c
}

// FreeContext gives back an exited context that carries no thread. Nothing may
// refer to it any more.
func (t *Table) FreeContext(c ContextID) {
	if t.contexts[c].thread.Load() != 0 {
		panic(&faultFreeBusy)
	}
	if !t.SetState(c, Exited, New) {
		panic(&faultFreeState)
	}
	t.freeContexts.push(t.contextLinks[:], uint32(c))
}

// DropContext gives back a context that NewContext returned and that nobody has
// started: nothing but the caller knows it.
func (t *Table) DropContext(c ContextID) {
	if t.contexts[c].State() != New || t.contexts[c].thread.Load() != 0 {
		panic(&faultFreeState)
	}
	t.freeContexts.push(t.contextLinks[:], uint32(c))
}
