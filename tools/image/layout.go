package image

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// layout is what the patcher must know of a linked ELF.
type layout struct {
	headers       []elf.ProgHeader
	sections      []elf.SectionHeader
	load          uint64 // physical address for the ELF header
	pvh           uint64 // physical address of the 32-bit entry
	programOffset uint64 // in the file: the program headers
	programEnd    uint64
	sectionOffset uint64 // in the file: the section headers
	sectionEnd    uint64
}

// headerBytes is the size of one 64-bit program header.
const headerBytes = 56

func (l layout) headerOffset(i int) uint64 { return l.programOffset + uint64(i)*headerBytes }

// occupied reports whether a section has bytes between two file offsets.
func (l layout) occupied(from, to uint64) bool {
	for _, s := range l.sections {
		if s.Type != elf.SHT_NULL && s.Type != elf.SHT_NOBITS && s.Offset < to && s.Offset+s.FileSize > from {
			return true
		}
	}
	return false
}

// locate reads an ELF and refuses what cannot become an image.
func locate(raw []byte) (layout, error) {
	f, err := elf.NewFile(bytes.NewReader(raw))
	if err != nil {
		return layout{}, fmt.Errorf("is no ELF file: %w", err)
	}
	if f.Class != elf.ELFCLASS64 || f.Machine != elf.EM_X86_64 {
		return layout{}, fmt.Errorf("is an ELF for %v, not for x86-64", f.Machine)
	}
	l := layout{}
	for _, p := range f.Progs {
		l.headers = append(l.headers, p.ProgHeader)
	}
	for _, s := range f.Sections {
		l.sections = append(l.sections, s.SectionHeader)
	}
	l.readOffsets(raw)
	if err := l.readSymbols(f); err != nil {
		return layout{}, err
	}
	return l, l.check()
}

func (l *layout) readOffsets(raw []byte) {
	le := binary.LittleEndian
	l.programOffset, l.sectionOffset = le.Uint64(raw[32:]), le.Uint64(raw[40:])
	l.programEnd = l.programOffset + uint64(len(l.headers))*headerBytes
	l.sectionEnd = l.sectionOffset + uint64(len(l.sections))*uint64(le.Uint16(raw[58:]))
}

// readSymbols finds what the kernel says of itself: where it wants to be loaded
// and where its 32-bit entry is.
func (l *layout) readSymbols(f *elf.File) error {
	symbols, err := f.Symbols()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return err
	}
	var load, pvh uint64
	for _, s := range symbols {
		switch strings.TrimSuffix(s.Name, ".abi0") {
		case "hearth_load":
			load = s.Value
		case "hearth_pvh":
			pvh = s.Value
		}
	}
	if load == 0 || pvh == 0 {
		return ErrNoImage
	}
	if l.load, err = readWord(f, load); err != nil {
		return fmt.Errorf("has a symbol hearth_load, but %w", err)
	}
	l.pvh = pvh - linkBase + l.load
	return nil
}

// readWord reads eight bytes of initialised memory.
func readWord(f *elf.File, addr uint64) (uint64, error) {
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD && addr >= p.Vaddr && addr+8 <= p.Vaddr+p.Filesz {
			var word [8]byte
			_, err := p.ReadAt(word[:], int64(addr-p.Vaddr))
			return binary.LittleEndian.Uint64(word[:]), err
		}
	}
	return 0, fmt.Errorf("there is no initialised data at its address %#x", addr)
}

// check holds the assumptions of the patch against what the linker made.
func (l layout) check() error {
	var phdrs, stacks int
	var first, end uint64
	for _, h := range l.headers {
		switch h.Type {
		case elf.PT_PHDR:
			phdrs++
		case elf.PT_GNU_STACK:
			stacks++
		case elf.PT_LOAD:
			if first == 0 {
				first = h.Vaddr
			}
			end = max(end, h.Vaddr+h.Memsz)
		}
	}
	switch {
	case phdrs == 0 && l.hasNote():
		return errors.New("is bootable already")
	case phdrs != 1 || stacks != 1:
		return fmt.Errorf("has %d PT_PHDR and %d PT_GNU_STACK headers, one of each was expected: this Go linker is not known to Hearth", phdrs, stacks)
	case first != linkBase:
		return fmt.Errorf("is linked at %#x, not at %#x: link it with hearth build", first, uint64(linkBase))
	case l.load%headerPage != 0 || l.load < 1<<20+scratchSize:
		return fmt.Errorf("wants to be loaded at %#x (symbol hearth_load): it must be a whole page, with %d KiB of scratch below it, all above 1 MiB", l.load, scratchSize>>10)
	case l.load+(end-linkBase) > 1<<32:
		return fmt.Errorf("would end at physical %#x, beyond the 4 GiB that a 32-bit entry reaches", l.load+(end-linkBase))
	}
	return nil
}

func (l layout) hasNote() bool {
	for _, h := range l.headers {
		if h.Type == elf.PT_NOTE {
			return true
		}
	}
	return false
}
