package kernel

// Numbers of the calls that the Go runtime makes, as Linux has them.
const (
	callRead         = 0
	callWrite        = 1
	callClose        = 3
	callMmap         = 9
	callMprotect     = 10
	callMunmap       = 11
	callSigaction    = 13
	callSigmask      = 14
	callSigreturn    = 15
	callMincore      = 27
	callMadvise      = 28
	callNanosleep    = 35
	callGetpid       = 39
	callClone        = 56
	callExit         = 60
	callKill         = 62
	callFcntl        = 72
	callSigaltstack  = 131
	callGettimeofday = 96
	callPrctl        = 157
	callArchPrctl    = 158
	callGettid       = 186
	callFutex        = 202
	callSetAffinity  = 203
	callGetAffinity  = 204
	callSchedYield   = 24
	callClockGettime = 228
	callExitGroup    = 231
	callEpollWait    = 232
	callEpollControl = 233
	callTgkill       = 234
	callOpenat       = 257
	callReadlinkat   = 267
	callEpollPwait   = 281
	callEventfd2     = 290
	callEpollCreate1 = 291
	callPrlimit      = 302
	callGetcpu       = 309
	callGetrandom    = 318
)

// onSystemCall answers the system call whose registers are in the current
// frame.
func onSystemCall() {
	c := me()
	f := frameAt(c.current)
	c.begin(kindOfCall(f.ax))
	c.counts.syscalls++
	x := contextAt(c.context())
	if result, blocked := c.call(x, f); !blocked {
		f.ax = uint64(result)
		c.leaveCall(x)
		return
	}
	c.leave()
}

// call carries out a system call. blocked means that the result is not
// written here: the context waits, has ended, or its frame was replaced.
func (c *perCPU) call(x *context, f *frame) (result int64, blocked bool) {
	if f.ax >= callHello {
		return c.hearthCall(x, f)
	}
	switch f.ax {
	case callFutex:
		return c.futex(x, f)
	case callWrite:
		return c.writeFile(x, f)
	case callMmap, callMunmap, callMprotect, callMadvise:
		return c.memoryCall(x, f)
	case callNanosleep:
		return c.nanosleep(x, uintptr(f.di))
	case callEpollWait, callEpollPwait:
		return c.epollWait(x, f)
	case callClockGettime:
		return clockGettime(f.di, uintptr(f.si)), false
	case callSchedYield:
		c.yield(x)
		return 0, true
	case callClone:
		return c.clone(x, f), false
	case callExit:
		c.exitContext()
		return 0, true
	case callExitGroup:
		exitImage(int32(f.di))
	case callSigreturn:
		c.sigreturn(x)
		return 0, true
	}
	return c.quickCall(x, f), false
}

// quickCall carries out the calls that never wait.
func (c *perCPU) quickCall(x *context, f *frame) int64 {
	switch f.ax {
	case callSigaction:
		return sigaction(f)
	case callSigmask:
		return sigmask(x, f)
	case callSigaltstack:
		return sigaltstack(x, f)
	case callTgkill:
		return c.tgkill(contextID(f.si), f.dx)
	case callKill:
		return c.kill(int32(f.di), f.si)
	case callGettid:
		return int64(c.context())
	case callGetpid:
		return imageProcess
	case callGettimeofday:
		return gettimeofday(uintptr(f.di), uintptr(f.si))
	case callArchPrctl:
		return archPrctl(f)
	case callGetcpu:
		return c.getcpu(uintptr(f.di))
	case callGetrandom:
		return getrandom(uintptr(f.di), f.si)
	}
	return c.fileCall(x, f)
}

// fileCall carries out the calls on descriptors, and refuses what is left.
func (c *perCPU) fileCall(x *context, f *frame) int64 {
	switch f.ax {
	case callRead:
		return readFile(f.di, uintptr(f.si), f.dx)
	case callClose:
		return closeFile(f.di)
	case callEventfd2:
		return openFile(fileEvent, uint64(uint32(f.di)))
	case callEpollCreate1:
		return openFile(fileEpoll, 0)
	case callEpollControl:
		return epollControl(f.di, f.si, f.dx, uintptr(f.r10))
	case callFcntl:
		return fcntl(f.di, f.si)
	case callOpenat, callReadlinkat:
		return -eNOENT // there is no file system
	case callPrctl, callMincore:
		return -eINVAL
	case callPrlimit:
		return prlimit(f.di, f.si, uintptr(f.dx), uintptr(f.r10))
	case callSetAffinity:
		return c.setAffinity(contextID(f.di), uintptr(f.si), uintptr(f.dx))
	case callGetAffinity:
		return c.getAffinity(contextID(f.di), uintptr(f.si), uintptr(f.dx))
	}
	if result, known := identityCall(f); known {
		return result
	}
	return unknownCall(f.ax)
}

// unknownSeen has a bit for each number that has been logged.
var (
	unknownSeen [64]uint64
	unknownLock spinLock
)

// unknownCall logs a call that the kernel lacks, once a number.
func unknownCall(number uint64) int64 {
	at := number % (64 * uint64(len(unknownSeen)))
	unknownLock.lock()
	seen := unknownSeen[at/64]>>(at%64)&1 != 0
	unknownSeen[at/64] |= 1 << (at % 64)
	unknownLock.unlock()
	if !seen {
		consoleLock.lock()
		put("hearth: system call ")
		putDecimal(number)
		put(" is unknown and answered ENOSYS\n")
		consoleLock.unlock()
	}
	return -eNOSYS
}
