package qemu

import (
	"fmt"
	"strconv"
	"strings"
)

// Args is QEMU's command line for the machine, without the program's name. It
// depends on the host only in the accelerator.
func (m Machine) Args() []string { return m.args(hostAccelerator()) }

func (m Machine) args(accel string) []string {
	args := []string{"-M", "q35"}
	if m.Firmware == QBoot {
		args = append(args, "-bios", "qboot.rom")
	}
	args = append(args, m.clock(accel)...)
	args = append(args,
		"-cpu", m.model(),
		"-smp", m.topology(),
		"-m", strconv.FormatInt(m.MemoryBytes>>20, 10)+"M",
		"-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-monitor", "none",
		"-serial", "stdio")
	if m.TraceFile != "" {
		args = append(args, "-serial", "file:"+m.TraceFile)
	}
	args = append(args,
		"-device", "isa-debug-exit,iobase=0xf4,iosize=4",
		"-kernel", m.Kernel,
		"-append", m.commandLine())
	return append(args, m.Extra...)
}

// clock chooses what makes time pass. Counted instructions repeat a run exactly,
// also with several CPUs, since QEMU then runs them in turn on one host thread.
func (m Machine) clock(accel string) []string {
	if !m.ICount {
		return []string{"-accel", accel}
	}
	return []string{
		"-accel", "tcg",
		"-icount", "shift=0,sleep=off",
		"-rtc", "base=2024-01-01,clock=vm",
		"-seed", strconv.FormatUint(m.Seed, 10),
	}
}

// topology gives each LLC domain a die: QEMU's EPYC models share the L3 by die.
func (m Machine) topology() string {
	return fmt.Sprintf("%d,sockets=1,dies=%d,cores=%d,threads=%d", m.CPUs, m.LLCs, m.coresPerLLC(), m.SMT)
}

func (m Machine) coresPerLLC() int { return m.CPUs / (m.LLCs * m.SMT) }

// commandLine is Append, with the trace turned on if it has a place to go. The
// key comes first: behind " -- " it would be the program's.
func (m Machine) commandLine() string {
	if m.TraceFile == "" {
		return m.Append
	}
	return strings.TrimSuffix("trace=on "+m.Append, " ")
}
