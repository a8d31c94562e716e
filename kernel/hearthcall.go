package kernel

import "hearth/process"

// Numbers of Hearth's own calls; Linux answers ENOSYS to them. docs/abi.md
// describes each.
const (
	callHello = 4096 + iota
	callNull
	callSpawn
	callPark
	callJoin
	callThreadAffinity
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

// abiVersion is what hello answers: 1 for the calls above.
const abiVersion = 1

// hearthCall carries out one of Hearth's own calls.
func (c *perCPU) hearthCall(x *context, f *frame) (result int64, blocked bool) {
	switch f.ax {
	case callNull:
		return 0, false
	case callSpawn:
		return c.spawn(uintptr(f.di)), false
	case callPark:
		return c.park(x, int32(f.di), uintptr(f.si))
	case callJoin:
		return c.join(x, process.ThreadID(int32(f.di)), uintptr(f.si))
	case callThreadAffinity:
		return c.threadAffinity(process.ThreadID(int32(f.di)), uintptr(f.si), uintptr(f.dx)), false
	case callTopology:
		return x.tellTopology(f)
	case callSetOnline:
		return c.setOnline(f.di, f.si), false
	case callStats:
		return x.tellStats(f)
	case callHello:
		return abiVersion, false
	case callSelf:
		return int64(scheduler.Table.Context(c.context()).Thread()), false
	case callMark:
		e := c.trace.next(c, traceMark, c.context())
		e.args[0], e.args[1] = uint32(f.di), uint32(f.di>>32)
		e.args[2], e.args[3] = uint32(f.si), uint32(f.si>>32)
		return 0, false
	}
	return c.tellCall(f), false
}

// tellCall carries out the calls that only tell something.
func (c *perCPU) tellCall(f *frame) int64 {
	switch f.ax {
	case callInfo:
		return tellInfo(uintptr(f.di), f.si)
	case callThreadInfo:
		return tellThread(process.ThreadID(int32(f.di)), uintptr(f.si), f.dx)
	case callLengths:
		return tellLengths(f.di, uintptr(f.si), f.dx, f.r10)
	case callMemory:
		return tellMemory(uintptr(f.di), f.si)
	case callOnline:
		return tellOnline(uintptr(f.di), f.si)
	case callClocks:
		return tellClock(f.di, uintptr(f.si), f.dx)
	case callClockBase:
		timeBase.wall.Store(int64(f.di))
		return 0
	}
	return provoke(f)
}
