package kernel

import (
	"testing"
	"unsafe"
)

func TestSigreturnRestoresWhatSignalSaved(t *testing.T) {
	before := frame{
		ax: 1, cx: 2, dx: 3, bx: 4, sp: 5, bp: 6, si: 7, di: 8, r8: 9, r9: 10, r10: 11,
		r11: 12, r12: 13, r13: 14, r14: 15, r15: 16, ip: 17, flags: programFlags | 0x41,
	}
	var s signalFrame
	s.save(&before)
	var after frame
	s.load(&after)
	after.resume = before.resume
	if before != after {
		t.Errorf("restored %+v, want %+v", after, before)
	}
}

func TestSigreturnKeepsDangerousFlagsOut(t *testing.T) {
	const trap, direction, nested, ioPrivilege = 1 << 8, 1 << 10, 1 << 14, 3 << 12
	s := signalFrame{eflags: trap | direction | nested | ioPrivilege}
	var f frame
	s.load(&f)
	if f.flags != programFlags {
		t.Errorf("flags are %#x, want %#x", f.flags, uint64(programFlags))
	}
}

func TestTamedExtendedStateCanBeLoaded(t *testing.T) {
	var area [512]uint64 // a page
	for i := range area {
		area[i] = ^uint64(0)
	}
	old := extendedStates
	extendedStates = 7
	defer func() { extendedStates = old }()
	tameExtended(uintptr(unsafe.Pointer(&area)))
	if got := area[512/8]; got != 7 {
		t.Errorf("the states present are %#x, want 7", got)
	}
	for i := 520 / 8; i < 576/8; i++ {
		if area[i] != 0 {
			t.Errorf("header word %d is %#x; the CPU refuses it", i, area[i])
		}
	}
	if got := uint32(area[3]); got != mxcsrMask {
		t.Errorf("MXCSR is %#x", got)
	}
}

func TestDefaultActionsAreLinuxs(t *testing.T) {
	for number, ignored := range map[int]bool{sigURG: true, sigCHLD: true, sigWINCH: true, sigCONT: true, sigSEGV: false, 6: false, 15: false} {
		if ignoredByDefault(number) != ignored {
			t.Errorf("signal %d: ignored by default is %v", number, !ignored)
		}
	}
}
