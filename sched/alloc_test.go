package sched

import (
	"hearth/cpu"
	"hearth/process"
	"testing"
	"time"
)

func TestAThreadsLifeAllocatesNothing(t *testing.T) {
	r := newRig(t, shape(t, "L(2,2)s2"))
	r.start(0, process.Fair)
	var name [16]byte
	tab := &r.s.Table
	carrier := r.start(1, process.Fair)
	r.s.Vacate(1)
	tab.Exit(tab.Context(carrier).Thread(), 0)
	r.s.Block(1, r.now, -1)
	r.enter(1)
	m := only(1, 2, 3)
	req := Request{Process: image, Near: true, Mask: &m}
	if n := testing.AllocsPerRun(100, func() {
		id := tab.NewThread(image, process.Fair, &name, true)
		tab.Occupy(id, carrier)
		req.Context = carrier
		p, _ := r.s.Spawn(0, r.now, &req, &r.v, &r.a)
		r.enter(p.CPU)
		r.s.Block(p.CPU, r.now, r.now+time.Hour)
		r.enter(p.CPU)
		r.s.Wake(0, r.now, carrier, &r.a)
		r.enter(p.CPU)
		r.s.Yield(p.CPU, r.now)
		r.enter(p.CPU)
		r.s.Vacate(p.CPU)
		tab.Exit(id, 0)
		r.s.Block(p.CPU, r.now, -1)
		r.enter(p.CPU)
		r.a.Reset()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func benchmarkPlace(b *testing.B, machine string, near bool) {
	top, err := cpu.ParseShape(machine)
	if err != nil {
		b.Fatal(err)
	}
	s := new(Scheduler)
	s.Init(top)
	var a Actions
	for c := range cpu.ID(top.Count) {
		s.Online(c, 0)
		s.Pass(c, 0, &a)
		s.EnterIdle(c, 0, &a)
	}
	id := s.Table.NewContext(image, process.Service)
	s.LeaveIdle(0, 0)
	s.Start(0, id, 0)
	req := Request{Context: s.Table.NewContext(image, process.Service), Process: image, Near: near}
	v := new(View)
	b.ReportAllocs()
	for b.Loop() {
		s.Place(0, 0, &req, v)
	}
}

func BenchmarkPlace8(b *testing.B)    { benchmarkPlace(b, "L(2,2)s2", true) }
func BenchmarkPlace64(b *testing.B)   { benchmarkPlace(b, "L(8)x4s2", true) }
func BenchmarkPlace256(b *testing.B)  { benchmarkPlace(b, "L(8)x16s2", true) }
func BenchmarkPlace1024(b *testing.B) { benchmarkPlace(b, "L(8)x64s2", true) }

func BenchmarkWakeAndRun(b *testing.B) {
	top, _ := cpu.ParseShape("L(2,2)s2")
	s := new(Scheduler)
	s.Init(top)
	var a Actions
	for c := range cpu.ID(top.Count) {
		s.Online(c, 0)
	}
	id := s.Table.NewContext(image, process.Service)
	s.Start(0, id, 0)
	for b.Loop() {
		s.Block(0, 0, -1)
		s.Pass(0, 0, &a)
		s.Wake(0, 0, id, &a)
		s.Pass(0, 0, &a)
		a.Reset()
	}
}
