package kernel

import (
	"hearth/boot"
	"runtime"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

//go:linkname asmcgocall runtime.asmcgocall
//go:noescape
func asmcgocall(function, argument unsafe.Pointer) int32

// callC calls a C function with two arguments from the stack where Go calls C.
func callC(t *testing.T, function uint64, first uint64, second unsafe.Pointer) int32 {
	t.Helper()
	code, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(code)
	copy(code, []byte{
		0x48, 0x8b, 0x77, 0x08, // mov rsi, [rdi+8]
		0x48, 0x8b, 0x47, 0x10, // mov rax, [rdi+16]
		0x48, 0x8b, 0x3f, // mov rdi, [rdi]
		0xff, 0xe0, // jmp rax
	})
	arguments := [3]uint64{first, uint64(uintptr(second)), function}
	result := asmcgocall(unsafe.Pointer(&code[0]), unsafe.Pointer(&arguments))
	runtime.KeepAlive(&arguments)
	return result
}

// setTestClock makes kernel time that of a TSC of hz ticks a second, so many ticks
// after the start.
func setTestClock(t *testing.T, hz, ticks uint64) {
	t.Helper()
	t.Cleanup(func() { clock = boot.Clock{}; timeBase.direct = 0; timeBase.wall.Store(0) })
	if !clock.Set(hz) {
		t.Fatalf("no clock of %d Hz", hz)
	}
	setTimeBase()
	timeBase.start -= ticks
	timeBase.wall.Store(1_700_000_000_123_456_789)
}

func testNow() time.Duration { return timeOf(boot.ReadTSC()) }

func TestVDSOTellsTheKernelsTime(t *testing.T) {
	v := readVDSO(t)
	clockGettime, gettimeofday := v.symbol(t, "__vdso_clock_gettime"), v.symbol(t, "__vdso_gettimeofday")
	for _, hz := range []uint64{1_000_000, 333_333_333, 999_999_999, 1_000_000_000, 1_000_000_001, 2_096_000_000, 5_700_000_000, 100_000_000_000} {
		for _, ticks := range []uint64{0, 12_345, hz, hz * 3600, hz * 86_400 * 365} {
			setTestClock(t, hz, ticks)
			for id := range uint64(8) {
				if id == 2 || id == 3 {
					continue // the clocks of processes and threads are asked of the kernel
				}
				var wall time.Duration
				if id == clockRealTime || id == clockRealTimeCoarse {
					wall = time.Duration(timeBase.wall.Load())
				}
				var told timespec
				before := testNow() + wall
				result := callC(t, clockGettime, id, unsafe.Pointer(&told))
				after := testNow() + wall
				got := time.Duration(told.seconds)*time.Second + time.Duration(told.nanos)
				if result != 0 || got < before || got > after || told.nanos < 0 || told.nanos >= int64(time.Second) {
					t.Fatalf("%d Hz, %d ticks, clock %d: result %d, %d s %d ns, between %d and %d", hz, ticks, id, result, told.seconds, told.nanos, before, after)
				}
			}
			var told syscall.Timeval
			before := testNow() + time.Duration(timeBase.wall.Load())
			result := callC(t, gettimeofday, uint64(uintptr(unsafe.Pointer(&told))), nil)
			after := testNow() + time.Duration(timeBase.wall.Load())
			if got := time.Duration(told.Nano()); result != 0 || got < before.Truncate(time.Microsecond) || got > after || told.Usec < 0 || told.Usec >= 1_000_000 {
				t.Fatalf("%d Hz, %d ticks: gettimeofday %d, %v, between %d and %d", hz, ticks, result, told, before, after)
			}
		}
	}
}

// TestVDSOAsksTheKernelWhereItCannotTell runs on Linux, whose calls have the same
// numbers.
func TestVDSOAsksTheKernelWhereItCannotTell(t *testing.T) {
	v := readVDSO(t)
	clockGettime, gettimeofday := v.symbol(t, "__vdso_clock_gettime"), v.symbol(t, "__vdso_gettimeofday")
	for _, c := range []struct {
		direct uint64
		clock  uint64
	}{{0, 0}, {0, 1}, {0, 7}, {1, 2}, {1, 3}, {1, 11}} {
		setTestClock(t, 2_000_000_000, 1<<40)
		timeBase.direct = c.direct
		var told timespec
		before := linuxTime(c.clock)
		result := callC(t, clockGettime, c.clock, unsafe.Pointer(&told))
		after := linuxTime(c.clock)
		if got := time.Duration(told.seconds)*time.Second + time.Duration(told.nanos); result != 0 || got < before || got > after {
			t.Errorf("direct %d, clock %d: result %d, %d, between %d and %d", c.direct, c.clock, result, got, before, after)
		}
	}
	setTestClock(t, 2_000_000_000, 1<<40)
	var told timespec
	if result := callC(t, clockGettime, 1<<20, unsafe.Pointer(&told)); result != -int32(syscall.EINVAL) {
		t.Errorf("a clock that is none: %d", result)
	}
	var day syscall.Timeval
	var zone [2]int32
	before := linuxTime(0)
	result := callC(t, gettimeofday, uint64(uintptr(unsafe.Pointer(&day))), unsafe.Pointer(&zone))
	if got := time.Duration(day.Nano()); result != 0 || got < before.Truncate(time.Microsecond) || got > linuxTime(0) {
		t.Errorf("gettimeofday with a zone: %d, %d after %d", result, got, before)
	}
}

func linuxTime(clock uint64) time.Duration {
	var told timespec
	syscall.RawSyscall(callClockGettime, uintptr(clock), uintptr(unsafe.Pointer(&told)), 0)
	return time.Duration(told.seconds)*time.Second + time.Duration(told.nanos)
}
