package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
)

// homesAre checks the counts of a CPU and its core.
func (r *rig) homesAre(c cpu.ID, onCPU, onCore int) {
	r.t.Helper()
	core := r.s.Topology.At[c].Core
	if got, of := r.s.Homes(image, c), r.s.CoreHomes(image, core); got != onCPU || of != onCore {
		r.t.Errorf("CPU %d is home to %d and its core to %d, want %d and %d", c, got, of, onCPU, onCore)
	}
}

// The machine is a core of two CPUs: what one is home to, its core is.
func TestAHomeIsCountedOnceAndEndsOnce(t *testing.T) {
	r := newRig(t, shape(t, "L(1)s2"))
	r.start(0, process.Fair)
	r.homesAre(0, 1, 1)
	r.homesAre(1, 0, 1)
	r.s.Vacate(0)
	r.homesAre(0, 0, 0)
	r.s.Vacate(0) // says nothing new
	r.homesAre(0, 0, 0)
	r.s.Exit(0, r.now)
	r.homesAre(0, 0, 0)
}

func TestAnExitTakesTheHomeAway(t *testing.T) {
	r := newRig(t, shape(t, "L(1)s2"))
	r.start(0, process.Fair)
	id := r.start(1, process.Fair)
	r.homesAre(1, 1, 2)
	r.s.Exit(1, r.now)
	r.homesAre(1, 0, 1)
	r.homesAre(0, 1, 1)
	r.s.setHome(id, 1) // its next life has one again, and nothing is left of the last
	r.homesAre(1, 1, 2)
}

func TestAServiceContextIsNeverAtHome(t *testing.T) {
	r := newRig(t, shape(t, "L(1)s2"))
	r.start(0, process.Fair)
	service := r.start(1, process.Service)
	r.homesAre(1, 0, 1)
	r.s.Vacate(1)
	r.homesAre(1, 0, 1)
	r.s.Exit(1, r.now)
	r.homesAre(1, 0, 1)
	if home := r.s.Table.Context(service).Home(); home != cpu.None {
		t.Errorf("after its exit its home is CPU %d", home)
	}
}

// A class may be Service although a thread runs on it: what the runtime locks.
func TestAThreadOfServiceClassIsNotAtHome(t *testing.T) {
	r := newRig(t, shape(t, "L(1)s2"))
	id := r.s.Table.NewContext(image, process.Service)
	r.s.Table.Occupy(r.s.Table.NewThread(image, process.Service, &[16]byte{}, false), id)
	m := only(1)
	r.place(0, Request{Context: id, Process: image, Mask: &m})
	if next := r.enter(1); next != id {
		t.Fatalf("CPU 1 runs %d", next)
	}
	r.homesAre(1, 0, 0)
}

func TestAViewTellsHowManyHomesThereAreInAll(t *testing.T) {
	r := newRig(t, shape(t, "L(4)"))
	r.start(0, process.Fair)
	r.start(1, process.Fair)
	r.start(2, process.Service)
	r.spawn(0)
	if r.v.Homes != 2 {
		t.Errorf("a near spawn saw %d homes, want 2", r.v.Homes)
	}
	r.place(0, Request{Context: r.context(process.Fair), Process: image})
	if r.v.Homes != 0 {
		t.Errorf("a stranger's spawn saw %d homes, want none", r.v.Homes)
	}
}
