package scenarios

// TopologyCase is a reported failure that no run shows, since it lies in how the
// machine was read: its tests are in package cpu, which decodes what CPUs say of
// themselves, under names that begin with Test and the number.
type TopologyCase struct {
	Name   string // such as P21
	Title  string // the claim in one line
	Report string // the public reports that it goes back to
}

// Topologies returns the cases in the order of their numbers.
func Topologies() []TopologyCase {
	return []TopologyCase{
		{"P21", "an LLC that reaches over nodes is cut, CPUs without an L3 have the next lower level, and the log says so",
			"gh:sched-ext/scx#981 2024-11-25, gh:containers/nri-plugins#716 2026-07-28"},
		{"P22", "holes in APIC ids pad a domain to a power of two; ids that contradict a cache's join nothing",
			"gh:lpereira/hardinfo#210 2017, gh:cloud-hypervisor/cloud-hypervisor#6051 2023-12-19, LKML 2018-06-13"},
		{"P23", "sparse, repeated and large numbers become dense ones, and no table has the size of the largest",
			"gh:sched-ext/scx#2061 2025-06-02, gh:sched-ext/scx#1032 2024-12-03, gh:RRZE-HPC/likwid#601 2024-02-01, gh:zephyrproject-rtos/zephyr#64685 2023-11-01"},
		{"P24", "groups that cross are dropped, the core wins, and one warning tells",
			"gh:oxidecomputer/propolis#1002 2026-01-05, gh:open-mpi/hwloc#835 2026-08-25"},
	}
}
