package sys

import (
	"runtime"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// spawnArgs is the record of Hearth's call spawn.
type spawnArgs struct {
	token     uint64
	relation  uint32
	class     uint32
	flags     uint32
	weight    uint32
	mask      uintptr
	maskBytes uint64
	name      [16]byte
	cpu       int32 // from here on the kernel's answer
	term      int32
	key       [8]uint32
	cores     uint32 // of a gang, from the program
	toward    int32
}

const flagDetached = 1

// parkResult is what Hearth's call park returns: the next job and its thread.
type parkResult struct {
	token  uint64
	thread int32
	cpu    int32
}

// hearthSpawn lets the kernel give the job to a parked carrier; EBUSY if none is
// parked. The mask lies in the job's slot, which does not move and which nobody
// frees before the call has returned or failed.
func hearthSpawn(token int32, o *Options) (Thread, syscall.Errno) {
	args := spawnArgs{token: uint64(token), relation: uint32(o.Relation), class: uint32(o.Class), weight: uint32(o.Weight)}
	if o.Gang != nil {
		args.relation = relationGang
		args.cores, args.toward = o.Gang.next()
	}
	if o.Detached {
		args.flags = flagDetached
	}
	if o.Mask != nil {
		args.mask, args.maskBytes = uintptr(unsafe.Pointer(&jobMasks[token])), uint64(unsafe.Sizeof(jobMasks[token]))
	}
	copy(args.name[:maxName], o.Name)
	id, _, errno := syscall.RawSyscall(callSpawn, uintptr(unsafe.Pointer(&args)), 0, 0)
	if errno == 0 && o.Gang != nil {
		o.Gang.placed(args.cpu)
	}
	if errno == 0 && o.Placed != nil {
		*o.Placed = Placement{CPU: int(args.cpu), Term: int(args.term), Key: args.key}
	}
	return Thread(id), errno
}

// hearthPark makes the call that both ends the old thread and waits for the next.
// Interrupted by a signal it parks again: the end is published only once.
func (c *carrier) hearthPark() int32 {
	c.thread.Store(0)
	c.announce()
	for {
		_, errno := blockingCall(callPark, uintptr(c.code), uintptr(unsafe.Pointer(&c.result)), 0, 0, 0, 0)
		if errno == 0 {
			c.thread.Store(c.result.thread)
			return int32(c.result.token)
		}
		if errno != syscall.EINTR {
			panic(&Error{"park", errno.Error(), errno})
		}
	}
}

// hearthEnd ends the thread without parking: a park with nowhere to put the next.
func (c *carrier) hearthEnd() {
	syscall.RawSyscall(callPark, uintptr(c.code), 0, 0)
}

func hearthJoin(t Thread) (int32, syscall.Errno) {
	var code int32
	for {
		_, errno := blockingCall(callJoin, uintptr(t), uintptr(unsafe.Pointer(&code)), 0, 0, 0, 0)
		runtime.KeepAlive(&code)
		if errno != syscall.EINTR {
			return atomic.LoadInt32(&code), errno
		}
	}
}
