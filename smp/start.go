package smp

import (
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/usbarmory/tamago/amd64/lapic"
)

// Starter starts secondaries, one after the other, through one trampoline
// page. The boot CPU uses it before the Go runtime starts.
type Starter struct {
	page   uintptr // the page, as the kernel reaches it
	at     uint64  // its physical address, below 1 MiB
	silent time.Duration
}

// AfterInit is how long a CPU needs after [Reset] (Intel SDM 3A, 9.4.4.1).
const AfterInit = 10 * time.Millisecond

// afterFirst is how long to wait for an answer after the first startup interrupt.
const afterFirst = 200 * time.Microsecond

// Page is where the trampoline goes and what it needs to know.
type Page struct {
	Physical     uint64        // a page of RAM below 1 MiB
	Address      uintptr       // where the kernel reaches it
	FirstTables  uint64        // tables, below 4 GiB, that map the page at itself and the image
	KernelTables uint64        // the kernel's own
	Entry        uintptr       // the kernel's entry for a secondary
	Silent       time.Duration // how long a CPU may take to answer
}

// Init puts the trampoline into its page.
func (s *Starter) Init(p *Page) {
	s.at, s.page, s.silent = p.Physical, p.Address, p.Silent
	*(*[pageWords]uint64)(unsafe.Pointer(s.page)) = [pageWords]uint64{}
	*(*[len(trampoline)]byte)(unsafe.Pointer(s.page)) = trampoline
	s.put(offEntry, uint64(secondaryAddress()))
	s.put(offTables, p.FirstTables)
	s.put(offKernel, p.KernelTables)
	const code, data, codeSelector = 0x00209a0000000000, 0x0000920000000000, 0x08
	s.put(offGDT+8, code)
	s.put(offGDT+16, data)
	s.put(offPseudo, (p.Physical+offGDT)<<16|23)
	s.put(offFar, p.Physical+offLong|codeSelector<<32)
	s.put(offNext, uint64(p.Entry))
	s.expected().Store(taken)
}

const pageWords = 4096 / 8

func (s *Starter) put(offset uintptr, value uint64) {
	*(*uint64)(unsafe.Pointer(s.page + offset)) = value
}

func (s *Starter) expected() *atomic.Uint32 {
	return (*atomic.Uint32)(unsafe.Pointer(s.page + offExpected))
}

// Reset brings the CPU with an APIC id to where it waits for [Starter.Start],
// which is to come [AfterInit] later.
func Reset(apic uint32) { send(apic, levelAssert|lapic.ICR_DLV_INIT) }

// Start starts the CPU with an APIC id on a stack, with an argument for the
// kernel's entry, and waits until echo holds token. It reports false for a CPU
// that stays silent; such a CPU stops itself should it wake later.
func (s *Starter) Start(apic uint32, stack, argument uintptr, echo *atomic.Uint64, token uint64) bool {
	s.put(offStack, uint64(stack))
	s.put(offArgument, uint64(argument))
	s.expected().Store(apic)
	startup := levelAssert | lapic.ICR_DLV_SIPI | uint32(s.at>>12)
	send(apic, startup)
	if waitEcho(echo, token, afterFirst) {
		return true
	}
	// A CPU that the first startup interrupt woke ignores the second.
	send(apic, startup)
	if waitEcho(echo, token, s.silent) {
		return true
	}
	if s.expected().CompareAndSwap(apic, taken) {
		return false
	}
	// It took its name at the last moment: it is on its way.
	return waitEcho(echo, token, s.silent)
}

func waitEcho(echo *atomic.Uint64, token uint64, most time.Duration) bool {
	start, ticks := readTSC(), scale(uint64(most), tscHz, uint64(time.Second))
	for echo.Load() != token {
		if readTSC()-start > ticks {
			return false
		}
		pause()
	}
	return true
}

// Wait spins for a time, in kernel context; [CalibrateAlarm] comes first.
func Wait(d time.Duration) {
	start, ticks := readTSC(), scale(uint64(d), tscHz, uint64(time.Second))
	for readTSC()-start < ticks {
		pause()
	}
}

// secondaryAddress returns the address of the assembly entry of secondaries.
func secondaryAddress() uintptr
