package qemu

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runnable is a machine that Validate accepts.
func runnable(t *testing.T) Machine {
	t.Helper()
	m := Default()
	m.MemoryBytes = 256 << 20
	m.Kernel = testImage(t)
	return m
}

func TestMachinesThatRunAreAccepted(t *testing.T) {
	for _, shape := range [][3]int{{1, 1, 1}, {2, 2, 1}, {4, 2, 1}, {4, 2, 2}, {8, 2, 2}, {24, 2, 2}, {64, 8, 2}, {96, 8, 2}, {128, 8, 2}} {
		m := runnable(t)
		m.CPUs, m.LLCs, m.SMT = shape[0], shape[1], shape[2]
		if err := m.Validate(); err != nil {
			t.Errorf("%v: %v", m, err)
		}
	}
}

func TestImpossibleMachinesAreRefusedInOneLineThatNamesTheInput(t *testing.T) {
	for want, spoil := range map[string]func(*Machine){
		"0 CPUs: a machine has at least 1":                                             func(m *Machine) { m.CPUs = 0 },
		"-4 CPUs: a machine has at least 1":                                            func(m *Machine) { m.CPUs = -4 },
		"0 LLC domains: a machine has at least 1":                                      func(m *Machine) { m.LLCs = 0 },
		"SMT 0: a core has at least 1 CPU":                                             func(m *Machine) { m.SMT = 0 },
		"3 LLC domains on 4 CPUs: the number of CPUs must be a multiple of 3":          func(m *Machine) { m.LLCs = 3 },
		"8 LLC domains on 4 CPUs: the number of CPUs must be a multiple of 8":          func(m *Machine) { m.LLCs = 8 },
		"SMT 4 with 2 CPUs in each LLC domain: the number of CPUs must be a multiple":  func(m *Machine) { m.SMT = 4 },
		"300 CPUs in 1 LLC domains need APIC ids up to 299, and 254 is the last":       func(m *Machine) { m.CPUs, m.LLCs = 300, 1 },
		"256 CPUs in 2 LLC domains need APIC ids up to 255":                            func(m *Machine) { m.CPUs = 256 },
		"1048576 MiB of memory: this host has":                                         func(m *Machine) { m.MemoryBytes = 1 << 40 },
		"1048576 bytes of memory: a guest needs at least 64 MiB":                       func(m *Machine) { m.MemoryBytes = 1 << 20 },
		"536870913 bytes of memory: give a whole number of MiB":                        func(m *Machine) { m.MemoryBytes = 512<<20 + 1 },
		"deadline 0s: a run needs a positive one":                                      func(m *Machine) { m.Deadline = 0 },
		"a kernel command line of 4096 bytes: at most 4095 fit":                        func(m *Machine) { m.Append = strings.Repeat("x", 4096) },
		"firmware 7: QBoot and SeaBIOS are known":                                      func(m *Machine) { m.Firmware = 7 },
		"no kernel file is named: `hearth build` makes build/hearth.elf":               func(m *Machine) { m.Kernel = "" },
		"/nosuch.elf does not exist: `hearth build` makes images":                      func(m *Machine) { m.Kernel = "/nosuch.elf" },
		"/dev/null is no Hearth image: build it with hearth build, from a main that i": func(m *Machine) { m.Kernel = "/dev/null" },
	} {
		m := runnable(t)
		spoil(&m)
		err := m.Validate()
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v\n want %s", err, want)
		}
	}
}

// Six cores take the numbers of eight.
func TestAPICIDsLeaveGaps(t *testing.T) {
	for _, test := range []struct{ cpus, llcs, smt, want int }{
		{1, 1, 1, 0}, {4, 2, 1, 3}, {8, 2, 2, 7}, {24, 2, 2, 27}, {5, 1, 1, 4}, {96, 8, 2, 123}, {12, 4, 3, 14},
	} {
		m := Machine{CPUs: test.cpus, LLCs: test.llcs, SMT: test.smt}
		if got := m.lastAPICID(); got != test.want {
			t.Errorf("%d CPUs, %d LLC domains, SMT %d: last id %d, want %d", test.cpus, test.llcs, test.smt, got, test.want)
		}
	}
}

func TestOnlyHearthImagesAreImages(t *testing.T) {
	linux := bytes.Replace(pvhNote, []byte{18}, []byte{17}, 1)
	for name, test := range map[string]struct {
		note   []byte
		symbol string
		want   bool
	}{
		"Hearth":             {pvhNote, "hearth_load", true},
		"another PVH kernel": {pvhNote, "startup_xen", false},
		"unpatched":          {nil, "hearth_load", false},
		"another note":       {linux, "hearth_load", false},
		"a short note":       {pvhNote[:8], "hearth_load", false},
	} {
		f, err := os.Open(writeELF(t, test.note, test.symbol))
		if err != nil {
			t.Fatal(err)
		}
		if got := isImage(f); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
		f.Close()
	}
}

func TestModelsBelowTheFloorAreRefusedByName(t *testing.T) {
	for model, want := range map[string]string{
		"qemu64":                 "CPU model qemu64 lacks FSGSBASE, XSAVE, RDTSCP, which Hearth needs",
		"Nehalem":                "CPU model Nehalem lacks FSGSBASE, XSAVE, RDTSCP",
		"EPYC-Rome,-xsave":       "CPU model EPYC-Rome,-xsave lacks XSAVE,",
		"EPYC-Rome,fsgsbase=off": "CPU model EPYC-Rome,fsgsbase=off lacks FSGSBASE,",
		"PDP-11":                 "CPU model PDP-11: QEMU says: CPU model 'PDP-11' not found (`qemu-system-x86_64 -cpu help`",
		"Haswell":                "",
		"EPYC-Rome,topoext=on":   "",
		AMD:                      "",
	} {
		m := runnable(t)
		m.Model = model
		err := m.Validate()
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", model, err, want)
		}
	}
}

func TestMissingQEMUSaysHowToInstallIt(t *testing.T) {
	m := runnable(t)
	t.Setenv("PATH", t.TempDir())
	_, err := Run(t.Context(), m, nil)
	if !errors.Is(err, ErrNoQEMU) || !strings.Contains(err.Error(), "`make setup` installs it") {
		t.Errorf("Run: %v", err)
	}
	m.Model = "Haswell"
	if err := m.Validate(); !errors.Is(err, ErrNoQEMU) {
		t.Errorf("Validate: %v", err)
	}
}

func TestHostFactsAreReadFromTheHost(t *testing.T) {
	if got := hostMemory(); got < 1<<28 {
		t.Errorf("this host has %d bytes of memory", got)
	}
	name := filepath.Join(t.TempDir(), "cpuinfo")
	text := "processor\t: 0\nflags\t\t: fpu svm\n\nprocessor\t: 1\nflags\t\t: fpu\n"
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(cpuFlags(name), " "); got != "fpu svm" {
		t.Errorf("flags %q", got)
	}
}
