package main

import (
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"unsafe"

	"hearth/sys"
)

// munmapAccess has a page unmapped on one CPU while others read them. Once the
// unmapping has returned a read must fault, and once the page is there again it must
// hold what was written since.
func munmapAccess(c *contest) error {
	mapped, stale, gone := c.good("mapped"), c.wrong("stale_reads"), c.wrong("faults_of_mapped")
	var state atomic.Uint64 // generation * 2, and 1 while the page changes
	var over atomic.Bool
	t := &team{c: c}
	for range max(cpus-1, 1) {
		t.spawn(nil, func() {
			debug.SetPanicOnFault(true)
			for !over.Load() {
				relax()
				before := state.Load()
				value, ok := read()
				if before&1 != 0 || state.Load() != before {
					continue
				}
				switch there := before/2%2 == 1; {
				case ok && (!there || value != before):
					stale.Add(1)
				case !ok && there:
					gone.Add(1)
				}
			}
		})
	}
	t.spawn(nil, func() {
		for round := 0; c.more(round); round++ {
			state.Add(1)
			if errno := mapPage(); errno != 0 {
				t.failed(errno)
				break
			}
			*word() = state.Load() + 1
			state.Add(1)
			mapped.Add(1)
			sys.Yield()
			state.Add(1)
			if _, _, errno := syscall.RawSyscall(syscall.SYS_MUNMAP, page, 4096, 0); errno != 0 {
				t.failed(errno)
				break
			}
			state.Add(1)
			sys.Yield()
		}
		over.Store(true)
	})
	return t.join()
}

// page is where no mapping lands that leaves the choice to the kernel.
const page = 0x2000_0000_0000

// word is the page's first.
func word() *uint64 {
	at := uintptr(page)
	return *(**uint64)(unsafe.Pointer(&at))
}

func mapPage() syscall.Errno {
	_, _, errno := syscall.RawSyscall6(syscall.SYS_MMAP, page, 4096, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_FIXED, ^uintptr(0), 0)
	return errno
}

// read loads the word of the page; false: there is nothing.
func read() (value uint64, ok bool) {
	defer func() { _ = recover() }()
	value = *word()
	return value, true
}
