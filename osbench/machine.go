package osbench

import (
	"fmt"
	"hash/crc64"
	"slices"
	"sync"

	"hearth/sys"
)

// machine is what the rows run on: the CPUs that the process may use.
type machine struct {
	top  *sys.Topology
	info sys.Info
}

func readMachine() (*machine, error) {
	top, err := sys.ReadTopology()
	if err != nil {
		return nil, err
	}
	allowed, err := sys.Thread(0).Affinity()
	if err != nil {
		return nil, err
	}
	top.CPUs = slices.DeleteFunc(top.CPUs, func(c sys.CPU) bool { return !allowed.Has(c.ID) })
	info, err := sys.ReadInfo()
	if err != nil {
		return nil, err
	}
	return &machine{top, info}, nil
}

// buildID is a checksum of the program's machine code: the same for the same build,
// whichever kernel runs it.
var buildID = sync.OnceValue(func() string {
	return fmt.Sprintf("%016x", crc64.Checksum(sys.Text(), crc64.MakeTable(crc64.ECMA)))
})

func (m *machine) llcOf(id int) int {
	if c := m.top.CPU(id); c != nil {
		return c.LLC
	}
	return -1
}
