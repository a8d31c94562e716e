package kernel

import (
	"testing"
	"unsafe"
)

// The offsets below are Linux's; the runtime's signal handler reads and writes
// the frame by them.
func TestSignalFrameHasLinuxLayout(t *testing.T) {
	var s signalFrame
	const ucontext = 8 + 128
	for _, field := range []struct {
		name      string
		got, want uintptr
	}{
		{"siginfo", unsafe.Offsetof(s.info), 8},
		{"uc_flags", unsafe.Offsetof(s.flags), ucontext},
		{"uc_stack", unsafe.Offsetof(s.stack), ucontext + 16},
		{"r8", unsafe.Offsetof(s.r), ucontext + 40},
		{"rdi", unsafe.Offsetof(s.di), ucontext + 104},
		{"rsp", unsafe.Offsetof(s.sp), ucontext + 160},
		{"rip", unsafe.Offsetof(s.ip), ucontext + 168},
		{"eflags", unsafe.Offsetof(s.eflags), ucontext + 176},
		{"cr2", unsafe.Offsetof(s.fault), ucontext + 216},
		{"fpstate", unsafe.Offsetof(s.extended), ucontext + 224},
		{"uc_sigmask", unsafe.Offsetof(s.mask), ucontext + 296},
	} {
		if field.got != field.want {
			t.Errorf("%s is at offset %d, want %d", field.name, field.got, field.want)
		}
	}
	if size := unsafe.Sizeof(s); size%16 != 0 {
		t.Errorf("the frame has %d bytes: the handler's stack would be misaligned", size)
	}
}

func TestCallArgumentsHaveTheDocumentedLayout(t *testing.T) {
	var a spawnArguments
	if got := unsafe.Sizeof(a); got != 104 {
		t.Errorf("spawn arguments have %d bytes, want 104", got)
	}
	if got := unsafe.Offsetof(a.cpu); got != 56 {
		t.Errorf("the placement is written at %d, want 56", got)
	}
	if got := unsafe.Sizeof(parkResult{}); got != 16 {
		t.Errorf("a park result has %d bytes, want 16", got)
	}
	if got := unsafe.Sizeof(record{}); got != 64 {
		t.Errorf("a trace record has %d bytes, want 64", got)
	}
	if got := unsafe.Sizeof(position{}); got != 24 {
		t.Errorf("a CPU's position has %d bytes, want 24", got)
	}
}

func TestBucketIsOneCacheLine(t *testing.T) {
	if got := unsafe.Sizeof(bucket{}); got != 64 {
		t.Errorf("a futex bucket has %d bytes, want 64", got)
	}
}
