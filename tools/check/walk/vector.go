package walk

// vectorLength is the length of an instruction with a VEX or EVEX prefix, 0 if
// code is none or ends too early. x86asm reads these too, but takes VZEROUPPER
// for a byte longer than it is, and one wrong length derails the rest of a
// function. No such instruction that Go emits changes flow or stack pointer.
func vectorLength(code []byte) int {
	at, opcodeMap := vectorPrefix(code)
	if at == 0 || at >= len(code) {
		return 0
	}
	op := code[at]
	if opcodeMap == 1 && op == 0x77 && code[0] != 0x62 { // VZEROUPPER, VZEROALL
		return at + 1
	}
	n := withOperand(code, at+1)
	if n > 0 && (opcodeMap == 3 || opcodeMap == 1 && takesByte(op)) {
		n++
	}
	if n > len(code) {
		return 0
	}
	return n
}

// vectorPrefix returns where the opcode stands and the map it is of.
func vectorPrefix(code []byte) (at int, opcodeMap byte) {
	switch {
	case len(code) < 4:
	case code[0] == 0xc5:
		return 2, 1
	case code[0] == 0xc4:
		return 3, code[1] & 0x1f
	case code[0] == 0x62:
		return 4, code[1] & 7
	}
	return 0, 0
}

// takesByte tells whether an opcode of the first map ends in an immediate byte:
// shuffles, shifts by a constant, comparisons, insertions and extractions.
func takesByte(op byte) bool {
	return op >= 0x70 && op <= 0x73 || op == 0xc2 || op >= 0xc4 && op <= 0xc6
}
