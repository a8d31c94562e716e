// Package walk proves on the linked ELF that kernel code is restricted Go: it
// follows every call from the kernel's entries through the machine code, and
// reports what allocates, what the collector or the scheduler of the runtime
// would have to serve, what it cannot follow, and what needs too much stack.
package walk

import (
	"cmp"
	"debug/elf"
	"debug/gosym"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// image is a linked ELF as the walk needs it: code by address, functions by
// address and name, and the line of every instruction.
type image struct {
	segments []segment
	funcs    []*function // by address
	byName   map[string]*function
	lines    *gosym.Table
}

// segment is a loaded piece of the file.
type segment struct {
	addr     uint64
	data     []byte // without the zeros that follow it in memory
	code     bool
	writable bool
}

// function is one symbol of code.
type function struct {
	name string // as the linker spells it, less the mark of its ABI
	addr uint64
	size uint64
	file string // of its first instruction, "" if the line table has none
}

func (f *function) end() uint64 { return f.addr + f.size }

// assembly tells whether the function was written in assembly, so that the
// compiler vouches for nothing in it.
func (f *function) assembly() bool { return strings.HasSuffix(f.file, ".s") }

// openImage reads an ELF that the Go linker made and nothing has stripped.
func openImage(name string) (*image, error) {
	file, err := elf.Open(name)
	var format *elf.FormatError
	if errors.As(err, &format) {
		return nil, fmt.Errorf("%s is no ELF: %w", name, err)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if file.Machine != elf.EM_X86_64 {
		return nil, fmt.Errorf("%s is for %v, not for x86-64", name, file.Machine)
	}
	im := &image{byName: map[string]*function{}}
	if err := im.load(file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	symbols, err := file.Symbols()
	if err != nil {
		return nil, fmt.Errorf("%s: %w (the walk needs the unpatched, unstripped ELF)", name, err)
	}
	for _, s := range symbols {
		im.add(s)
	}
	slices.SortFunc(im.funcs, func(a, b *function) int { return cmp.Compare(a.addr, b.addr) })
	return im, nil
}

// load reads the segments and the line table.
func (im *image) load(file *elf.File) error {
	for _, p := range file.Progs {
		if p.Type != elf.PT_LOAD || p.Filesz == 0 {
			continue
		}
		data := make([]byte, p.Filesz)
		if _, err := p.ReadAt(data, 0); err != nil {
			return err
		}
		im.segments = append(im.segments, segment{p.Vaddr, data, p.Flags&elf.PF_X != 0, p.Flags&elf.PF_W != 0})
	}
	text, table := file.Section(".text"), file.Section(".gopclntab")
	if text == nil || table == nil {
		return errors.New("no Go program: it has no .text or no .gopclntab")
	}
	data, err := table.Data()
	if err != nil {
		return err
	}
	im.lines, err = gosym.NewTable(nil, gosym.NewLineTable(data, text.Addr))
	return err
}

// add takes a symbol of code. Where both ABIs of a function exist the linker
// marks the one for assembly callers; it keeps its mark in byName, since the
// two are different code.
func (im *image) add(s elf.Symbol) {
	if elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Size == 0 {
		return
	}
	f := &function{name: strings.TrimSuffix(s.Name, ".abi0"), addr: s.Value, size: s.Size}
	f.file, _, _ = im.lines.PCToLine(s.Value)
	im.funcs = append(im.funcs, f)
	im.byName[s.Name] = f
}

// at returns the bytes from addr to the end of its segment.
func (im *image) at(addr uint64) (segment, []byte) {
	for _, s := range im.segments {
		if addr >= s.addr && addr-s.addr < uint64(len(s.data)) {
			return s, s.data[addr-s.addr:]
		}
	}
	return segment{}, nil
}

// constant reads a word that the program cannot change.
func (im *image) constant(addr uint64) (uint64, bool) {
	s, data := im.at(addr)
	if s.writable || len(data) < 8 {
		return 0, false
	}
	return binary.LittleEndian.Uint64(data), true
}

// function finds the function that holds addr.
func (im *image) function(addr uint64) *function {
	i, found := slices.BinarySearchFunc(im.funcs, addr, func(f *function, a uint64) int { return cmp.Compare(f.addr, a) })
	if !found {
		i--
	}
	if i < 0 || addr >= im.funcs[i].end() {
		return nil
	}
	return im.funcs[i]
}

// named returns the functions that a symbol of the entry list means: both ABIs
// where there are two.
func (im *image) named(symbol string) []*function {
	var found []*function
	for _, name := range []string{symbol, symbol + ".abi0"} {
		if f := im.byName[name]; f != nil {
			found = append(found, f)
		}
	}
	return found
}

// where says file:line of an instruction, with the module's name cut off.
func (im *image) where(addr uint64) string {
	file, line, _ := im.lines.PCToLine(addr)
	if file == "" {
		return fmt.Sprintf("%#x", addr)
	}
	return fmt.Sprintf("%s:%d", strings.TrimPrefix(file, "hearth/"), line)
}
