package walk

// gapLength is the length of an instruction that x86asm does not know, 0 if it
// is not known here either. It reads the opcodes of the manuals' two- and
// three-byte maps by rule, not by name: of those that x86asm leaves out, none
// changes the flow of control or the stack pointer.
func gapLength(code []byte) int {
	at := prefixes(code)
	if len(code) < at+3 || code[at] != 0x0f {
		return 0
	}
	op, modrm := code[at+1], code[at+2]
	switch {
	case op == 0x01 && modrm >= 0xc0: // CLAC, STAC, MONITORX, MWAITX, RDPKRU, CLZERO
		return at + 3
	case op == 0x1e: // ENDBR64, RDSSP
		return withOperand(code, at+2)
	case op == 0xae: // TPAUSE, UMONITOR, UMWAIT, CLWB
		return withOperand(code, at+2)
	case op == 0xc7 && modrm < 0xc0: // XSAVEC, XSAVES, XRSTORS
		return withOperand(code, at+2)
	case op == 0x38: // MOVBE, ADCX, ADOX, SHA, AES
		return withOperand(code, at+3)
	case op == 0x3a: // the same map with an immediate byte
		if n := withOperand(code, at+3); n > 0 && n < len(code) {
			return n + 1
		}
	}
	return 0
}

// prefixes counts the legacy prefixes and the REX prefix.
func prefixes(code []byte) int {
	n := 0
	for n < len(code) && legacyPrefix(code[n]) {
		n++
	}
	if n < len(code) && code[n]&0xf0 == 0x40 {
		n++
	}
	return n
}

func legacyPrefix(b byte) bool {
	switch b {
	case 0x66, 0x67, 0xf0, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65:
		return true
	}
	return false
}

// withOperand returns where the instruction ends whose ModRM byte is at at,
// 0 if the bytes end before it.
func withOperand(code []byte, at int) int {
	if at >= len(code) {
		return 0
	}
	mod, rm := code[at]>>6, code[at]&7
	end := at + 1
	base := rm
	if mod != 3 && rm == 4 { // a SIB byte follows
		if end >= len(code) {
			return 0
		}
		base = code[end] & 7
		end++
	}
	switch {
	case mod == 1:
		end++
	case mod == 2, mod == 0 && base == 5: // 32-bit displacement, RIP-relative included
		end += 4
	}
	if end > len(code) {
		return 0
	}
	return end
}
