package smp

import (
	"testing"

	"golang.org/x/arch/x86/x86asm"
)

// The trampoline is bytes, so its comments could lie: decode it as the CPU
// does, 16-bit up to the far jump, 64-bit after it.
func TestTrampolineGoesFromRealModeToTheEntry(t *testing.T) {
	var ops []x86asm.Op
	mode := 16
	var last x86asm.Inst
	for at := 0; at < len(trampoline); {
		if at == offLong {
			mode = 64
		}
		inst, err := x86asm.Decode(trampoline[at:], mode)
		if err != nil {
			t.Fatalf("byte %d: %v", at, err)
		}
		if at == offLong {
			if want := x86asm.Rel(-(offLong + inst.Len)); inst.Op != x86asm.LEA || inst.Args[1].(x86asm.Mem).Disp != int64(want) {
				t.Errorf("64-bit code begins with %v, which is not the page's start", inst)
			}
		}
		ops = append(ops, inst.Op)
		at += inst.Len
		last = inst
		if at > offLong && mode == 16 {
			t.Fatalf("an instruction runs over byte %d, where 64-bit code begins", offLong)
		}
	}
	want := []x86asm.Op{
		x86asm.CLI, x86asm.CLD, x86asm.MOV, x86asm.MOV, x86asm.LGDT, x86asm.MOV, x86asm.MOV,
		x86asm.MOV, x86asm.OR, x86asm.MOV, x86asm.MOV, x86asm.RDMSR, x86asm.OR, x86asm.WRMSR,
		x86asm.MOV, x86asm.AND, x86asm.OR, x86asm.MOV, x86asm.LJMP, x86asm.LEA, x86asm.JMP,
	}
	if len(ops) != len(want) {
		t.Fatalf("%d instructions, want %d: %v", len(ops), len(want), ops)
	}
	for i := range want {
		if ops[i] != want[i] {
			t.Errorf("instruction %d is %v, want %v", i, ops[i], want[i])
		}
	}
	if m, ok := last.Args[0].(x86asm.Mem); !ok || m.Base != x86asm.RBX || m.Disp != offEntry {
		t.Errorf("it ends with %v, not through the entry's slot", last)
	}
	if len(trampoline) > offEntry {
		t.Errorf("the code, %d bytes, runs into its data at %d", len(trampoline), offEntry)
	}
}

func TestScaleNeitherOverflowsNorRoundsUp(t *testing.T) {
	for _, c := range []struct{ value, to, from, want uint64 }{
		{1_000_000_000, 1_000_000_000, 1_000_000_000, 1_000_000_000},
		{999, 1, 1000, 0},
		{1 << 62, 1 << 40, 1 << 41, 1 << 61},
		{1 << 63, 4, 1, ^uint64(0)}, // does not fit: the longest
		{10_000, 4_500_000_000, 1_000_000_000, 45_000},
	} {
		if got := scale(c.value, c.to, c.from); got != c.want {
			t.Errorf("scale(%d, %d, %d) = %d, want %d", c.value, c.to, c.from, got, c.want)
		}
	}
}
