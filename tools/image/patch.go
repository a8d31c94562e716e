package image

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Where the image lies. The physical address is the kernel's to choose; it
// tells it in the symbol hearth_load.
const (
	linkBase    = 0x7e0000000000 // virtual address of the ELF header
	scratchSize = 64 << 10       // below the image: the entry's first page tables and stack
	headerPage  = 4096           // the linker keeps this much of the file for headers
)

// ErrNoImage is the error for an ELF that does not hold the kernel.
var ErrNoImage = errors.New("is no Hearth image: build it with hearth build, from a main that imports hearth/kernel")

// PatchFile reads a linked ELF and writes the image that boots.
func PatchFile(linked, image string) error {
	raw, err := os.ReadFile(linked)
	if err != nil {
		return err
	}
	out, err := Patch(raw)
	if err != nil {
		return fmt.Errorf("%s %w", linked, err)
	}
	return replaceFile(image, out)
}

// replaceFile puts a file in place whole: a QEMU that is reading the old one
// keeps reading the old one.
func replaceFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".new*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o755), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// Patch returns a copy of a linked ELF with physical addresses, a segment for
// the entry's scratch memory and the PVH note by which a loader finds the
// 32-bit entry. The note takes free room in the first page, and each of the two
// new program headers the place of one that a kernel has no use for.
func Patch(linked []byte) ([]byte, error) {
	at, err := locate(linked)
	if err != nil {
		return nil, err
	}
	p := patcher{out: bytes.Clone(linked), at: at}
	if err := p.makeRoom(); err != nil {
		return nil, err
	}
	p.writeNote()
	for i, h := range at.headers {
		switch h.Type {
		case elf.PT_LOAD:
			p.setPhysical(i, h.Vaddr-linkBase+at.load)
		case elf.PT_PHDR:
			p.setScratch(i)
		case elf.PT_GNU_STACK:
			p.setNote(i)
		}
	}
	return p.out, nil
}

// patcher edits the bytes of an ELF in place.
type patcher struct {
	out  []byte
	at   layout
	note uint64 // file offset of the PVH note
}

// makeRoom finds the place of the note: behind the section headers, which the
// linker puts behind the program headers and keeps within the first page.
func (p *patcher) makeRoom() error {
	end := p.at.programEnd
	if p.at.sectionOffset < headerPage {
		end = max(end, p.at.sectionEnd)
	}
	from := align(end, 8)
	if from+noteSize > headerPage {
		return fmt.Errorf("has %d bytes of headers, which leave no room for the PVH note in the first page", end)
	}
	if room := p.out[from : from+noteSize]; p.at.occupied(from, from+noteSize) || len(bytes.Trim(room, "\x00")) != 0 {
		return fmt.Errorf("has something at offset %#x, where the PVH note goes", from)
	}
	p.note = from
	return nil
}

// The PVH note: three words of header, the owner, the entry's physical address,
// and one zero word since QEMU reads eight bytes of address.
const (
	noteSize     = 24
	noteUsed     = 20
	notePVHEntry = 18 // XEN_ELFNOTE_PHYS32_ENTRY
)

func (p *patcher) writeNote() {
	n := p.out[p.note:]
	binary.LittleEndian.PutUint32(n[0:], 4) // bytes of owner
	binary.LittleEndian.PutUint32(n[4:], 4) // bytes of address
	binary.LittleEndian.PutUint32(n[8:], notePVHEntry)
	copy(n[12:], "Xen\x00")
	binary.LittleEndian.PutUint32(n[16:], uint32(p.at.pvh))
}

func (p *patcher) setNote(i int) {
	p.put(i, elf.Prog64{
		Type: uint32(elf.PT_NOTE), Flags: uint32(elf.PF_R), Off: p.note,
		Vaddr: linkBase + p.note, Paddr: p.at.load + p.note,
		Filesz: noteUsed, Memsz: noteUsed, Align: 4,
	})
}

func (p *patcher) setScratch(i int) {
	p.put(i, elf.Prog64{
		Type: uint32(elf.PT_LOAD), Flags: uint32(elf.PF_R | elf.PF_W),
		Vaddr: linkBase - scratchSize, Paddr: p.at.load - scratchSize,
		Memsz: scratchSize, Align: headerPage,
	})
}

func (p *patcher) setPhysical(i int, addr uint64) {
	const paddr = 24 // its place in a program header
	binary.LittleEndian.PutUint64(p.out[p.at.headerOffset(i)+paddr:], addr)
}

func (p *patcher) put(i int, h elf.Prog64) {
	if _, err := binary.Encode(p.out[p.at.headerOffset(i):], binary.LittleEndian, h); err != nil {
		panic(err) // the headers were read from this place
	}
}

func align(n, to uint64) uint64 { return (n + to - 1) &^ (to - 1) }
