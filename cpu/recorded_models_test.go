package cpu

import (
	"strings"
	"testing"
)

// models is what the recorded machines must decode to. A tree is written as
// LLC domains of cores of CPUs: two domains of one SMT core each are "0,1 / 2,3".
var models = map[string]struct {
	tree            string
	nodes, packages int
	notes           Notes
}{
	"rome-2die-1core-smt2":    {"0,1 / 2,3", 2, 1, 0},
	"rome-2die-2core-smt2":    {"0,1 2,3 / 4,5 6,7", 2, 1, 0},
	"rome-2die-4core-smt2":    {"0,1 2,3 4,5 6,7 / 8,9 10,11 12,13 14,15", 2, 1, 0},
	"milan-2die-4core-smt2":   {"0,1 2,3 4,5 6,7 / 8,9 10,11 12,13 14,15", 2, 1, 0},
	"rome-2socket-4core-smt2": {"0,1 2,3 4,5 6,7 / 8,9 10,11 12,13 14,15", 2, 2, 0},
	"rome-4die-2core-smt2":    {"0,1 2,3 / 4,5 6,7 / 8,9 10,11 / 12,13 14,15", 4, 1, 0},
	"rome-8die-1core":         {"0 / 1 / 2 / 3 / 4 / 5 / 6 / 7", 8, 1, 0},
	// APIC ids 0-5, 8-13: the width of a domain is 6 rounded up.
	"rome-2die-3core-smt2": {"0,1 2,3 4,5 / 6,7 8,9 10,11", 2, 1, 0},
	"rome-3die-3core":      {"0 1 2 / 3 4 5 / 6 7 8", 3, 1, 0},
	// APIC ids 0, 1, 4, 8, 15.
	"rome-asymmetric": {"0,1 2 / 3 4", 2, 1, 0},
	"rome-offline":    {"0,1 2,3 4,5", 1, 1, 0},
	// The bit of topology extensions is masked, its leaves are there.
	"rome-plain-2die-2core-smt2": {"0,1 2,3 / 4,5 6,7", 2, 1, 0},
	// No cache leaf at all: a domain per core, one line in the log.
	"qemu64-2die-2core-smt2": {"0,1 / 2,3 / 4,5 / 6,7", 1, 1, NoteNoL3},
	"max-2die-2core-smt2":    {"0,1 / 2,3 / 4,5 / 6,7", 1, 1, NoteNoL3},
	"phenom-4core":           {"0 / 1 / 2 / 3", 1, 1, NoteNoL3},
	"qemu64-xlevel":          {"0,1 2,3 / 4,5 6,7", 2, 1, 0},
	// Intel: leaf 4, and 0x1F where a package has dies.
	"skylake-2die-4core-smt2":        {"0,1 2,3 4,5 6,7 / 8,9 10,11 12,13 14,15", 2, 1, 0},
	"icelake-2socket-4core-smt2":     {"0,1 2,3 4,5 6,7 / 8,9 10,11 12,13 14,15", 2, 2, 0},
	"cascadelake-2socket-2die-2core": {"0 1 / 2 3 / 4 5 / 6 7", 4, 2, 0},
	"skylake-nol3":                   {"0,1 / 2,3 / 4,5 / 6,7", 1, 1, NoteNoL3},
	"rome-as-intel":                  {"0,1 2,3 / 4,5 6,7", 2, 1, 0},
	"one":                            {"0", 1, 1, 0},
}

// treeOf returns the tree in the notation of models, from what the kernel prints.
func treeOf(top *Topology) string {
	var buf [TreeBytes]byte
	var domains []string
	for _, line := range strings.Split(string(buf[:AppendTree(buf[:], top)]), "\n") {
		var cores []string
		for _, part := range strings.Split(line, "{")[1:] {
			cores = append(cores, part[:strings.Index(part, "}")])
		}
		if cores != nil {
			domains = append(domains, strings.Join(cores, " "))
		}
	}
	return strings.Join(domains, " / ")
}

func TestRecordedMachinesDecodeToWhatTheirConfigurationAskedFor(t *testing.T) {
	machines := recordings(t)
	if len(machines) != len(models) {
		t.Errorf("%d machines recorded, %d expected", len(machines), len(models))
	}
	for name, want := range models {
		t.Run(name, func(t *testing.T) {
			top := build(t, machines[name])
			if got := treeOf(top); got != want.tree {
				t.Errorf("tree is %s, want %s", got, want.tree)
			}
			if top.Nodes != want.nodes || top.Packages != want.packages {
				t.Errorf("%d nodes, %d packages, want %d, %d", top.Nodes, top.Packages, want.nodes, want.packages)
			}
			if top.Notes != want.notes {
				t.Errorf("notes %b, want %b", top.Notes, want.notes)
			}
		})
	}
}

func TestFloorNamesWhatARecordedModelLacks(t *testing.T) {
	machines := recordings(t)
	for name, want := range map[string]string{
		"rome-2die-2core-smt2":   "",
		"skylake-nol3":           "",
		"max-2die-2core-smt2":    "",
		"qemu64-2die-2core-smt2": "FSGSBASE",
		"phenom-4core":           "FSGSBASE",
	} {
		if got := machines[name][0].leaves(t).Floor(); got != want {
			t.Errorf("%s lacks %q, want %q", name, got, want)
		}
	}
}

func TestFloorNamesEachMissingFeature(t *testing.T) {
	cpu := recordings(t)["rome-2die-2core-smt2"][0]
	for name, clear := range map[string]func(map[Query]Registers){
		"FSGSBASE": func(w map[Query]Registers) { mask(w, leafFeatures, Registers{EBX: 1}) },
		"XSAVE":    func(w map[Query]Registers) { mask(w, leafBasic, Registers{ECX: 1 << 26}) },
		"NX":       func(w map[Query]Registers) { mask(w, leafExtBasic, Registers{EDX: 1 << 20}) },
		"RDTSCP":   func(w map[Query]Registers) { mask(w, leafExtBasic, Registers{EDX: 1 << 27}) },
	} {
		without := &recording{words: make(map[Query]Registers)}
		for q, w := range cpu.words {
			without.words[q] = w
		}
		clear(without.words)
		if got := without.leaves(t).Floor(); got != name {
			t.Errorf("without %s: %q is missing", name, got)
		}
	}
}

// mask clears bits of a recorded leaf.
func mask(words map[Query]Registers, leaf uint32, bits Registers) {
	w := words[Query{Leaf: leaf}]
	words[Query{Leaf: leaf}] = Registers{w.EAX &^ bits.EAX, w.EBX &^ bits.EBX, w.ECX &^ bits.ECX, w.EDX &^ bits.EDX}
}

func TestFeaturesOfARecordedModel(t *testing.T) {
	machines := recordings(t)
	var f Features
	machines["rome-2die-2core-smt2"][0].leaves(t).Features(&f)
	if got := string(f.Vendor[:]); got != "AuthenticAMD" {
		t.Errorf("vendor %q", got)
	}
	if got := strings.TrimRight(string(f.Brand[:]), "\x00"); got != "AMD EPYC-Rome Processor" {
		t.Errorf("brand %q", got)
	}
	if f.Family != 0x17 || f.Model != 0x31 || f.Step != 0 {
		t.Errorf("family %#x model %#x step %d", f.Family, f.Model, f.Step)
	}
	if f.XSAVEMask != 7 || f.XSAVEBytes != 0x340 || f.XSAVEEnabled != 0x240 || !f.XSAVEOPT {
		t.Errorf("XSAVE mask %#x, %d bytes, %d enabled, opt %v", f.XSAVEMask, f.XSAVEBytes, f.XSAVEEnabled, f.XSAVEOPT)
	}
	if !f.Hypervisor || f.TSCDeadline || f.X2APIC || f.MWAIT || f.TSCHz != 0 || f.PhysicalBits != 40 {
		t.Errorf("features %+v", f)
	}
	machines["icelake-2socket-4core-smt2"][0].leaves(t).Features(&f)
	if got := string(f.Vendor[:]); got != "GenuineIntel" || f.Family != 6 || f.Model != 0x86 {
		t.Errorf("%q family %#x model %#x", got, f.Family, f.Model)
	}
}

func TestMWAITWithoutAStatedLineIsNotUsed(t *testing.T) {
	emulated := recordings(t)["rome-2die-2core-smt2"][0] // leaf 5 states no line size
	emulated.words[Query{Leaf: leafBasic}] = Registers{ECX: emulated.words[Query{Leaf: leafBasic}].ECX | 1<<3}
	var f Features
	if emulated.leaves(t).Features(&f); f.MWAIT || f.MWAITHints || f.MWAITSub != 0 {
		t.Errorf("features %+v", f)
	}
	emulated.words[Query{Leaf: leafMWAIT}] = Registers{64, 64, 3, 0x2020}
	if emulated.leaves(t).Features(&f); !f.MWAIT || !f.MWAITHints || !f.MWAITBreak || f.MWAITSub != 0x2020 || f.MonitorLine != 64 {
		t.Errorf("with a line size: features %+v", f)
	}
}

func TestEveryRecordedCPUStatesItsAPICId(t *testing.T) {
	for name, cpus := range recordings(t) {
		for _, r := range cpus {
			if got := r.leaves(t).APIC(); got != r.apic {
				t.Errorf("%s: CPU %#x states %#x", name, r.apic, got)
			}
		}
	}
}

func TestAPICIdsBeyondAByteAreWhole(t *testing.T) {
	m := zen(4, 9)
	r := recording{511, m.words(511)}
	if got := r.leaves(t).APIC(); got != 511 {
		t.Errorf("CPU 511 states %d", got)
	}
}

func TestStatedRateOfTheTSC(t *testing.T) {
	cpu := recordings(t)["rome-2die-2core-smt2"][0]
	var f Features
	cpu.words[Query{Leaf: leafHypervisor}] = Registers{EAX: leafHyperClock}
	cpu.words[Query{Leaf: leafHyperClock}] = Registers{EAX: 2_096_000}
	if cpu.leaves(t).Features(&f); f.TSCHz != 2_096_000_000 {
		t.Errorf("the hypervisor's rate reads as %d Hz", f.TSCHz)
	}
	cpu.words[Query{}] = Registers{EAX: leafTSC}
	cpu.words[Query{Leaf: leafTSC}] = Registers{EAX: 2, EBX: 188, ECX: 38_400_000}
	if cpu.leaves(t).Features(&f); f.TSCHz != 3_609_600_000 {
		t.Errorf("the crystal's rate reads as %d Hz", f.TSCHz)
	}
	cpu.words[Query{Leaf: leafBasic}] = Registers{} // no hypervisor: its leaves are not read
	cpu.words[Query{Leaf: leafTSC}] = Registers{EAX: 2, EBX: 188}
	if cpu.leaves(t).Features(&f); f.TSCHz != 0 || f.Hypervisor {
		t.Errorf("no rate reads as %d Hz", f.TSCHz)
	}
}
