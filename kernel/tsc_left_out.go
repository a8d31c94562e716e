package kernel

import "hearth/cpu"

// leaveOut stops a CPU whose clock is of no use, and says so.
func (c *perCPU) leaveOut() {
	o := &c.meeting.offset
	consoleLock.lock()
	put("hearth: cpu with APIC id ")
	putDecimal(uint64(c.apic))
	if o.Steady() {
		put(" is left out: its TSC is ")
		putSigned(o.Middle())
		put(" ticks ahead of the boot CPU's, known only to within ")
	} else {
		put(" is left out: its TSC does not keep pace with the boot CPU's; it has changed by at least ")
	}
	putDecimal(o.Within())
	put(" ticks\n")
	consoleLock.unlock()
	c.give(orderStop)
}

func (c *perCPU) sayOffset() {
	consoleLock.lock()
	put("hearth: the TSC of CPU ")
	putDecimal(uint64(c.id))
	put(" is ")
	putSigned(int64(c.ahead))
	put(" ticks ahead of the boot CPU's; that is put right to within ")
	putDecimal(c.meeting.offset.Within())
	put(", and clock reads make a system call\n")
	consoleLock.unlock()
}

// dropCPU takes a CPU out of the numbering; those behind it move up.
func dropCPU(id cpu.ID) {
	onlineCount--
	for ; int(id) < onlineCount; id++ {
		perCPUs[id] = perCPUs[id+1]
		cpuAt(id).id = id
	}
	perCPUs[onlineCount] = 0
}
