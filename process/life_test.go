package process

import (
	"sync"
	"testing"
)

func newThread(t *testing.T, tab *Table, detached bool) (ThreadID, ContextID) {
	t.Helper()
	id := tab.NewThread(1, Fair, &[16]byte{'w'}, detached)
	c := tab.NewContext(1, Service)
	if id == 0 || c == 0 {
		t.Fatalf("thread %d, context %d: the tables are full", id, c)
	}
	tab.Occupy(id, c)
	return id, c
}

func TestAJoinAfterTheExitGetsTheCode(t *testing.T) {
	tab := newTable()
	id, c := newThread(t, tab, false)
	_, joiner := newThread(t, tab, false)
	if woken := tab.Exit(id, -7); woken != 0 {
		t.Errorf("the exit wakes context %d; nobody had joined", woken)
	}
	if tab.Context(c).Thread() != 0 || tab.Thread(id) == nil {
		t.Errorf("a zombie keeps its id and not its context")
	}
	if code, r := tab.Join(id, joiner); r != JoinDone || code != -7 {
		t.Errorf("join gives result %d, code %d", r, code)
	}
	if _, r := tab.Join(id, joiner); r != JoinNoThread || tab.Thread(id) != nil {
		t.Errorf("a second join gives %d", r)
	}
}

func TestAnExitNamesWhoJoinedBefore(t *testing.T) {
	tab := newTable()
	id, _ := newThread(t, tab, false)
	other, joiner := newThread(t, tab, false)
	_, late := newThread(t, tab, false)
	if _, r := tab.Join(id, joiner); r != JoinWait {
		t.Fatalf("join of a living thread gives %d", r)
	}
	if _, r := tab.Join(id, late); r != JoinRefused {
		t.Errorf("a second joiner gets %d, want a refusal", r)
	}
	if woken := tab.Exit(id, 9); woken != joiner {
		t.Errorf("the exit wakes context %d, want %d", woken, joiner)
	}
	if _, r := tab.Join(id, late); r != JoinRefused {
		t.Errorf("after the exit the second joiner gets %d, want a refusal", r)
	}
	if code := tab.Reap(id); code != 9 || tab.Thread(id) != nil || tab.Thread(other) == nil {
		t.Errorf("reaped with code %d", code)
	}
}

func TestAThreadCannotJoinItself(t *testing.T) {
	tab := newTable()
	id, c := newThread(t, tab, false)
	if _, r := tab.Join(id, c); r != JoinSelf {
		t.Errorf("got %d", r)
	}
}

func TestADetachedThreadIsNotJoinedAndFreesItself(t *testing.T) {
	tab := newTable()
	id, _ := newThread(t, tab, true)
	_, joiner := newThread(t, tab, false)
	if _, r := tab.Join(id, joiner); r != JoinRefused {
		t.Errorf("join gives %d, want a refusal", r)
	}
	if woken := tab.Exit(id, 1); woken != 0 || tab.Thread(id) != nil {
		t.Errorf("after its exit: wakes %d, entry %v", woken, tab.Thread(id))
	}
}

func TestIdsOutOfRangeAreNoThreads(t *testing.T) {
	tab := newTable()
	for _, id := range []ThreadID{-1, 0, 1, MaxThreads, MaxThreads + 1, 1 << 30} {
		if _, r := tab.Join(id, 1); r != JoinNoThread {
			t.Errorf("join of %d gives %d", id, r)
		}
	}
}

func TestAThreadExitsOnceAndIsReapedByItsJoiner(t *testing.T) {
	tab := newTable()
	id, _ := newThread(t, tab, false)
	tab.Exit(id, 0)
	for name, f := range map[string]func(){
		"second exit":          func() { tab.Exit(id, 0) },
		"reap without joining": func() { tab.Reap(id) },
	} {
		if !panics(f) {
			t.Errorf("a %s is let through", name)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// Both orders of an exit and a join that loaded the thread's life at the same time.
func TestAnExitAndAJoinThatRaceMeet(t *testing.T) {
	tab := newTable()
	id, _ := newThread(t, tab, false)
	_, joiner := newThread(t, tab, false)
	th := tab.Thread(id)
	life := th.life.Load()
	if !th.register(life, joiner) || th.end(life, 3) {
		t.Error("the exit overlooked a joiner that was faster")
	}
	if woken := tab.Exit(id, 3); woken != joiner {
		t.Errorf("loading again, the exit wakes %d, want %d", woken, joiner)
	}

	id, _ = newThread(t, tab, false)
	th = tab.Thread(id)
	life = th.life.Load()
	if !th.end(life, 4) || th.register(life, joiner) {
		t.Error("the join overlooked an exit that was faster")
	}
	if code, r := tab.Join(id, joiner); r != JoinDone || code != 4 {
		t.Errorf("loading again, the join gives %d with code %d", r, code)
	}
}

func TestOneOfTwoJoinersThatRaceGetsAZombie(t *testing.T) {
	tab := newTable()
	id, _ := newThread(t, tab, false)
	tab.Exit(id, 0)
	life := tab.Thread(id).life.Load()
	if !tab.claimZombie(id, life, 5) || tab.claimZombie(id, life, 6) {
		t.Error("both joiners got it")
	}
}

// The same with real goroutines, for the race detector.
func TestExitsAndJoinsRaceCleanly(t *testing.T) {
	tab := newTable()
	_, joiner := newThread(t, tab, false)
	for round := range 500 {
		id, c := newThread(t, tab, false)
		var woken ContextID
		var got int32
		var r JoinResult
		var wg sync.WaitGroup
		wg.Go(func() { woken = tab.Exit(id, int32(round)) })
		wg.Go(func() { got, r = tab.Join(id, joiner) })
		wg.Wait()
		switch {
		case r == JoinWait && woken == joiner:
			got = tab.Reap(id)
		case r != JoinDone || woken != 0:
			t.Fatalf("round %d: the join gives %d and the exit wakes %d", round, r, woken)
		}
		if got != int32(round) || tab.Thread(id) != nil {
			t.Fatalf("round %d: code %d", round, got)
		}
		tab.contexts[c].state.Store(uint32(Exited))
		tab.FreeContext(c)
	}
}
