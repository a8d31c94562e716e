package main

import (
	"fmt"
	"time"

	"hearth/sys"
)

// longCalls makes every call on memory as long as it gets: a gibibyte that is used
// here and there, 128 MiB of it densely, as large pages and as small ones, and thousands
// of regions. The lengths of the entries are judged by who reads the report.
func longCalls() (string, error) {
	const size, dense = 1 << 30, 128 << 20
	s, err := mapped(0, size+block, none, 0)
	if err != nil {
		return "", err
	}
	calls := []func() error{
		func() error { return s.protect(readWrite) },
		func() error { return s.protect(readOnly) },
		func() error { return s.protect(none) },
		func() error { return s.protect(readWrite) },
		func() error { return s.advise(dontNeed) },
		func() error { return s.replace(readWrite) },
		func() error { return s.replace(none) },
		func() error { return first(s.unmap(), s.remapFree(readWrite)) },
	}
	for _, stride := range []uintptr{page, block} {
		for _, call := range calls {
			if err := first(s.protect(readWrite), s.use(dense, stride), call()); err != nil {
				return "", err
			}
		}
	}
	if err := s.unmap(); err != nil {
		return "", err
	}
	_, err = regionsRunOut()
	err = first(err, searchFar())
	return fmt.Sprint(2*len(calls), " calls of ", s.length>>20, " MiB"), err
}

// searchFar has the kernel look for free addresses over thousands of regions, between
// which there is no room, and beyond which neither.
func searchFar() error {
	const holes, top, left = 4000, 0x7e0000000000 - 1<<30, 64 << 20
	s := fresh(2 * holes * page)
	for i := uintptr(0); i < holes; i++ {
		if err := s.part(2*i*page, page).unmap(); err != nil {
			return err
		}
	}
	end := s.at + s.length
	rest := span{end, top - left - end}
	if err := rest.remapFree(none); err != nil {
		return err
	}
	found, err := mapped(0, 2*left, none, 0)
	if err == nil && found.at >= s.at {
		err = fmt.Errorf("%#x is free behind %#x", found.at, s.at)
	}
	return first(err, found.unmap(), rest.unmap(), s.unmap())
}

// use touches the first bytes densely, the rest once in each large page. As small pages
// where the stride is one: then a page of each block is protected first.
func (s span) use(dense, stride uintptr) error {
	for at := s.at; at < s.at+s.length; at += block {
		if stride == page {
			if err := (span{at, page}).protect(readOnly); err != nil {
				return err
			}
		}
		*word(at + page) = 1
	}
	for at := s.at; at < s.at+dense; at += page {
		if stride == block || at%block != s.at%block {
			*word(at) = 1
		}
	}
	return nil
}

// touch64 tells what it costs to use 64 MiB for the first time.
func touch64() (string, error) {
	const size = 64 << 20
	s := fresh(size)
	before, err := sys.ReadStats()
	if err != nil {
		return "", err
	}
	start := sys.Now()
	for at := s.at; at < s.at+size; at += page {
		*word(at) = 1
	}
	took := sys.Now() - start
	after, err := sys.ReadStats()
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d faults %d ns", after.Sub(before).PageFaults, took/time.Nanosecond), s.unmap()
}
