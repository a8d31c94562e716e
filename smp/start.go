package smp

import (
	"hearth/boot"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/usbarmory/tamago/amd64/lapic"
)

// Starter starts secondaries, one after the other, through one trampoline
// page. The boot CPU uses it before the Go runtime starts.
type Starter struct {
	page uintptr // the page, as the kernel reaches it
	at   uint64  // its physical address, below 1 MiB
}

// Waits of the start-up protocol (Intel SDM 3A, 9.4.4.1), and how long a CPU
// may stay silent. Under emulation its thread may wait for a host CPU first.
const (
	afterInit   = 10 * time.Millisecond
	afterFirst  = 200 * time.Microsecond
	silentAfter = 2 * time.Second
)

// Init puts the trampoline into the page at a physical address below 1 MiB;
// entry is where secondaries go on, in the kernel.
func (s *Starter) Init(page uint64, entry uintptr) {
	s.at, s.page = page, boot.Direct(page)
	boot.ClearPage(page)
	to := (*[len(trampoline)]byte)(unsafe.Pointer(s.page))
	*to = trampoline
	s.put(offEntry, uint64(secondaryAddress()))
	s.put(offTables, boot.FirstTables())
	const code, data = 0x00209a0000000000, 0x0000920000000000
	s.put(offGDT+8, code)
	s.put(offGDT+16, data)
	s.put(offPseudo, (page+offGDT)<<16|23)
	s.put(offFar, page+offLong|boot.CodeSelector<<32)
	s.put(offNext, uint64(entry))
	s.expected().Store(taken)
}

func (s *Starter) put(offset uintptr, value uint64) {
	*(*uint64)(unsafe.Pointer(s.page + offset)) = value
}

func (s *Starter) expected() *atomic.Uint32 {
	return (*atomic.Uint32)(unsafe.Pointer(s.page + offExpected))
}

// Start starts the CPU with an APIC id on a stack, with an argument for the
// kernel's entry, and waits until echo holds token. It reports false for a CPU
// that stays silent; such a CPU stops itself should it wake later.
func (s *Starter) Start(apic uint32, stack, argument uintptr, echo *atomic.Uint64, token uint64) bool {
	s.put(offStack, uint64(stack))
	s.put(offArgument, uint64(argument))
	s.expected().Store(apic)
	send(apic, levelAssert|lapic.ICR_DLV_INIT)
	Wait(afterInit)
	startup := levelAssert | lapic.ICR_DLV_SIPI | uint32(s.at>>12)
	send(apic, startup)
	if waitEcho(echo, token, afterFirst) {
		return true
	}
	// A CPU that the first startup interrupt woke ignores the second.
	send(apic, startup)
	if waitEcho(echo, token, silentAfter) {
		return true
	}
	if s.expected().CompareAndSwap(apic, taken) {
		return false
	}
	// It took its name at the last moment: it is on its way.
	return waitEcho(echo, token, silentAfter)
}

func waitEcho(echo *atomic.Uint64, token uint64, most time.Duration) bool {
	start, ticks := boot.ReadTSC(), scale(uint64(most), tscHz, uint64(time.Second))
	for echo.Load() != token {
		if boot.ReadTSC()-start > ticks {
			return false
		}
		boot.Pause()
	}
	return true
}

// Wait spins for a time, in kernel context; [CalibrateAlarm] comes first.
func Wait(d time.Duration) {
	start, ticks := boot.ReadTSC(), scale(uint64(d), tscHz, uint64(time.Second))
	for boot.ReadTSC()-start < ticks {
		boot.Pause()
	}
}

// secondaryAddress returns the address of the assembly entry of secondaries.
func secondaryAddress() uintptr
