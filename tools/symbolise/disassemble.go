package symbolise

import (
	"fmt"
	"io"

	"golang.org/x/arch/x86/x86asm"
)

// How many instructions are shown before the failed one and after it.
const (
	showBefore = 8
	showAfter  = 4
)

// instruction is one that was decoded, or one byte that could not be.
type instruction struct {
	pc   uint64
	size int
	text string
}

// disassemble writes the instructions around pc, which an arrow marks. It
// decodes from the function's start: x86 code cannot be read backwards.
func (t *Table) disassemble(w io.Writer, pc uint64) {
	fn := t.lines.PCToFunc(pc)
	if fn == nil || !t.holds(pc) {
		return
	}
	var shown []instruction
	after := 0
	for at := fn.Entry; at < fn.End && t.holds(at) && after <= showAfter; {
		in := t.decode(at)
		at += uint64(in.size)
		shown = append(shown, in)
		if at <= pc {
			shown = shown[max(0, len(shown)-showBefore):]
		} else {
			after++
		}
	}
	for _, in := range shown {
		mark := "  "
		if in.pc <= pc && pc < in.pc+uint64(in.size) {
			mark = "=>"
		}
		fmt.Fprintf(w, "  %s %#x %s\n", mark, in.pc, in.text)
	}
}

func (t *Table) decode(pc uint64) instruction {
	code := t.code[pc-t.start:]
	in, err := x86asm.Decode(code, 64)
	if err != nil {
		return instruction{pc, 1, fmt.Sprintf("BYTE $%#02x", code[0])}
	}
	return instruction{pc, in.Len, x86asm.GoSyntax(in, pc, t.symbol)}
}

// symbol names the function that holds an address, as x86asm asks for it.
func (t *Table) symbol(pc uint64) (name string, base uint64) {
	if fn := t.lines.PCToFunc(pc); fn != nil && t.holds(pc) {
		return fn.Name, fn.Entry
	}
	return "", 0
}
