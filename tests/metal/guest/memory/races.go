package main

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"hearth/sys"
)

// A page comes and goes at one address while readers look at it without end. In round n
// it holds n. A reader that sees a smaller number than the round that was over before it
// looked has used a translation of a page that is gone, and so has one that sees the
// mark that the frame's next owner writes.

// mark is what the next owner of a frame writes; no round has that number.
const mark = 1 << 62

// owners is how many pages are taken so that the frame that came back last is among
// them, turns in how many rounds they are others.
const (
	owners = 4
	turns  = 8
)

type race struct {
	at     uintptr
	over   atomic.Uint64 // the newest round of which the page is in place
	stop   atomic.Bool
	reads  atomic.Uint64
	missed atomic.Uint64 // reads that met a fault
	stale  atomic.Uint64
	seen   atomic.Uint64 // one of what was stale
}

// races runs them with three readers, on CPUs of their own where there are any.
func races() (string, error) {
	rounds := 50 * settings["rounds"]
	const readers = 3
	defer sys.RaiseProcs(readers + 2 + runtime.NumCPU())()
	s := fresh(page)
	r := race{at: s.at}
	var all []sys.Thread
	for i := range readers {
		mask := sys.MaskOf(i % runtime.NumCPU())
		t, err := sys.SpawnWith(sys.Options{Mask: &mask}, r.read)
		if err != nil {
			return "", err
		}
		all = append(all, t)
	}
	err := r.write(s, uint64(rounds))
	r.stop.Store(true)
	for _, t := range all {
		if _, joined := t.Join(); joined != nil {
			return "", joined
		}
	}
	if stale := r.stale.Load(); stale != 0 {
		return "", fmt.Errorf("%d of %d reads saw what was gone, such as %#x", stale, r.reads.Load(), r.seen.Load())
	}
	if r.reads.Load() < uint64(rounds) || r.missed.Load() == 0 {
		return "", fmt.Errorf("%d reads, %d of them met no page: not much of a race", r.reads.Load(), r.missed.Load())
	}
	return fmt.Sprintf("%d rounds, %d reads, of them %d met no page, 0 stale", rounds, r.reads.Load(), r.missed.Load()), first(err, s.unmap())
}

func (r *race) write(s span, rounds uint64) error {
	others := fresh(owners * turns * page)
	for n := uint64(1); n <= rounds; n++ {
		if err := s.unmap(); err != nil {
			return err
		}
		// The frame goes to somebody else, who writes into it: one of so many.
		turn := others.part(uintptr(n%turns)*owners*page, owners*page)
		for at := turn.at; at < turn.at+turn.length; at += page {
			*word(at) = mark | n
		}
		if err := s.remapFree(readWrite); err != nil {
			return err
		}
		*word(s.at) = n
		r.over.Store(n)
		if n%turns != turns-1 {
			continue
		}
		sys.Yield() // on one CPU readers come no other way
		if err := others.advise(dontNeed); err != nil {
			return err
		}
	}
	return others.unmap()
}

func (r *race) read() {
	for !r.stop.Load() {
		before := r.over.Load()
		var got uint64
		missed := true
		for i := 0; i < 64; i++ {
			if missed = faults(r.at, func(at *uint64) { got = *at }); missed {
				r.missed.Add(1)
				break
			}
			// A fresh page is 0 until the round's number is in it.
			if got != 0 && got < before || got >= mark {
				r.seen.Store(got)
				r.stale.Add(1)
			}
			r.reads.Add(1)
			before = r.over.Load()
		}
	}
}
