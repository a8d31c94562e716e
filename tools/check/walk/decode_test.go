package walk

import "testing"

// The lengths are those that the manuals' encodings give; each instruction is
// one that x86asm does not know, takes for a lone prefix, or measures wrongly.
func TestInstructionsThatX86asmDoesNotKnowHaveTheirLength(t *testing.T) {
	for _, c := range []struct {
		name string
		code []byte
	}{
		{"CLAC", []byte{0x0f, 0x01, 0xca}},
		{"STAC", []byte{0x0f, 0x01, 0xcb}},
		{"MONITORX", []byte{0x0f, 0x01, 0xfa}},
		{"MWAITX", []byte{0x0f, 0x01, 0xfb}},
		{"ENDBR64", []byte{0xf3, 0x0f, 0x1e, 0xfa}},
		{"TPAUSE ecx", []byte{0x66, 0x0f, 0xae, 0xf1}},
		{"MOVBE eax, [rip+1]", []byte{0x0f, 0x38, 0xf0, 0x05, 1, 0, 0, 0}},
		{"ADOX rax, r10", []byte{0xf3, 0x49, 0x0f, 0x38, 0xf6, 0xc2}},
		{"SHA1RNDS4 xmm1, [rax+r9*4+0x10], 2", []byte{0x42, 0x0f, 0x3a, 0xcc, 0x4c, 0x88, 0x10, 2}},
		{"VZEROUPPER", []byte{0xc5, 0xf8, 0x77}},
		{"VMOVDQU ymm0, [rsi+0x20]", []byte{0xc5, 0xfe, 0x6f, 0x46, 0x20}},
		{"VPERM2I128 ymm0, ymm1, [rax+r9*1+0x12345678], 1", []byte{0xc4, 0xa3, 0x75, 0x46, 0x84, 0x08, 0x78, 0x56, 0x34, 0x12, 1}},
		{"VPSLLD ymm1, ymm2, 7", []byte{0xc5, 0xf5, 0x72, 0xf2, 7}},
		{"VMOVDQU64 zmm0, [rsp+64]", []byte{0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x44, 0x24, 1}},
	} {
		// Whatever follows must not count.
		in, err := decode(append(append([]byte{}, c.code...), 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc), 0x1000)
		if err != nil || in.x.Len != len(c.code) || in.kind != plain {
			t.Errorf("%s: length %d, kind %v, error %v; want %d", c.name, in.x.Len, in.kind, err, len(c.code))
		}
		for n := range c.code {
			if in, err := decode(c.code[:n], 0x1000); err == nil && in.x.Len > n {
				t.Errorf("%s cut to %d bytes: length %d", c.name, n, in.x.Len)
			}
		}
	}
}

func TestKindsOfInstructions(t *testing.T) {
	for _, c := range []struct {
		name   string
		code   []byte
		kind   kind
		target uint64
	}{
		{"call", []byte{0xe8, 0x10, 0, 0, 0}, call, 0x1015},
		{"jmp short", []byte{0xeb, 0xfe}, jump, 0x1000},
		{"jrcxz", []byte{0xe3, 2}, branch, 0x1004},
		{"loop", []byte{0xe2, 0xfc}, branch, 0xffe},
		{"call rax", []byte{0xff, 0xd0}, call, 0},
		{"ret", []byte{0xc3}, ret, 0},
		{"iretq", []byte{0x48, 0xcf}, leave, 0},
		{"retfq", []byte{0x48, 0xcb}, leave, 0},
		{"sysretq", []byte{0x48, 0x0f, 0x07}, leave, 0},
		{"int3", []byte{0xcc}, stop, 0},
		{"ud2", []byte{0x0f, 0x0b}, stop, 0},
		{"int 0x80", []byte{0xcd, 0x80}, trap, 0},
		{"syscall", []byte{0x0f, 0x05}, trap, 0},
		{"sti", []byte{0xfb}, enableInterrupts, 0},
		{"hlt", []byte{0xf4}, halt, 0},
	} {
		in, err := decode(append(append([]byte{}, c.code...), 0x90, 0x90), 0x1000)
		if err != nil || in.kind != c.kind || in.target != c.target || in.x.Len != len(c.code) {
			t.Errorf("%s: kind %v, target %#x, length %d, error %v", c.name, in.kind, in.target, in.x.Len, err)
		}
	}
}
