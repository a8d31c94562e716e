package kernel

import (
	"hearth/cpu"
	"hearth/sched"
	"unsafe"
)

// cpusAPiece is of how many CPUs a kernel entry tells: there may be a thousand.
const cpusAPiece = 16

// position is where a CPU sits, as the topology call tells it.
type position struct {
	apic                             uint32
	core, llc, node, packageID, rank int32
}

// tellTopology writes a position for each CPU, as many as fit, and returns how
// many CPUs there are.
func (x *context) tellTopology(f *frame) (result int64, blocked bool) {
	t := &scheduler.Topology
	const each = uint64(unsafe.Sizeof(position{}))
	fit := int(min(f.si/each, uint64(t.Count)))
	id := 0
	if x.resumed(f) {
		id = int(x.progress.at)
	}
	for end := min(id+cpusAPiece, fit); id < end; id++ {
		at := &t.At[id]
		p := position{at.APIC, at.Core, at.LLC, at.Node, at.Package, at.SMT}
		if !programSpace.copyOut(uintptr(f.di)+uintptr(id)*uintptr(each), unsafe.Pointer(&p), unsafe.Sizeof(p)) {
			return x.finish(-eFAULT)
		}
	}
	if id < fit {
		x.progress.at = uintptr(id)
		return x.again(f)
	}
	return x.finish(int64(t.Count))
}

// statKinds are the scheduler's counters in the order of the stats call; the
// kernel's own follow.
var statKinds = [...]sched.Counter{
	sched.Kicks, sched.KicksMerged, sched.Wakes, sched.WakesLocal, sched.Spawns,
	sched.Migrations, sched.Crossings, sched.Preemptions, sched.Dispatches, sched.Halts,
}

// statCount is how many counters the stats call knows.
const statCount = len(statKinds) + 3

type stats [statCount]uint64

// tellStats writes the machine's counters, as many as fit, and returns how
// many there are. Between pieces the sum so far is where the result goes.
func (x *context) tellStats(f *frame) (result int64, blocked bool) {
	var all stats
	to, n := uintptr(f.di), min(uintptr(f.si), unsafe.Sizeof(all))
	id := 0
	if x.resumed(f) {
		id = int(x.progress.at)
		if !programSpace.copyIn(unsafe.Pointer(&all), to, n) {
			return x.finish(-eFAULT)
		}
	}
	for end := min(id+cpusAPiece, onlineCount); id < end; id++ {
		all.add(cpu.ID(id))
	}
	if !programSpace.copyOut(to, unsafe.Pointer(&all), n) {
		return x.finish(-eFAULT)
	}
	if id < onlineCount {
		x.progress.at = uintptr(id)
		return x.again(f)
	}
	return x.finish(int64(statCount))
}

// add adds a CPU's counters.
func (s *stats) add(id cpu.ID) {
	for i, kind := range statKinds {
		s[i] += scheduler.Counter(id, kind)
	}
	counts := &cpuAt(id).counts
	s[statCount-3] += counts.syscalls
	s[statCount-2] += counts.faults
	s[statCount-1] += counts.signals
}
