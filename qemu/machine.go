// Package qemu describes, launches and judges one QEMU run: a machine as a
// typed value, the command line that makes it, and what became of the guest.
package qemu

import (
	"fmt"
	"strings"
	"time"
)

// Firmware is what runs before the image.
type Firmware int

// QBoot is the default: it reaches the image in half of SeaBIOS's time.
const (
	QBoot Firmware = iota
	SeaBIOS
)

// AMD is the CPU model for tests under TCG: an EPYC that shows its caches and
// its invariant TSC (which TCG hides unless forced to show everything), less
// those features that forcing would show although TCG has not got them.
const AMD = "EPYC-Rome,topoext=on,+invtsc,x-force-features=on,-rdseed,-sha-ni,-rdpid,-xsavec,-xsaves," +
	"-3dnowprefetch,-misalignsse,-osvw,-perfctr-core,-fxsr-opt,-amd-stibp,-clzero,-ibpb,-wbnoinvd," +
	"-xsaveerptr,-nrip-save"

// Machine is one QEMU run. Its zero value is refused; Default is a good start.
type Machine struct {
	CPUs int // in all
	LLCs int // last-level cache domains, of equal size
	SMT  int // CPUs that share a core

	MemoryBytes int64
	Model       string // as -cpu takes it; "" is AMD
	Firmware    Firmware

	ICount bool   // count instructions instead of time: slower, and every run is the same
	Seed   uint64 // of QEMU's random numbers when ICount is set

	Kernel    string        // the image
	Append    string        // its command line
	TraceFile string        // where the kernel's trace goes, which also turns it on; or ""
	Extra     []string      // arguments behind all others, for what the fields cannot say; not validated
	Deadline  time.Duration // of the whole run, in host time

	// Verdict demands a line "hearth: verdict=pass" besides exit code 0, as the
	// benchmark prints.
	Verdict bool

	// Autopsy keeps a monitor open, through which a machine that hangs is asked
	// where its CPUs are. Until then nothing comes by it, so counted runs repeat.
	Autopsy bool
}

// Default is the machine on which two LLC domains first make a difference.
func Default() Machine {
	return Machine{CPUs: 4, LLCs: 2, SMT: 1, MemoryBytes: 2 << 30, Deadline: 2 * time.Minute, Autopsy: true}
}

// String is the machine in a few words, for messages and test names.
func (m Machine) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d CPUs, %d LLCs, SMT %d, %d MiB", m.CPUs, m.LLCs, m.SMT, m.MemoryBytes>>20)
	if m.Model != "" {
		fmt.Fprintf(&b, ", %s", m.Model)
	}
	if m.ICount {
		fmt.Fprintf(&b, ", icount seed %d", m.Seed)
	}
	return b.String()
}

// model is the -cpu argument.
func (m Machine) model() string {
	if m.Model != "" {
		return m.Model
	}
	return AMD
}
