package main

import "syscall"

func busyHint() error {
	busy := mustMap(4)
	defer busy.unmap()
	busy.fill()
	other, errno := mapPages(busy.at, 2*page, readWrite, 0)
	defer other.unmap()
	return first(is("mmap", errno, 0), wrong(!other.overlaps(busy), "the mapping overlaps the busy one"), other.zero(), busy.holds())
}

func freeHint() error {
	hole := mustMap(4)
	hole.unmap()
	again, errno := mapPages(hole.at, hole.length, readWrite, 0)
	defer again.unmap()
	return first(is("mmap", errno, 0), wrong(again.at == hole.at, "a free hint was not taken"), again.zero())
}

func fixedReplaces() error {
	p := mustMap(5)
	defer p.unmap()
	p.fill()
	middle := p.part(1, 2)
	at, errno := mapPages(middle.at, middle.length, readWrite, mapFixed)
	return first(is("mmap", errno, 0), wrong(at == middle, "a fixed address was not kept"), middle.zero(),
		p.part(0, 1).holds(), p.part(3, 2).holds())
}

func noReplace() error {
	p := mustMap(4)
	defer p.unmap()
	p.fill()
	_, errno := mapPages(p.at+page, page, readWrite, mapFixedNoReplace)
	if err := first(is("mmap over a busy page", errno, syscall.EEXIST), p.holds()); err != nil {
		return err
	}
	hole := p.part(1, 2)
	hole.unmap()
	_, errno = mapPages(hole.at, hole.length+page, readWrite, mapFixedNoReplace)
	if err := is("mmap over a hole and a busy page", errno, syscall.EEXIST); err != nil {
		return err
	}
	at, errno := mapPages(hole.at, hole.length, readWrite, mapFixedNoReplace)
	return first(is("mmap into the hole", errno, 0), wrong(at == hole, "a fixed address was not kept"), hole.zero(), p.part(0, 1).holds(), p.part(3, 1).holds())
}

// reservation is more than any machine of these tests has.
func reservation() error {
	const size = 1 << 38
	p, errno := mapPages(0, size, syscall.PROT_NONE, mapNoReserve)
	if errno != 0 {
		return is("mmap of 256 GiB", errno, 0)
	}
	defer p.unmap()
	var used []pages
	for at := p.at; at < p.at+size; at += size / 16 {
		some := pages{at, 2 * page}
		if err := is("mprotect", some.protect(readWrite), 0); err != nil {
			return err
		}
		some.fill()
		used = append(used, some)
	}
	for _, some := range used {
		if err := some.holds(); err != nil {
			return err
		}
	}
	return pages{p.at + 4*page, page}.refusesReads()
}

func unmapUnmaps() error {
	p := mustMap(6)
	p.fill()
	gone := p.part(2, 2)
	if err := first(is("munmap", gone.unmap(), 0), gone.refusesReads(), gone.refusesWrites(), p.part(0, 2).holds(), p.part(4, 2).holds()); err != nil {
		return err
	}
	if err := is("munmap of a range with a hole", p.unmap(), 0); err != nil {
		return err
	}
	return first(p.part(0, 2).refusesReads(), p.part(4, 2).refusesReads(), is("munmap of nothing", p.unmap(), 0))
}

func dontNeed() error {
	p := mustMap(5)
	defer p.unmap()
	p.fill()
	given := p.part(1, 3)
	if err := first(is("madvise", given.advise(adviseDontNeed), 0), given.zero(), p.part(0, 1).holds(), p.part(4, 1).holds()); err != nil {
		return err
	}
	given.fill()
	return given.holds()
}

func badMemoryCalls() error {
	p := mustMap(2)
	defer p.unmap()
	p.fill()
	_, none := mapPages(0, 0, readWrite, 0)
	_, crooked := mapPages(p.at+1, page, readWrite, mapFixed)
	return first(
		is("mmap of nothing", none, syscall.EINVAL),
		is("mmap at a crooked address", crooked, syscall.EINVAL),
		is("munmap at a crooked address", pages{p.at + 1, page}.unmap(), syscall.EINVAL),
		is("munmap of nothing", pages{p.at, 0}.unmap(), syscall.EINVAL),
		is("mprotect at a crooked address", pages{p.at + 1, page}.protect(readWrite), syscall.EINVAL),
		is("madvise at a crooked address", pages{p.at + 1, page}.advise(adviseDontNeed), syscall.EINVAL),
		protectNothing(),
		p.holds())
}

// protectNothing protects a range that nothing is mapped in.
func protectNothing() error {
	hole := mustMap(1)
	hole.unmap()
	return is("mprotect of nothing", hole.protect(readWrite), syscall.ENOMEM)
}
