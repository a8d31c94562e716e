package image

import (
	"bytes"
	"debug/elf"
	"os"
	"strings"
	"testing"
)

// linkedLayout is what the Go linker makes of testdata/tiny.
func linkedLayout(t *testing.T) (raw []byte, l layout) {
	t.Helper()
	raw, err := os.ReadFile(buildTiny(t).Symbols)
	if err != nil {
		t.Fatal(err)
	}
	l, err = locate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return raw, l
}

func TestLayoutsThatCannotBootAreRefused(t *testing.T) {
	raw, good := linkedLayout(t)
	for want, spoil := range map[string]func(*layout){
		"wants to be loaded at 0x2000800":        func(l *layout) { l.load = 0x2000800 },
		"wants to be loaded at 0x100000":         func(l *layout) { l.load = 0x100000 },
		"beyond the 4 GiB":                       func(l *layout) { l.load = 0xffff0000 },
		"is linked at 0x400000":                  func(l *layout) { first(l, elf.PT_LOAD).Vaddr = 0x400000 },
		"has 0 PT_PHDR and 1 PT_GNU_STACK":       func(l *layout) { first(l, elf.PT_PHDR).Type = elf.PT_NULL },
		"has 1 PT_PHDR and 0 PT_GNU_STACK":       func(l *layout) { first(l, elf.PT_GNU_STACK).Type = elf.PT_NULL },
		"this Go linker is not known to Hearth":  func(l *layout) { first(l, elf.PT_GNU_STACK).Type = elf.PT_NOTE },
		"is bootable already":                    func(l *layout) { first(l, elf.PT_PHDR).Type = elf.PT_NOTE },
		"which leave no room for the PVH note":   func(l *layout) { l.sectionEnd = headerPage - noteSize + 1 },
		"has something at offset 0x758, where":   func(l *layout) { l.sections[1].Offset = 0x760 },
		"has something at offset 0x40, where th": func(l *layout) { l.programEnd, l.sectionOffset = 0x40, headerPage },
	} {
		l := good
		l.headers = append([]elf.ProgHeader(nil), good.headers...)
		l.sections = append([]elf.SectionHeader(nil), good.sections...)
		spoil(&l)
		if err := tryPatch(raw, l); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	if err := tryPatch(raw, good); err != nil {
		t.Errorf("the layout as it was: %v", err)
	}
}

func first(l *layout, kind elf.ProgType) *elf.ProgHeader {
	for i := range l.headers {
		if l.headers[i].Type == kind {
			return &l.headers[i]
		}
	}
	return &elf.ProgHeader{}
}

// tryPatch goes through the checks of Patch with a layout.
func tryPatch(raw []byte, l layout) error {
	if err := l.check(); err != nil {
		return err
	}
	p := patcher{out: bytes.Clone(raw), at: l}
	return p.makeRoom()
}

func TestDamagedFilesAreRefused(t *testing.T) {
	raw, _ := linkedLayout(t)
	for n := 0; n < len(raw); n += 1 + len(raw)/64 {
		if _, err := Patch(raw[:n]); err == nil {
			t.Errorf("the first %d of %d bytes made an image", n, len(raw))
		}
	}
	other := append([]byte(nil), raw...)
	other[18] = byte(elf.EM_AARCH64)
	other[19] = 0
	if _, err := Patch(other); err == nil || !strings.Contains(err.Error(), "is an ELF for EM_AARCH64") {
		t.Errorf("an ELF for another processor: %v", err)
	}
}
