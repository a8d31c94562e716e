package sys

import (
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// TestIndexStackHandsEachNumberToOneTaker holds each number between pop and push.
func TestIndexStackHandsEachNumberToOneTaker(t *testing.T) {
	const n = 3 // few numbers, so that they leave and come back under a slow pop
	s := newFullStack(n)
	var held [n + 1]atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20000 {
				i := s.pop()
				if i == 0 {
					continue
				}
				if held[i].Add(1) != 1 {
					t.Errorf("number %d was handed out twice", i)
				}
				held[i].Add(-1)
				s.push(i)
			}
		})
	}
	all.Wait()
	for want := range n {
		if s.pop() == 0 {
			t.Fatalf("%d numbers are left of %d", want, n)
		}
	}
	if i := s.pop(); i != 0 {
		t.Errorf("an empty stack gave %d", i)
	}
}

// A pop that slept between its load and its swap must not succeed on a number that
// has left and come back: the one below may be gone.
func TestIndexStackHeadThatCameBackIsAnotherHead(t *testing.T) {
	s := newFullStack(3)
	stale := s.head.Load()
	first := s.pop()
	s.pop()
	s.push(first)
	if s.head.CompareAndSwap(stale, stale) {
		t.Error("a stale pop would hand out a number that somebody holds")
	}
}

func TestIndexStackGivesTheLastFirst(t *testing.T) {
	s := newIndexStack(5)
	for i := range int32(5) {
		s.push(i + 1)
	}
	for want := int32(5); want >= 0; want-- {
		if got := s.pop(); got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	}
}

func TestGTableFindsWhatWasAddedAndNotRemoved(t *testing.T) {
	table := new(gTable)
	// Descriptors that meet in a few slots, and times that fill the table with removed ones.
	g := func(i int) uintptr { return uintptr(0xc000000000 + i*0x1c0) }
	for round := range 4 {
		for i := range tableSlots {
			table.add(g(i+round*tableSlots), int32(i+1))
		}
		for i := range tableSlots {
			if got := table.find(g(i + round*tableSlots)); got != int32(i+1) {
				t.Fatalf("round %d: descriptor %d has index %d", round, i, got)
			}
		}
		if got := table.find(g(-1)); got != 0 {
			t.Fatalf("an unknown descriptor has index %d", got)
		}
		for i := range tableSlots {
			table.remove(g(i + round*tableSlots))
			if got := table.find(g(i + round*tableSlots)); got != 0 {
				t.Fatalf("round %d: a removed descriptor has index %d", round, got)
			}
		}
	}
	for i := range table.slots {
		if table.slots[i].g.Load() != 0 {
			t.Fatalf("slot %d of the emptied table is not free", i)
		}
	}
}

func TestGTableFindsPastARemovedEntry(t *testing.T) {
	table := new(gTable)
	first, second := uintptr(0xc000000000), uintptr(0xc000000000)
	for second == first || slotOf(second) != slotOf(first) {
		second += 8
	}
	table.add(first, 1)
	table.add(second, 2)
	table.remove(first)
	if got := table.find(second); got != 2 {
		t.Errorf("found %d behind a removed entry, want 2", got)
	}
}

func TestGTableFindsWhileOthersComeAndGo(t *testing.T) {
	table := new(gTable)
	const stays = uintptr(0xc000123456)
	table.add(stays, 7)
	var stop atomic.Bool
	var all sync.WaitGroup
	for worker := range 2 {
		all.Go(func() {
			for i := 0; !stop.Load(); i++ {
				g := uintptr(0xc000000000 + (worker*64+i%64)*0x1c0)
				table.add(g, 1)
				table.remove(g)
			}
		})
	}
	for range 200000 {
		if got := table.find(stays); got != 7 {
			t.Errorf("found %d, want 7", got)
			break
		}
	}
	stop.Store(true)
	all.Wait()
}

// The kernel reads and writes these by offset.
func TestRecordsHaveTheKernelsLayout(t *testing.T) {
	var a spawnArgs
	var p parkResult
	var r infoRecord
	for _, f := range []struct {
		name      string
		got, want uintptr
	}{
		{"spawnArgs", unsafe.Sizeof(a), 104},
		{"spawnArgs.class", unsafe.Offsetof(a.class), 12},
		{"spawnArgs.flags", unsafe.Offsetof(a.flags), 16},
		{"spawnArgs.mask", unsafe.Offsetof(a.mask), 24},
		{"spawnArgs.name", unsafe.Offsetof(a.name), 40},
		{"spawnArgs.cpu", unsafe.Offsetof(a.cpu), 56},
		{"spawnArgs.key", unsafe.Offsetof(a.key), 64},
		{"spawnArgs.cores", unsafe.Offsetof(a.cores), 96},
		{"spawnArgs.toward", unsafe.Offsetof(a.toward), 100},
		{"parkResult", unsafe.Sizeof(p), 16},
		{"parkResult.thread", unsafe.Offsetof(p.thread), 8},
		{"cpuRecord", unsafe.Sizeof(cpuRecord{}), 24},
		{"threadInfo", unsafe.Sizeof(threadRecordOut{}), 16},
		{"infoRecord.bootNs", unsafe.Offsetof(r.bootNs), 16},
		{"infoRecord", unsafe.Sizeof(r), 40},
		{"Stats", unsafe.Sizeof(Stats{}), 13 * 8},
		{"Memory", unsafe.Sizeof(Memory{}), 7 * 8},
		{"Mask", unsafe.Sizeof(Mask{}), 128},
	} {
		if f.got != f.want {
			t.Errorf("%s: %d, want %d", f.name, f.got, f.want)
		}
	}
}
