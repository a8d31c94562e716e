// Package symbolise explains a guest's log: it adds function, file and line to
// every address of the image's code, and to a crash record the instructions
// around the one that failed.
package symbolise

import (
	"debug/elf"
	"debug/gosym"
	"errors"
	"fmt"
	"io/fs"
)

// Table knows the code of one image.
type Table struct {
	lines *gosym.Table
	start uint64 // address of the first byte of code
	code  []byte
}

// Open reads an image or the linked ELF that it was made of.
func Open(name string) (*Table, error) {
	f, err := elf.Open(name)
	var file *fs.PathError
	switch {
	case errors.As(err, &file):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%s is no ELF file: name the image that wrote the log", name)
	}
	defer f.Close()
	text, pcln := f.Section(".text"), f.Section(".gopclntab")
	if text == nil || pcln == nil {
		return nil, fmt.Errorf("%s has no Go line table: name the image that wrote the log", name)
	}
	t := &Table{start: text.Addr}
	if t.code, err = text.Data(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	table, err := pcln.Data()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if t.lines, err = gosym.NewTable(nil, gosym.NewLineTable(table, text.Addr)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// Place is where an address lies.
type Place struct {
	Func   string
	Offset uint64 // bytes into the function
	File   string // "" if the compiler or linker made the code of nothing
	Line   int
}

// String is the place as a log shows it: FUNC FILE:LINE, or FUNC+OFFSET.
func (p Place) String() string {
	if p.File == "" {
		return fmt.Sprintf("%s+%d", p.Func, p.Offset)
	}
	return fmt.Sprintf("%s %s:%d", p.Func, p.File, p.Line)
}

// Lookup finds the place of an instruction; false if it is no code of the image.
func (t *Table) Lookup(pc uint64) (Place, bool) {
	if !t.holds(pc) {
		return Place{}, false
	}
	file, line, fn := t.lines.PCToLine(pc)
	if fn == nil {
		return Place{}, false
	}
	return Place{fn.Name, pc - fn.Entry, file, line}, true
}

func (t *Table) holds(pc uint64) bool {
	return pc >= t.start && pc-t.start < uint64(len(t.code))
}
