// Package sys is the calls that a Go program makes: threads, futex waits,
// affinity, topology; the same API on Hearth and on Linux.
//
// A thread here is an identity with an affinity mask, a home CPU, a class and an
// exit code. It lives on a carrier: a goroutine locked to its OS thread, parked
// in the process's reserve while it carries nothing. So a spawn is a hand-over,
// not a clone; a carrier is started only when the reserve is empty.
//
// The package asks once, with Hearth's call hello, whose kernel it runs on. On
// Linux the reserve, the thread table and join are kept in user space with the
// same limits and the same errors.
//
// Waits give the P away before they block, so any number of threads may wait
// without keeping goroutines or the collector from running.
package sys

import (
	"strconv"
	"syscall"
)

// MaxThreads is the number of threads that may exist at once, those not yet
// joined included, on either kernel.
const MaxThreads = 4096

// Hearth's own calls; Linux answers all of them ENOSYS.
const (
	callHello = 4096 + iota
	callNull
	callSpawn
	callPark
	callJoin
	callSetAffinity
	callTopology
	callStats
	callSelf
	callInfo
	callMark
	callThreadInfo
	callClockBase
	callLengths
	callMemory
)

// abiVersion is the version of those calls that this package speaks.
const abiVersion = 1

var onHearth = askHello()

// OnHearth reports whether the program runs on Hearth; if not, it runs on Linux.
func OnHearth() bool { return onHearth }

func askHello() bool {
	version, _, errno := syscall.RawSyscall(callHello, 0, 0, 0)
	if errno != 0 {
		return false
	}
	if version != abiVersion {
		panic("sys: the kernel speaks version " + strconv.Itoa(int(version)) +
			" of Hearth's calls; this program speaks version " + strconv.Itoa(abiVersion))
	}
	return true
}
