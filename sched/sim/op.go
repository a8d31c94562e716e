package sim

import (
	"hearth/process"
	"time"
)

// Op is one thing that a thread does. The functions named like verbs make them.
type Op struct {
	verb    verb
	span    time.Duration // of Run, at least 0; of Block, negative for ever
	any     bool          // of Run and Block: the run draws a time from 0 to span
	who     string        // of Wake, Spawn, SetMask, Join; empty in SetMask: itself
	mask    string        // of SetMask and Spawn
	code    int32         // of Exit; the items of Post
	class   process.Class // of Spawn
	near    bool          // of Spawn
	process process.ID    // of Spawn: whose thread; 0: the spawner's
	weight  int32         // of Spawn; 0: that of the class
	gang    int32         // of Spawn: how many threads work together; 0: no gang
	program []Op          // of Spawn, or what Together does
	line    int32         // of the file that it was parsed from, 0 if it was not
}

type verb uint8

const (
	opRun verb = iota
	opBlock
	opWake
	opYield
	opSpawn
	opSetMask
	opJoin
	opExit
	opBlockUntil
	opTogether
	opCritical
	opOffline
	opOnline
	opPost
	opTake
	opClose
)

// Run computes for d.
func Run(d time.Duration) Op { return Op{verb: opRun, span: d} }

// computes reports whether the op takes time of a program.
func (o *Op) computes() bool { return o.verb == opRun || o.verb == opCritical }

// Critical computes for d with interrupts off: kicks and alarms wait for its end.
func Critical(d time.Duration) Op { return Op{verb: opCritical, span: d} }

// Offline takes the CPUs of a mask off the machine, one after another.
func Offline(mask string) Op { return Op{verb: opOffline, mask: mask} }

// Online brings the CPUs of a mask back.
func Online(mask string) Op { return Op{verb: opOnline, mask: mask} }

// Block waits for a Wake; one that came before counts.
func Block() Op { return Op{verb: opBlock, span: -1} }

// BlockFor waits for a Wake, at most for d.
func BlockFor(d time.Duration) Op { return Op{verb: opBlock, span: d} }

// BlockUntil waits for a Wake, at most until a time of the run.
func BlockUntil(at time.Duration) Op { return Op{verb: opBlockUntil, span: at} }

// Together makes one kernel entry of several Wakes and SetMasks.
func Together(ops ...Op) Op { return Op{verb: opTogether, program: ops} }

// Wake wakes the thread of that name, or lets its next Block pass.
func Wake(name string) Op { return Op{verb: opWake, who: name} }

// Yield lets others of its class run.
func Yield() Op { return Op{verb: opYield} }

// Spawn starts a thread near its spawner; it ends with its program.
func Spawn(name string, program ...Op) Op {
	return Op{verb: opSpawn, who: name, near: true, program: program}
}

// Apart makes a Spawn one of a stranger: not near.
func (o Op) Apart() Op { o.near = false; return o }

// On gives a Spawn a mask, such as {0-3,8}.
func (o Op) On(mask string) Op { o.mask = mask; return o }

// As gives a Spawn a class. Service contexts carry no thread and are not near.
func (o Op) As(class process.Class) Op {
	o.class = class
	o.near = o.near && class != process.Service
	return o
}

// Weigh gives a Spawn a weight within its class.
func (o Op) Weigh(weight int32) Op { o.weight = weight; return o }

// Gang makes a Spawn one of n threads that work together.
func (o Op) Gang(n int32) Op { o.gang = n; return o }

// In makes a Spawn one of the first thread of another process, a stranger.
func (o Op) In(p process.ID) Op { o.process = p; return o.Apart() }

// SetMask gives the thread of that name, or with an empty one the caller, a mask.
func SetMask(name, mask string) Op { return Op{verb: opSetMask, who: name, mask: mask} }

// MoveSelf moves the caller to a CPU, given as a mask of one, and lets it go again.
func MoveSelf(mask string) []Op { return []Op{SetMask("", mask), SetMask("", everyCPU)} }

// Any makes a Run or BlockFor one of a time from 0 to its own, which each run draws.
func (o Op) Any() Op { o.any = true; return o }

// Join waits for the end of the thread of that name.
func Join(name string) Op { return Op{verb: opJoin, who: name} }

// Exit ends the thread with a code before its program ends.
func Exit(code int32) Op { return Op{verb: opExit, code: code} }

// Repeat makes n copies of ops.
func Repeat(n int, ops ...Op) []Op {
	all := make([]Op, 0, n*len(ops))
	for range n {
		all = append(all, ops...)
	}
	return all
}

// Sequence joins programs.
func Sequence(parts ...[]Op) []Op {
	var all []Op
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

const everyCPU = "{0-1023}"
