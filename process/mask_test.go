package process

import (
	"hearth/cpu"
	"sync"
	"testing"
)

func TestAContextBeginsWithTheMaskOfItsProcess(t *testing.T) {
	tab := newTable()
	var m, got cpu.Mask
	c := tab.NewContext(1, Service)
	if chosen := tab.Context(c).Mask(&got); chosen || got.Count() != cpu.Max {
		t.Errorf("the default is %v, chosen %v; want all CPUs, not chosen", &got, chosen)
	}
	m.Set(5)
	tab.SetProcessMask(1, &m)
	c = tab.NewContext(1, Service)
	if chosen := tab.Context(c).Mask(&got); !chosen || !got.Equal(&m) {
		t.Errorf("after a change of the process's mask: %v, chosen %v", &got, chosen)
	}
	if tab.ProcessMask(2, &got); got.Count() != cpu.Max {
		t.Errorf("another process has %v", &got)
	}
}

func TestAThreadDoesNotInheritTheMaskOfTheOneBefore(t *testing.T) {
	tab := newTable()
	var m, got cpu.Mask
	m.Set(3)
	c := tab.NewContext(1, Service)
	id := tab.NewThread(1, Fair, &[16]byte{}, false)
	tab.Occupy(id, c)
	tab.Context(c).SetMask(&m)
	tab.Exit(id, 0)
	if tab.Context(c).Mask(&got); got.Count() != cpu.Max {
		t.Errorf("after the exit the context has %v", &got)
	}
	tab.Context(c).SetMask(&m)
	tab.Occupy(tab.NewThread(1, Fair, &[16]byte{}, false), c)
	if tab.Context(c).Mask(&got); got.Count() != cpu.Max {
		t.Errorf("the next thread has %v", &got)
	}
}

func TestWritersOfAMaskTakeTurns(t *testing.T) {
	var a affinity
	v := a.version.Load()
	if !a.tryLock(v) || a.tryLock(v) || a.tryLock(a.version.Load()) {
		t.Error("two writers are at work at once")
	}
}

func TestAReaderOfAMaskBeginsAgainIfAWriterWasAtWork(t *testing.T) {
	var a affinity
	v := a.version.Load()
	if !a.whole(v) {
		t.Error("a mask that nobody writes is not whole")
	}
	locked := a.lock() + 1
	if a.whole(v) || a.whole(locked) {
		t.Error("a half-written mask passes for whole")
	}
	a.version.Store(locked + 1)
	if a.whole(v) || a.whole(locked) {
		t.Error("what was read while a writer worked passes for whole")
	}
}

// The writers write masks of all CPUs and of none; a reader that sees anything else
// saw half a change.
func TestReadersSeeWholeMasks(t *testing.T) {
	tab := newTable()
	x := tab.Context(1)
	var none, all cpu.Mask
	all.SetAll(cpu.Max)
	x.SetMask(&all)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for range 2_000 {
				x.SetMask(&none)
				x.SetMask(&all)
			}
		})
	}
	for range 1_000 {
		var m cpu.Mask
		x.Mask(&m)
		if n := m.Count(); n != 0 && n != cpu.Max {
			t.Fatalf("a reader saw %d CPUs", n)
		}
	}
	wg.Wait()
}
