package process

// A thread's life is one word, so that its end, its exit code and its joiner are
// decided by single compare-and-swaps:
//
//	bits 0-7 phase, bits 8-31 joiner (a ContextID, 0 none), bits 32-63 exit code
const (
	free          uint64 = iota
	alive                // may be joined
	detachedAlive        // frees itself
	zombie               // exited; its code waits for the joiner
)

func phaseOf(life uint64) uint64     { return life & 0xff }
func joinerOf(life uint64) ContextID { return ContextID(life >> 8 & 0xffffff) }
func codeOf(life uint64) int32       { return int32(uint32(life >> 32)) }
func withJoiner(c ContextID) uint64  { return uint64(c) << 8 }
func withCode(life uint64, code int32) uint64 {
	return life | uint64(uint32(code))<<32
}

// JoinResult says what became of a Join.
type JoinResult uint8

const (
	// JoinDone: the thread had exited; its code is returned and its id is free.
	JoinDone JoinResult = iota
	// JoinWait: the joiner is registered; the exit will name it.
	JoinWait
	// JoinNoThread: there is no such thread.
	JoinNoThread
	// JoinRefused: the thread is detached or joined by another.
	JoinRefused
	// JoinSelf: the joiner would wait for itself.
	JoinSelf
)

// Exit ends thread id with code: its context carries no thread any more, and then
// the end is visible to joiners. It returns the context to wake, which will call
// Reap, or 0. A detached thread is freed at once.
func (t *Table) Exit(id ThreadID, code int32) (joiner ContextID) {
	th := &t.threads[id]
	if phase := phaseOf(th.life.Load()); phase != alive && phase != detachedAlive {
		panic(&faultExitTwice)
	}
	if th.context.Load() != 0 {
		t.vacate(id)
	}
	for {
		life := th.life.Load()
		if phaseOf(life) == detachedAlive {
			t.free(id)
			return 0
		}
		joiner = joinerOf(life)
		if th.end(life, code) {
			return joiner
		}
	}
}

// Join waits for thread id on behalf of context joiner, which the caller has set
// Blocked before, since after JoinWait the exit may wake it at any time. On every
// other result nobody has seen the wait.
func (t *Table) Join(id ThreadID, joiner ContextID) (code int32, r JoinResult) {
	th := t.Thread(id)
	if th == nil {
		return 0, JoinNoThread
	}
	if t.contexts[joiner].Thread() == id {
		return 0, JoinSelf
	}
	for {
		life := th.life.Load()
		phase := phaseOf(life)
		switch {
		case phase == free:
			return 0, JoinNoThread
		case phase == detachedAlive || joinerOf(life) != 0:
			return 0, JoinRefused
		case phase == alive:
			if th.register(life, joiner) {
				return 0, JoinWait
			}
		default:
			if t.claimZombie(id, life, joiner) {
				return codeOf(life), JoinDone
			}
		}
	}
}

// end makes the thread a zombie, and register gives it a joiner, each if its life is
// still as the caller loaded it. The two compare-and-swaps pair with each other:
// whichever is second fails, and finds the other's result when it loads again. So
// either the joiner finds the zombie or the exit finds the joiner.
func (th *Thread) end(life uint64, code int32) bool {
	return th.life.CompareAndSwap(life, withCode(zombie|withJoiner(joinerOf(life)), code))
}

func (th *Thread) register(life uint64, joiner ContextID) bool {
	return th.life.CompareAndSwap(life, life|withJoiner(joiner))
}

// claimZombie makes joiner the one who frees the zombie id, and frees it; false if
// another joiner was faster.
func (t *Table) claimZombie(id ThreadID, life uint64, joiner ContextID) bool {
	if !t.threads[id].register(life, joiner) {
		return false
	}
	t.free(id)
	return true
}

// Reap frees the exited thread id on behalf of its joiner, after the wake that
// Exit asked for, and returns its exit code.
func (t *Table) Reap(id ThreadID) (code int32) {
	life := t.threads[id].life.Load()
	if phaseOf(life) != zombie || joinerOf(life) == 0 {
		panic(&faultReap)
	}
	t.free(id)
	return codeOf(life)
}
