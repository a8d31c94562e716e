package sched

import (
	"hearth/cpu"
	"hearth/process"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// parallel is a machine whose CPUs are goroutines: what the simulator cannot show,
// since its steps never overlap. Resident contexts hand tokens round a ring, change
// each other's masks and spawn short threads.
type parallel struct {
	t    *testing.T
	s    *Scheduler
	cpus []parallelCPU
	ring []process.ContextID
	// tokens of a context: how many it may still take, or asleep.
	tokens [process.MaxContexts + 1]atomic.Int32
	owner  [process.MaxContexts + 1]atomic.Int32 // CPU + 1 that runs it
	hops   atomic.Int64
	ended  atomic.Int64
	target int64
	done   chan struct{}
	once   sync.Once
}

type parallelCPU struct {
	kick   chan struct{}
	random uint64
	v      View
	a      Actions
}

const asleep = -1

func TestNoWakeIsLostOnRealGoroutines(t *testing.T) { hopOnGoroutines(t, 0) }

// A wake to a CPU that polls comes without a kick, also at the moment when it halts.
func TestNoWakeIsLostOnRealGoroutinesThatPoll(t *testing.T) {
	if s := hopOnGoroutines(t, time.Millisecond); s.Total(Polls) == 0 || s.Total(Halts) == 0 {
		t.Errorf("%d polls, %d halts: the run proves too little", s.Total(Polls), s.Total(Halts))
	}
}

func hopOnGoroutines(t *testing.T, poll time.Duration) *Scheduler {
	t.Helper()
	p := &parallel{t: t, s: new(Scheduler), target: 20_000, done: make(chan struct{})}
	if testing.Short() {
		p.target = 4_000
	}
	p.s.Init(shape(t, "L(2,2)"))
	p.s.SetPollBudget(poll)
	p.cpus = make([]parallelCPU, 4)
	for c := range p.cpus {
		p.cpus[c].kick = make(chan struct{}, 1)
		p.cpus[c].random = uint64(c) + 1
		p.s.Online(cpu.ID(c), 0)
	}
	for i := range 6 {
		id := p.s.Table.NewContext(image, process.Service)
		p.s.Table.Occupy(p.s.Table.NewThread(image, process.Fair, &[16]byte{}, false), id)
		p.ring = append(p.ring, id)
		if i < 3 {
			p.tokens[id].Store(1)
		}
		p.s.Spawn(0, 0, &Request{Context: id, Process: image, Near: true}, &p.cpus[0].v, &p.cpus[0].a)
	}
	var wg sync.WaitGroup
	for c := range p.cpus {
		wg.Go(func() { p.run(cpu.ID(c)) })
	}
	ended := make(chan struct{})
	go func() { wg.Wait(); close(ended) }()
	p.watch(ended)
	if p.ended.Load() == 0 || p.s.Total(Migrations) == 0 {
		t.Errorf("%d threads ended, %d migrations: the run proves too little", p.ended.Load(), p.s.Total(Migrations))
	}
	return p.s
}

// watch waits for the end, as long as tokens hop.
func (p *parallel) watch(ended chan struct{}) {
	p.t.Helper()
	for last := int64(-1); ; {
		select {
		case <-ended:
			return
		case <-time.After(10 * time.Second):
		}
		now := p.hops.Load()
		if now == last {
			break
		}
		last = now
	}
	for c := range p.cpus {
		p.t.Logf("CPU %d: %+v", c, p.s.Look(cpu.ID(c)))
	}
	p.t.Fatalf("the machine stands still after %d of %d hops", p.hops.Load(), p.target)
}

// run is the kernel of c: passes, contexts, sleep.
func (p *parallel) run(c cpu.ID) {
	v := &p.cpus[c]
	for now := time.Duration(0); p.hops.Load() < p.target; now += time.Microsecond {
		next, _ := p.s.Pass(c, now, &v.a)
		p.send(v)
		if next != 0 {
			p.user(c, now, next)
			p.send(v)
			continue
		}
		if p.next(c)%2 == 0 {
			runtime.Gosched() // others post between the pass and the sleep
		}
		halt := p.s.EnterIdle(c, now, &v.a)
		p.send(v)
		if !halt {
			continue
		}
		if until, _ := p.s.Idling(c); until != 0 && !p.poll(c, now) {
			p.s.LeaveIdle(c, now)
			continue
		}
		select {
		case <-v.kick:
		case <-p.done:
			return
		}
		p.s.LeaveIdle(c, now)
	}
	p.once.Do(func() { close(p.done) })
}

// poll looks at the inbox of c some times; true: nothing came, and c halts.
func (p *parallel) poll(c cpu.ID, now time.Duration) bool {
	for range p.next(c) % 64 {
		if p.s.Polled(c) {
			return false
		}
		runtime.Gosched()
	}
	return p.s.StopPolling(c, now)
}

func (p *parallel) send(v *parallelCPU) {
	for c := v.a.Kicks.First(); c != cpu.None; c = v.a.Kicks.Next(c) {
		select {
		case p.cpus[c].kick <- struct{}{}:
		default: // one is on its way
		}
	}
	v.a.Reset()
}

// user is what context id does on c between two kernel entries.
func (p *parallel) user(c cpu.ID, now time.Duration, id process.ContextID) {
	if was := p.owner[id].Swap(int32(c) + 1); was != 0 {
		p.t.Errorf("context %d runs on CPU %d and on %d", id, was-1, c)
	}
	resident := int(id) <= len(p.ring)
	if p.next(c)%4 == 0 {
		runtime.Gosched()
	}
	p.owner[id].Store(0)
	switch {
	case !resident:
		p.end(c, now, id)
	case p.next(c)%8 == 0:
		p.spawn(c, now)
	case p.next(c)%8 == 1:
		p.remask(c, now)
	default:
		p.hop(c, now, id)
	}
}

// hop hands id's token to the next context of the ring, or waits for one.
func (p *parallel) hop(c cpu.ID, now time.Duration, id process.ContextID) {
	if p.tokens[id].Load() > 0 {
		p.tokens[id].Add(-1)
		p.hops.Add(1)
		p.give(c, now, p.ring[int(id)%len(p.ring)])
		return
	}
	p.s.Block(c, now, -1)
	if !p.tokens[id].CompareAndSwap(0, asleep) {
		p.s.Unblock(c)
	}
}

func (p *parallel) give(c cpu.ID, now time.Duration, to process.ContextID) {
	for {
		have := p.tokens[to].Load()
		if have != asleep && p.tokens[to].CompareAndSwap(have, have+1) {
			return
		}
		if have == asleep && p.tokens[to].CompareAndSwap(asleep, 1) {
			p.s.Wake(c, now, to, &p.cpus[c].a)
			return
		}
	}
}

func (p *parallel) remask(c cpu.ID, now time.Duration) {
	masks := []cpu.Mask{only(0), only(1, 2), only(3), only(0, 1, 2, 3), only(0, 1, 2, 3)}
	id := p.ring[p.next(c)%uint64(len(p.ring))]
	p.s.SetMask(c, now, id, &masks[p.next(c)%uint64(len(masks))], &p.cpus[c].a)
}

func (p *parallel) spawn(c cpu.ID, now time.Duration) {
	tab := &p.s.Table
	id := tab.PopReserve(image)
	if id == 0 {
		if id = tab.NewContext(image, process.Service); id == 0 {
			return
		}
	}
	tab.Occupy(tab.NewThread(image, process.Fair, &[16]byte{}, true), id)
	p.s.Spawn(c, now, &Request{Context: id, Process: image, Near: true}, &p.cpus[c].v, &p.cpus[c].a)
}

func (p *parallel) end(c cpu.ID, now time.Duration, id process.ContextID) {
	p.ended.Add(1)
	p.s.Vacate(c)
	p.s.Table.Exit(p.s.Table.Context(id).Thread(), 0)
	p.s.Block(c, now, -1)
	p.s.Table.PushReserve(image, id)
}

// next is a small random number generator of c's own.
func (p *parallel) next(c cpu.ID) uint64 {
	r := &p.cpus[c].random
	*r ^= *r << 13
	*r ^= *r >> 7
	*r ^= *r << 17
	return *r
}
