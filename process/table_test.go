package process

import "testing"

func TestTheFirstIdsAreTheLowest(t *testing.T) {
	tab := newTable()
	if c, id := tab.NewContext(1, Service), tab.NewThread(1, Fair, &[16]byte{}, false); c != 1 || id != 1 {
		t.Errorf("context %d, thread %d", c, id)
	}
}

func TestFullTablesRefuseAndNothingLeaks(t *testing.T) {
	tab := newTable()
	for round := range 3 {
		var ids []ThreadID
		var name [16]byte
		for id := tab.NewThread(1, Fair, &name, round == 1); id != 0; id = tab.NewThread(1, Fair, &name, round == 1) {
			ids = append(ids, id)
		}
		if len(ids) != MaxThreads {
			t.Fatalf("round %d: %d threads, want %d", round, len(ids), MaxThreads)
		}
		for _, id := range ids {
			tab.Exit(id, 0)
			if round != 1 {
				tab.Join(id, 1)
			}
		}
	}
	for range 2 {
		n := 0
		for tab.NewContext(1, Service) != 0 {
			n++
		}
		if n != MaxContexts {
			t.Fatalf("%d contexts, want %d", n, MaxContexts)
		}
		for c := ContextID(1); c <= MaxContexts; c++ {
			tab.contexts[c].state.Store(uint32(Exited))
			tab.FreeContext(c)
		}
	}
}

func TestZombiesHoldTheirIds(t *testing.T) {
	tab := newTable()
	for range MaxThreads {
		tab.Exit(tab.NewThread(1, Fair, &[16]byte{}, false), 0)
	}
	if id := tab.NewThread(1, Fair, &[16]byte{}, false); id != 0 {
		t.Errorf("thread %d was given out while all are zombies", id)
	}
	tab.Join(77, 1)
	if id := tab.NewThread(1, Fair, &[16]byte{}, false); id != 77 {
		t.Errorf("got thread %d, want the one that was joined", id)
	}
}

func TestTheReserveGivesTheLastParkedOfItsProcess(t *testing.T) {
	tab := newTable()
	for c := ContextID(1); c <= 3; c++ {
		tab.PushReserve(ID(1+c%2), c)
	}
	for _, want := range []ContextID{2, 0} {
		if got := tab.PopReserve(1); got != want {
			t.Errorf("process 1: got %d, want %d", got, want)
		}
	}
	if got := tab.PopReserve(2); got != 3 {
		t.Errorf("process 2: got %d, want 3", got)
	}
}

func TestAThreadShowsWhatItWasMadeWith(t *testing.T) {
	tab := newTable()
	name := [16]byte{'w', 'r', 'i', 't', 'e', 'r', ' ', 'n', 'u', 'm', 'b', 'e', 'r', ' ', '1', '6'}
	id := tab.NewThread(7, RealTime, &name, false)
	c := tab.NewContext(7, Service)
	tab.Occupy(id, c)
	th, x := tab.Thread(id), tab.Context(c)
	var got [16]byte
	if th.Name(&got); got != name || th.Process() != 7 || th.Class() != RealTime || th.Context() != c {
		t.Errorf("thread: name %q, process %d, class %d, context %d", got, th.Process(), th.Class(), th.Context())
	}
	if x.Class() != RealTime || x.Thread() != id || x.Process() != 7 {
		t.Errorf("context: class %d, thread %d, process %d", x.Class(), x.Thread(), x.Process())
	}
	if tab.Exit(id, 0); x.Class() != Service || th.Context() != 0 {
		t.Errorf("after the exit the context has class %d, the thread context %d", x.Class(), th.Context())
	}
}

func TestMisuseStopsTheMachine(t *testing.T) {
	tab := newTable()
	id, c := newThread(t, tab, false)
	for name, f := range map[string]func(){
		"context in the reserve with its thread": func() { tab.PushReserve(1, c) },
		"context freed with its thread":          func() { tab.FreeContext(c) },
		"context freed in state New":             func() { tab.FreeContext(9) },
		"thread on two contexts":                 func() { tab.Occupy(id, 9) },
		"context with two threads":               func() { tab.Occupy(9, c) },
		"thread dropped that has a context":      func() { tab.DropThread(id) },
	} {
		if !panics(f) {
			t.Errorf("a %s is let through", name)
		}
	}
}

func TestThreadLifeAllocatesNothing(t *testing.T) {
	tab := newTable()
	name := [16]byte{}
	joiner := tab.NewContext(1, Service)
	c := tab.NewContext(1, Service)
	tab.contexts[c].state.Store(uint32(Blocked))
	tab.PushReserve(1, c)
	if n := testing.AllocsPerRun(100, func() {
		id := tab.NewThread(1, Fair, &name, false)
		c := tab.PopReserve(1)
		tab.Occupy(id, c)
		tab.Exit(id, 1)
		tab.PushReserve(1, c)
		tab.Join(id, joiner)
	}); n != 0 {
		t.Errorf("%v allocations a life", n)
	}
}
