package main

import (
	"errors"
	"fmt"
	"syscall"

	"hearth/sys"
)

// aligned maps n large pages' worth of memory that begins where one may, with a page
// of nothing before and behind.
func aligned(n uintptr) (span, error) {
	around, err := mapped(0, (n+2)*block, none, 0)
	if err != nil {
		return span{}, err
	}
	s := span{(around.at + 2*block - 1) &^ (block - 1), n * block}
	return s, first(around.unmap(), s.remapFree(readWrite))
}

// ways are those in which memory becomes fresh.
var ways = []struct {
	name  string
	fresh func(span) error
}{
	{"munmap and mmap", func(s span) error { return first(s.unmap(), s.remapFree(readWrite)) }},
	{"mmap over it", func(s span) error { return s.replace(readWrite) }},
	{"madvise dontneed", func(s span) error { return s.advise(dontNeed) }},
	{"madvise free", func(s span) error { return s.advise(free) }},
	{"munmap by halves", func(s span) error {
		half := s.length / 2 &^ (page - 1)
		return first(s.part(half, s.length-half).unmap(), s.part(0, half).unmap(), s.remapFree(readWrite))
	}},
	{"none, mmap over it", func(s span) error { return first(s.protect(none), s.replace(readWrite)) }},
}

// freshPages goes every way with small pages, large ones, and parts of them.
func freshPages() (string, error) {
	s, err := aligned(3)
	if err != nil {
		return "", err
	}
	parts := []span{
		s.part(0, 7*page), s.part(block, block), s.part(block+5*page, 3*page), s.part(2*block-page, 2*page),
		s.part(page, 2*block), s.part(3*page, s.length-7*page), s,
	}
	for _, way := range ways {
		for _, part := range parts {
			s.fill()
			before := span{s.at, part.at - s.at}
			behind := span{part.at + part.length, s.at + s.length - part.at - part.length}
			if err := first(way.fresh(part), part.zero(), before.holds(), behind.holds()); err != nil {
				return "", fmt.Errorf("%s, %d pages from page %d: %w", way.name, part.length/page, (part.at-s.at)/page, err)
			}
		}
	}
	return fmt.Sprint(len(ways), " ways, ", len(parts), " parts each"), s.unmap()
}

// heapsOwn is how much the runtime's heap may take or give in large pages while a
// claim is checked.
const heapsOwn = 2 * block

// largeSince demands that between the two numbers of large pages there are so many
// blocks more, but for the heap's; none at all where memory is scarce.
func largeSince(before uint64, blocks int) error {
	got, want := int64(use().Large)-int64(before), int64(blocks*block*settings["large"])
	if own := int64(heapsOwn * settings["large"]); got < want-own || got > want+own {
		return fmt.Errorf("%d bytes more are in large pages, want %d", got, want)
	}
	return nil
}

// largePages uses memory that large pages fit, and memory that they would reach beyond.
func largePages() (string, error) {
	const n = 8
	before := use().Large
	s, err := aligned(n)
	if err != nil {
		return "", err
	}
	s.fill()
	if err := first(largeSince(before, n), s.holds(), s.unmap(), largeSince(before, 0)); err != nil {
		return "", err
	}
	if s, err = aligned(n); err != nil {
		return "", err
	}
	for at := uintptr(0); at < s.length; at += block {
		if err := s.part(at+block-page, page).protect(readOnly); err != nil {
			return "", err
		}
		s.part(at, block-page).fill()
	}
	return "", first(largeSince(before, 0), s.part(0, block-page).holds(), s.unmap())
}

func partsOfLarge() (string, error) {
	const n = 8
	before := use()
	s, err := aligned(n)
	if err != nil {
		return "", err
	}
	s.fill()
	for at := uintptr(0); at < s.length; at += 2 * block {
		if err := s.part(at, 2*block).changeParts(); err != nil {
			return "", err
		}
	}
	if err := first(largeSince(before.Large, 0), s.unmap(), largeSince(before.Large, 0)); err != nil {
		return "", err
	}
	if after := use(); after.Tables > before.Tables+3*page {
		return "", fmt.Errorf("%+v, before %+v", after, before)
	}
	return "", nil
}

// changeParts changes parts of two large pages and finds the rest as it was.
func (s span) changeParts() error {
	one, hole, seam := s.part(100*page, page), s.part(block+10*page, 20*page), s.part(block-page, 2*page)
	return first(one.protect(readOnly), one.holds(), one.refuses("write", write), s.holds(),
		hole.unmap(), hole.refuses("read", read), s.part(0, block+10*page).holds(), s.part(block+30*page, block-30*page).holds(),
		seam.protect(none), seam.refuses("read", read), seam.protect(readWrite), seam.holds())
}

func protectionComesBack() (string, error) {
	s, err := aligned(3)
	if err != nil {
		return "", err
	}
	s.fill()
	for _, part := range []span{s, s.part(block, block), s.part(page, page), s.part(block-page, block+2*page)} {
		if err := first(part.protect(none), part.refuses("read", read), part.refuses("write", write),
			part.protect(readOnly), part.holds(), part.refuses("write", write),
			part.protect(readWrite), s.holds()); err != nil {
			return "", err
		}
		part.fill()
	}
	return "", s.unmap()
}

// tablesGo maps and unmaps in many threads, where the kernel likes it.
func tablesGo() (string, error) {
	const threads = 4
	rounds := 10 * settings["rounds"]
	before, all := use(), make([]sys.Thread, 0, threads)
	failed := make([]error, threads)
	for i := range threads {
		t, err := sys.Spawn(func() {
			for round := 0; round < rounds && failed[i] == nil; round++ {
				s := fresh(uintptr(round%7+1) * 300 * page)
				*word(s.at), *word(s.at + s.length - page) = 1, 2
				failed[i] = s.unmap()
			}
		})
		if err != nil {
			return "", err
		}
		all = append(all, t)
	}
	for _, t := range all {
		if _, err := t.Join(); err != nil {
			return "", err
		}
	}
	after := use()
	if grown := int64(after.Tables) - int64(before.Tables); grown > 8*page {
		return "", fmt.Errorf("the tables grew by %d bytes in %d mappings", grown, threads*rounds)
	}
	return fmt.Sprint(threads*rounds, " mappings"), first(failed...)
}

// excessRefused asks for more than the machine has, which could never be met.
func excessRefused() (string, error) {
	m := use()
	excess := uintptr(m.Total) + 1<<30
	if _, err := mapped(0, excess, readWrite, 0); !errors.Is(err, syscall.ENOMEM) {
		return "", fmt.Errorf("a map of %d bytes of %d: %v", excess, m.Total, err)
	}
	s, err := mapped(0, excess, none, 0)
	if err != nil {
		return "", err
	}
	if err := s.protect(readWrite); !errors.Is(err, syscall.ENOMEM) {
		return "", fmt.Errorf("protection of %d bytes of %d: %v", excess, m.Total, err)
	}
	if _, err := mapped(s.at, excess, readWrite, fixed); !errors.Is(err, syscall.ENOMEM) {
		return "", fmt.Errorf("a map over %d bytes of %d: %v", excess, m.Total, err)
	}
	return "", first(s.refuses("read", read), s.unmap())
}

// lowest is where nobody else maps anything.
const lowest = 0x20000000

// regionsRunOut fills the table of regions and finds every call that needs none still
// at work.
func regionsRunOut() (string, error) {
	const most = 8192
	n := uintptr(most - use().Regions)
	s, err := mapped(0, 2*(n+8)*page, none, 0)
	if err != nil {
		return "", err
	}
	var refused uintptr
	for ; refused < n+8; refused++ {
		if err := s.part(2*refused*page, page).protect(readOnly); err != nil {
			if !errors.Is(err, syscall.ENOMEM) {
				return "", err
			}
			break
		}
	}
	if got := use().Regions; got > most || got < most-2 {
		return "", fmt.Errorf("the table was full at %d regions, want %d", got, most)
	}
	// A change at the bottom moves all of them.
	low, room := span{lowest, 3 * page}, s.part(0, 3*page)
	if err := first(room.replace(none), low.replace(readWrite)); err != nil {
		return "", err
	}
	low.fill()
	middle := low.part(page, page)
	if err := first(middle.protect(readOnly), middle.refuses("write", write), middle.protect(readWrite), low.holds(),
		low.unmap()); err != nil {
		return "", err
	}
	if err := s.unmap(); err != nil {
		return "", fmt.Errorf("all of %d regions: %w", refused, err)
	}
	return fmt.Sprint(refused, " parts"), nil
}
