package qemu

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
)

const (
	// The image takes 34 MiB and more, with its zeroed data. What is left of 64
	// does for a small program.
	minMemory = 64 << 20
	// TCG has no x2APIC: ids are 8 bits, and 255 means every CPU.
	maxAPICID = 254
	// The kernel keeps its command line in a page, with a zero at the end.
	maxCommandLine = 4095
)

// Validate refuses a machine that cannot run, in one line that names the wrong
// input and the way out. Only a Model other than the default needs QEMU for it.
func (m Machine) Validate() error {
	if err := m.ValidateHardware(); err != nil {
		return err
	}
	return m.checkKernel()
}

// ValidateHardware is Validate without a look at the image, which may be yet to
// be made.
func (m Machine) ValidateHardware() error {
	for _, check := range []func() error{m.checkTopology, m.checkMemory, m.checkRun, m.checkModel} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (m Machine) checkTopology() error {
	switch {
	case m.CPUs < 1:
		return fmt.Errorf("%d CPUs: a machine has at least 1", m.CPUs)
	case m.LLCs < 1:
		return fmt.Errorf("%d LLC domains: a machine has at least 1", m.LLCs)
	case m.SMT < 1:
		return fmt.Errorf("SMT %d: a core has at least 1 CPU", m.SMT)
	case m.CPUs%m.LLCs != 0:
		return fmt.Errorf("%d LLC domains on %d CPUs: the number of CPUs must be a multiple of %d", m.LLCs, m.CPUs, m.LLCs)
	case m.CPUs%(m.LLCs*m.SMT) != 0:
		return fmt.Errorf("SMT %d with %d CPUs in each LLC domain: the number of CPUs must be a multiple of %d", m.SMT, m.CPUs/m.LLCs, m.LLCs*m.SMT)
	case m.lastAPICID() > maxAPICID && !strings.Contains(m.Model, "x2apic"):
		return fmt.Errorf("%d CPUs in %d LLC domains need APIC ids up to %d, and %d is the last without x2APIC: use fewer CPUs or LLC domains", m.CPUs, m.LLCs, m.lastAPICID(), maxAPICID)
	}
	return nil
}

// lastAPICID is the greatest one: a number for each level, each in as many bits
// as its count needs.
func (m Machine) lastAPICID() int {
	width := func(n int) int { return bits.Len(uint(n - 1)) }
	cores := m.coresPerLLC()
	core := (m.LLCs-1)<<width(cores) | (cores - 1)
	return core<<width(m.SMT) | (m.SMT - 1)
}

func (m Machine) checkMemory() error {
	host := hostMemory()
	switch {
	case m.MemoryBytes < minMemory:
		return fmt.Errorf("%d bytes of memory: a guest needs at least %d MiB", m.MemoryBytes, minMemory>>20)
	case m.MemoryBytes%(1<<20) != 0:
		return fmt.Errorf("%d bytes of memory: give a whole number of MiB", m.MemoryBytes)
	case host > 0 && m.MemoryBytes > host:
		return fmt.Errorf("%d MiB of memory: this host has %d MiB", m.MemoryBytes>>20, host>>20)
	}
	return nil
}

func (m Machine) checkRun() error {
	switch {
	case m.Deadline <= 0:
		return fmt.Errorf("deadline %v: a run needs a positive one", m.Deadline)
	case len(m.commandLine()) > maxCommandLine:
		return fmt.Errorf("a kernel command line of %d bytes: at most %d fit", len(m.commandLine()), maxCommandLine)
	case m.TraceFile != "" && !isFolder(filepath.Dir(m.TraceFile)):
		return fmt.Errorf("trace file %s: there is no folder %s", m.TraceFile, filepath.Dir(m.TraceFile))
	case m.Firmware != QBoot && m.Firmware != SeaBIOS:
		return fmt.Errorf("firmware %d: QBoot and SeaBIOS are known", m.Firmware)
	}
	return nil
}

func (m Machine) checkKernel() error {
	if m.Kernel == "" {
		return errors.New("no kernel file is named: `hearth build` makes build/hearth.elf")
	}
	f, err := os.Open(m.Kernel)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s does not exist: `hearth build` makes images", m.Kernel)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if !isImage(f) {
		return fmt.Errorf("%s is no Hearth image: build it with hearth build, from a main that imports hearth/kernel", m.Kernel)
	}
	return nil
}

// isImage reports whether a file is an ELF with the note by which QEMU finds the
// 32-bit entry and the symbol by which Hearth's kernel names its load address.
// The note alone is not enough: Linux has one too.
func isImage(r io.ReaderAt) bool {
	f, err := elf.NewFile(r)
	if err != nil || !hasPVHNote(f) {
		return false
	}
	symbols, err := f.Symbols()
	if err != nil {
		return false
	}
	for _, s := range symbols {
		if s.Name == "hearth_load" {
			return true
		}
	}
	return false
}

func hasPVHNote(f *elf.File) bool {
	for _, p := range f.Progs {
		if p.Type != elf.PT_NOTE {
			continue
		}
		note, err := io.ReadAll(p.Open())
		if err == nil && len(note) >= 16 && bytes.Equal(note[8:16], []byte("\x12\x00\x00\x00Xen\x00")) {
			return true
		}
	}
	return false
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
