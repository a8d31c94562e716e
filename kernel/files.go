package kernel

import (
	"hearth/process"
	"unsafe"
)

// What the runtime needs of files: the console behind descriptors 0 to 2, one
// kind of event counter (eventfd), and epoll instances that watch counters.

const (
	firstFile = 3
	files     = 32
	consoles  = 3
	// mostConsole bounds what one write call puts on the console, so that no
	// entry runs long; the program writes the rest by another call.
	mostConsole = 192
)

type fileKind uint8

const (
	fileFree fileKind = iota
	fileEvent
	fileEpoll
	fileClosing // an epoll that was closed while contexts wait in it
)

// file is an open descriptor. All are guarded by filesLock.
type file struct {
	kind    fileKind
	count   uint64            // event: what a read returns
	watcher int32             // event: the epoll descriptor that watches it, 0: none
	mask    uint32            // event: what is watched for
	data    uint64            // event: what epoll reports
	waiting process.ContextID // epoll: contexts that wait in it, by wait.queue.next
}

var (
	filesLock spinLock
	fileTable [files]file
)

func openFile(kind fileKind, count uint64) int64 {
	filesLock.lock()
	result := int64(-eMFILE)
	for i := firstFile; i < files; i++ {
		if fileTable[i].kind == fileFree {
			fileTable[i] = file{kind: kind, count: count}
			result = int64(i)
			break
		}
	}
	filesLock.unlock()
	return result
}

// fileOf returns an open descriptor's file, nil for any other number. The
// caller holds filesLock.
func fileOf(fd uint64, kind fileKind) *file {
	if fd >= files || fileTable[fd].kind != kind || kind == fileFree {
		return nil
	}
	return &fileTable[fd]
}

func closeFile(fd uint64) int64 {
	if fd < consoles {
		return 0
	}
	filesLock.lock()
	result := int64(-eBADF)
	if fd < files && fileTable[fd].kind != fileFree && fileTable[fd].kind != fileClosing {
		closeOne(fd)
		result = 0
	}
	filesLock.unlock()
	return result
}

// closeOne frees an open descriptor. Contexts that wait in an epoll go on waiting, as
// on Linux: its place is free once the last has left. The caller holds filesLock.
func closeOne(fd uint64) {
	f := &fileTable[fd]
	if f.kind == fileEpoll && f.waiting != 0 {
		f.kind = fileClosing
		return
	}
	if f.kind != fileEvent {
		forgetWatches(int32(fd))
	}
	*f = file{}
}

// forgetWatches ends what an epoll that is no more watched.
func forgetWatches(epoll int32) {
	for i := range fileTable {
		if fileTable[i].watcher == epoll {
			fileTable[i].watcher = 0
		}
	}
}

// writeFile writes to the console or adds to an event counter.
func (c *perCPU) writeFile(x *context, frame *frame) (result int64, blocked bool) {
	fd, from, n := frame.di, uintptr(frame.si), frame.dx
	if fd == 1 || fd == 2 {
		return writeConsole(from, n), false
	}
	if n < 8 {
		return -eINVAL, false
	}
	var add uint64
	if !programSpace.copyIn(unsafe.Pointer(&add), from, 8) {
		return -eFAULT, false
	}
	if x.resumed(frame) {
		add = 0 // only waking is left
	}
	filesLock.lock()
	f := fileOf(fd, fileEvent)
	if f == nil {
		filesLock.unlock()
		return x.finish(-eBADF)
	}
	f.count += add
	woken, more := f.takeWaiters()
	filesLock.unlock()
	c.wakeForEvents(woken)
	if more {
		return x.again(frame)
	}
	return x.finish(8)
}

// writeConsole writes up to mostConsole bytes and returns how many.
func writeConsole(from uintptr, n uint64) int64 {
	var bytes [mostConsole]byte
	n = min(n, mostConsole)
	if !programSpace.copyIn(unsafe.Pointer(&bytes), from, uintptr(n)) {
		return -eFAULT
	}
	consoleLock.lock()
	putBytes(uintptr(unsafe.Pointer(&bytes)), int(n))
	consoleLock.unlock()
	return int64(n)
}

// readFile takes an event counter's value; the console has nothing to read.
func readFile(fd uint64, to uintptr, n uint64) int64 {
	if fd == 0 {
		return 0 // end of file
	}
	if n < 8 {
		return -eINVAL
	}
	filesLock.lock()
	f := fileOf(fd, fileEvent)
	if f == nil {
		filesLock.unlock()
		return -eBADF
	}
	count := f.count
	f.count = 0
	filesLock.unlock()
	if count == 0 {
		return -eAGAIN
	}
	if !programSpace.copyOut(to, unsafe.Pointer(&count), 8) {
		return -eFAULT
	}
	return 8
}
