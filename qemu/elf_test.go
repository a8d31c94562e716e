package qemu

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// writeELF makes the smallest ELF with one note and one symbol, or without.
func writeELF(t *testing.T, note []byte, symbol string) string {
	t.Helper()
	const head, program, section = 64, 56, 64
	names := append([]byte{0}, symbol+"\x00"...)
	noteAt := uint64(head + program)
	symbolsAt := noteAt + uint64(len(note))
	namesAt := symbolsAt + 2*elf.Sym64Size
	sectionsAt := namesAt + uint64(len(names))
	header := elf.Header64{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:  uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: uint32(elf.EV_CURRENT),
		Phoff: head, Shoff: sectionsAt, Ehsize: head,
		Phentsize: program, Phnum: 1, Shentsize: section, Shnum: 3, Shstrndx: 2,
	}
	var b bytes.Buffer
	for _, part := range []any{
		header,
		elf.Prog64{Type: uint32(elf.PT_NOTE), Off: noteAt, Filesz: uint64(len(note)), Memsz: uint64(len(note)), Align: 4},
		note,
		elf.Sym64{}, elf.Sym64{Name: 1, Shndx: uint16(elf.SHN_ABS)},
		names,
		elf.Section64{},
		elf.Section64{Type: uint32(elf.SHT_SYMTAB), Off: symbolsAt, Size: 2 * elf.Sym64Size, Link: 2, Entsize: elf.Sym64Size},
		elf.Section64{Type: uint32(elf.SHT_STRTAB), Off: namesAt, Size: uint64(len(names))},
	} {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "k.elf")
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

var pvhNote = []byte("\x04\x00\x00\x00\x04\x00\x00\x00\x12\x00\x00\x00Xen\x00\x00\x00\x00\x02")

// testImage is a file that passes for a Hearth image.
func testImage(t *testing.T) string { return writeELF(t, pvhNote, "hearth_load") }
