package sys

import (
	"syscall"
	"unsafe"
)

// CPU is where one online CPU stands. Cores, LLC domains, nodes and packages are
// numbered from 0 without holes over the whole machine.
type CPU struct {
	ID      int    // as in a Mask
	APICID  uint32 // 0 on Linux where it is not told
	Core    int
	LLC     int
	Node    int
	Package int
	SMT     int // rank among the CPUs of its core
}

// Topology is the online CPUs of the machine, in ascending order of ID.
type Topology struct {
	CPUs []CPU
}

// ReadTopology asks the kernel which CPUs are online and where they stand. What
// Linux does not tell is taken as simple: a CPU with its own core, one LLC a
// package, one package.
func ReadTopology() (*Topology, error) {
	if onHearth {
		return hearthTopology()
	}
	return linuxTopology("/sys/devices/system")
}

// Online returns the CPUs that are online.
func Online() Mask {
	t, err := ReadTopology()
	if err != nil {
		return Mask{}
	}
	return t.Where(func(*CPU) bool { return true })
}

// CPU returns the entry of an online CPU, nil if there is none.
func (t *Topology) CPU(id int) *CPU {
	for i := range t.CPUs {
		if t.CPUs[i].ID == id {
			return &t.CPUs[i]
		}
	}
	return nil
}

// Where returns the set of the CPUs that in accepts.
func (t *Topology) Where(in func(*CPU) bool) Mask {
	var m Mask
	for i := range t.CPUs {
		if in(&t.CPUs[i]) {
			m.Set(t.CPUs[i].ID)
		}
	}
	return m
}

// LLCs returns the number of LLC domains.
func (t *Topology) LLCs() int { return t.count(func(c *CPU) int { return c.LLC }) }

// Cores returns the number of cores.
func (t *Topology) Cores() int { return t.count(func(c *CPU) int { return c.Core }) }

func (t *Topology) count(number func(*CPU) int) int {
	highest := -1
	for i := range t.CPUs {
		highest = max(highest, number(&t.CPUs[i]))
	}
	return highest + 1
}

// cpuRecord is one entry of Hearth's call topology.
type cpuRecord struct {
	apic                           uint32
	core, llc, node, package_, smt int32
}

func hearthTopology() (*Topology, error) {
	records := make([]cpuRecord, MaxCPUs)
	n, _, errno := syscall.RawSyscall(callTopology, uintptr(unsafe.Pointer(&records[0])),
		uintptr(len(records))*unsafe.Sizeof(records[0]), 0)
	if errno != 0 {
		return nil, &Error{"topology", errno.Error(), errno}
	}
	online, errno := hearthOnline()
	if errno != 0 {
		return nil, &Error{"topology", errno.Error(), errno}
	}
	t := &Topology{CPUs: make([]CPU, 0, n)}
	for i, r := range records[:n] {
		if online.Has(i) {
			t.CPUs = append(t.CPUs, CPU{ID: i, APICID: r.apic, Core: int(r.core), LLC: int(r.llc),
				Node: int(r.node), Package: int(r.package_), SMT: int(r.smt)})
		}
	}
	return t, nil
}
