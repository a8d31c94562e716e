package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
)

func TestASpawnedThreadStartsOnAFreeCoreInItsSpawnersLLC(t *testing.T) {
	r := newRig(t, crossed())
	r.start(1, process.Fair)
	if p := r.spawn(1); p.CPU != 3 {
		t.Errorf("placed on CPU %d with key %v, want 3", p.CPU, p.Key)
	}
}

func TestASpawnedThreadPassesOverCPUsItsSiblingsCallHome(t *testing.T) {
	r := newRig(t, crossed())
	r.start(1, process.Fair)
	r.start(3, process.Fair)
	r.park(3)
	if p := r.spawn(1); p.CPU != 0 {
		t.Errorf("placed on CPU %d with key %v, want 0", p.CPU, p.Key)
	}
}

// siblings makes contexts, newest first, with these homes.
func siblings(t *process.Table, homes ...cpu.ID) []process.ContextID {
	var newest []process.ContextID
	for _, c := range homes {
		id := t.NewContext(image, process.Fair)
		t.Context(id).SetHome(c)
		newest = append(newest, id)
	}
	return newest
}

func TestHomesStopOnceTheyCoverTheMask(t *testing.T) {
	tab := new(process.Table)
	tab.Init()
	cover := only(0, 2)
	var found cpu.Mask
	read := WalkHomes(tab, siblings(tab, 2, 5, 2, 0, 1, 3), &cover, &found)
	if read != 4 || !found.Equal(&cover) {
		t.Errorf("read %d siblings and found %v, want 4 and %v", read, &found, &cover)
	}
}

func TestHomesReadAtMostTheirBound(t *testing.T) {
	tab := new(process.Table)
	tab.Init()
	homes := make([]cpu.ID, WalkLimit+1)
	homes[WalkLimit] = 7
	cover := only(0, 7)
	var found cpu.Mask
	if read := WalkHomes(tab, siblings(tab, homes...), &cover, &found); read != 64 || found.Has(7) {
		t.Errorf("read %d siblings and found %v, want 64 and not the 65th's", read, &found)
	}
}

func TestAnEmptyMaskNeedsNoHomes(t *testing.T) {
	tab := new(process.Table)
	tab.Init()
	var none, found cpu.Mask
	if read := WalkHomes(tab, siblings(tab, 1), &none, &found); read != 0 || !found.IsEmpty() {
		t.Errorf("read %d siblings and found %v", read, &found)
	}
}

func TestSiblingsWithoutAHomeAreReadAndFindNothing(t *testing.T) {
	tab := new(process.Table)
	tab.Init()
	cover := only(1, 2)
	var found cpu.Mask
	want := only(1)
	if read := WalkHomes(tab, siblings(tab, cpu.None, 1, 9), &cover, &found); read != 3 || !found.Equal(&want) {
		t.Errorf("read %d siblings and found %v, want 3 and %v", read, &found, &want)
	}
}
