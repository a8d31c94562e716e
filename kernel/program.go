package kernel

import (
	"hearth/boot"
	"hearth/process"
	"unsafe"
)

// The stack of the program's first thread, below the image. The Go runtime
// takes its first 64 KiB below the entry for its g0.
const (
	firstStackTop  = programHigh - boot.PageSize
	firstStackSize = 256 << 10
)

// Entries of the auxiliary vector, as Linux numbers them.
const (
	auxPageSize = 6
	auxRandom   = 25
	auxClock    = 33 // AT_SYSINFO_EHDR
	auxEnd      = 0
)

// startProgram makes process 1 with its address space and first context, which
// starts at the Go runtime's entry with the stack that Linux would have made.
func startProgram() {
	s := &programSpace
	made := s.tables.Init()
	s.root = s.tables.Root
	id := scheduler.Table.NewContext(imageProcess, process.Service)
	x := contextAt(id)
	if !made || !x.prepareExtended() {
		refuse("error: too little memory to start the program")
	}
	boot.WriteCR3(s.root)
	const readWrite = process.Readable | process.Writable
	s.regions.Map(firstStackTop-firstStackSize, firstStackTop, readWrite, 0)
	x.frame.ip = uint64(programEntry())
	x.frame.flags = programFlags
	x.frame.mxcsr, x.frame.fcw = defaultMXCSR, defaultFCW
	x.frame.resume = resumeCall
	x.frame.sp = uint64(firstStack())
	kernelBytes, bootDone = usedBytes(), now()
	scheduler.Start(0, id, now())
}

// firstStack writes arguments, environment and auxiliary vector below
// firstStackTop and returns the stack pointer.
func firstStack() uintptr {
	b := stackBuilder{at: firstStackTop}
	random := b.pushRandom()
	var words [boot.MaxArguments + boot.MaxEnvironment + 14]uint64
	n := 0
	words[n] = uint64(options.ArgumentCount) + 1
	n++
	words[n] = uint64(b.pushText("hearth"))
	n++
	for i := 0; i < options.ArgumentCount; i++ {
		words[n] = uint64(b.pushWord(options.Arguments[i]))
		n++
	}
	n++ // a null ends the arguments
	for i := 0; i < options.EnvironmentCount; i++ {
		words[n] = uint64(b.pushWord(options.Environment[i]))
		n++
	}
	n++
	words[n], words[n+1] = auxPageSize, boot.PageSize
	words[n+2], words[n+3] = auxRandom, uint64(random)
	words[n+4], words[n+5] = auxClock, uint64(vdsoAddress())
	words[n+6] = auxEnd
	n += 8
	size := uintptr(n) * 8
	b.at = (b.at - size) &^ 15
	b.put(b.at, unsafe.Pointer(&words), size)
	return b.at
}

// stackBuilder pushes onto a program's stack, through its address space.
type stackBuilder struct{ at uintptr }

func (b *stackBuilder) put(at uintptr, from unsafe.Pointer, n uintptr) {
	if !programSpace.copyOut(at, from, n) {
		refuse("error: too little memory for the program's arguments")
	}
}

func (b *stackBuilder) pushRandom() uintptr {
	random := [2]uint64{randomWord(), randomWord()}
	b.at -= unsafe.Sizeof(random)
	b.put(b.at, unsafe.Pointer(&random), unsafe.Sizeof(random))
	return b.at
}

// pushText pushes a string and the zero that ends it.
func (b *stackBuilder) pushText(text string) uintptr {
	return b.pushBytes(uintptr(unsafe.Pointer(unsafe.StringData(text))), uintptr(len(text)))
}

func (b *stackBuilder) pushWord(w boot.Word) uintptr {
	return b.pushBytes(uintptr(unsafe.Pointer(&machine.CommandLine))+uintptr(w.Offset), uintptr(w.Length))
}

func (b *stackBuilder) pushBytes(from, n uintptr) uintptr {
	var zero byte
	b.at -= n + 1
	if n > 0 {
		b.put(b.at, unsafe.Pointer(from), n)
	}
	b.put(b.at+n, unsafe.Pointer(&zero), 1)
	return b.at
}

// exitImage ends the machine with the program's exit code.
func exitImage(code int32) {
	ending.Store(true)
	consoleLock.lock()
	put("hearth: exit=")
	putSigned(int64(code))
	put("\n")
	dumpTrace()
	boot.Exit(code)
}

func programEntry() uintptr
