package boot

import (
	"strings"
	"testing"

	"hearth/cpu"
)

// Where the tests put their tables.
const (
	atRSDP = 0x1000
	atRoot = 0x1100
	atMADT = 0x2000
	atFADT = 0xa000
	atHPET = 0xb000
)

// table writes a header, and seals the table of size bytes.
func (m *memory) table(at uint64, signature string, size uint64) {
	m.putText(at, signature)
	m.put32(at+tableLength, uint32(size))
	m.seal(at, size, at+9)
}

// putRSDP writes a root pointer: revision 0 names an RSDT, 2 an XSDT.
func (m *memory) putRSDP(at uint64, revision byte) {
	m.putText(at, rsdpMark)
	m.put8(at+rsdpRevision, revision)
	if revision < 2 {
		m.put32(at+rsdpRSDT, atRoot)
		m.seal(at, rsdpSize, at+8)
		return
	}
	m.put32(at+rsdpLength, rsdpSizeV2)
	m.put64(at+rsdpXSDT, atRoot)
	m.seal(at, rsdpSize, at+8)
	m.seal(at, rsdpSizeV2, at+32)
}

// putRoot writes an RSDT or XSDT with these entries.
func (m *memory) putRoot(revision byte, tables ...uint64) {
	if revision < 2 {
		for i, at := range tables {
			m.put32(atRoot+tableHeader+uint64(i)*4, uint32(at))
		}
		m.table(atRoot, "RSDT", tableHeader+uint64(len(tables))*4)
		return
	}
	for i, at := range tables {
		m.put64(atRoot+tableHeader+uint64(i)*8, at)
	}
	m.table(atRoot, "XSDT", tableHeader+uint64(len(tables))*8)
}

func (m *memory) putFADT() {
	m.put32(atFADT+fadtPMTimer, 0x608)
	m.put8(atFADT+fadtPMLength, 4)
	m.put32(atFADT+fadtFlags, fadtHasReset|fadtWideTimer)
	m.put8(atFADT+fadtReset, genericPort)
	m.put64(atFADT+fadtReset+genericAddress, 0xcf9)
	m.put8(atFADT+fadtResetValue, 0xf)
	m.table(atFADT, "FACP", 244)
}

func (m *memory) putHPET() {
	m.put64(atHPET+hpetAddress+genericAddress, 0xfed00000)
	m.table(atHPET, "HPET", hpetSize)
}

// acpi writes the tables of a q35 with four CPUs.
func (m *memory) acpi(revision byte) {
	m.putRSDP(atRSDP, revision)
	m.putRoot(revision, atFADT, atMADT, atHPET)
	var entries madt
	for i := range byte(4) {
		entries.cpu(i, i, cpuEnabled)
	}
	m.putMADT(entries)
	m.putFADT()
	m.putHPET()
}

func TestACPIOfBothRevisionsTellsCPUsAndTimers(t *testing.T) {
	for _, revision := range []byte{0, 2} {
		m := newMemory(t)
		m.acpi(revision)
		info := &Info{RSDP: atRSDP}
		if got := ReadACPI(m.physical(), 2, info); got != NoProblem {
			t.Fatalf("revision %d: %s", revision, got.Text())
		}
		wantCPUs(t, info, 2, 0, 1, 3)
		if info.LAPICBase != 0xfee00000 || info.PMTimerPort != 0x608 || !info.PMTimer32 || info.HPETBase != 0xfed00000 {
			t.Errorf("revision %d: LAPIC %#x, PM timer %#x wide %v, HPET %#x", revision, info.LAPICBase, info.PMTimerPort, info.PMTimer32, info.HPETBase)
		}
		if info.ResetSpace != PortSpace || info.ResetAddress != 0xcf9 || info.ResetValue != 0xf {
			t.Errorf("revision %d: reset %d %#x %#x", revision, info.ResetSpace, info.ResetAddress, info.ResetValue)
		}
	}
}

func TestDamagedTablesAreNamedAndTheRestIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(m *memory)
		want   Problem
		kept   string
	}{
		"RSDP checksum":      {func(m *memory) { m.bytes[atRSDP+9]++ }, BadRSDP, ""},
		"RSDP mark":          {func(m *memory) { m.bytes[atRSDP]++; m.bytes[atRSDP+8]-- }, BadRSDP, ""},
		"RSDP long checksum": {func(m *memory) { m.bytes[atRSDP+33]++ }, BadRSDP, ""},
		"RSDP length":        {func(m *memory) { m.put32(atRSDP+rsdpLength, 35); m.seal(atRSDP, 35, atRSDP+32) }, BadRSDP, ""},
		"RSDP endless":       {func(m *memory) { m.put32(atRSDP+rsdpLength, 1<<31) }, BadRSDP, ""},
		"root checksum":      {func(m *memory) { m.bytes[atRoot+10]++ }, BadRootTable, ""},
		"root signature":     {func(m *memory) { m.table(atRoot, "XSDU", 60) }, BadRootTable, ""},
		"root short":         {func(m *memory) { m.table(atRoot, "XSDT", 35) }, BadRootTable, ""},
		"root endless":       {func(m *memory) { m.put32(atRoot+tableLength, 1<<20) }, BadRootTable, ""},
		"no MADT":            {func(m *memory) { m.putRoot(2, atFADT, atHPET) }, NoMADT, "pm hpet"},
		"MADT checksum":      {func(m *memory) { m.bytes[atMADT+10]++ }, BadMADT, "pm hpet"},
		"MADT short":         {func(m *memory) { m.table(atMADT, "APIC", 43) }, BadMADT, "pm hpet"},
		"FADT checksum":      {func(m *memory) { m.bytes[atFADT+10]++ }, BadFADT, "cpus hpet"},
		"FADT short":         {func(m *memory) { m.table(atFADT, "FACP", 115) }, BadFADT, "cpus hpet"},
		"HPET checksum":      {func(m *memory) { m.bytes[atHPET+10]++ }, BadHPET, "cpus pm"},
		"HPET short":         {func(m *memory) { m.table(atHPET, "HPET", 55) }, BadHPET, "cpus pm"},
		"HPET in I/O":        {func(m *memory) { m.put8(atHPET+hpetAddress, 1); m.table(atHPET, "HPET", 56) }, BadHPET, "cpus pm"},
		"no FADT, no HPET":   {func(m *memory) { m.putRoot(2, atMADT) }, NoProblem, "cpus"},
		"entries to nowhere": {func(m *memory) { m.putRoot(2, 0, ^uint64(0)-3, m.size-4, atMADT, atFADT) }, NoProblem, "cpus pm"},
		"XSDT missing":       {func(m *memory) { m.putRSDP(atRSDP, 0); m.putRoot(0, atMADT, atHPET) }, NoProblem, "cpus hpet"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMemory(t)
			m.acpi(2)
			c.damage(m)
			info := &Info{RSDP: atRSDP}
			got := ReadACPI(m.physical(), 0, info)
			if got != c.want || (got.Text() == "") != (got == NoProblem) {
				t.Errorf("problem %q, want %q", got.Text(), c.want.Text())
			}
			if kept := kept(info); kept != c.kept {
				t.Errorf("read %q, want %q", kept, c.kept)
			}
		})
	}
}

// kept names what info holds.
func kept(info *Info) string {
	var parts []string
	if info.CPUCount == 4 {
		parts = append(parts, "cpus")
	}
	if info.PMTimerPort != 0 {
		parts = append(parts, "pm")
	}
	if info.HPETBase != 0 {
		parts = append(parts, "hpet")
	}
	return strings.Join(parts, " ")
}

func TestRevision2WithoutXSDTAddressUsesTheRSDT(t *testing.T) {
	m := newMemory(t)
	m.acpi(0)
	m.put8(atRSDP+rsdpRevision, 2)
	m.put32(atRSDP+rsdpLength, rsdpSizeV2)
	m.seal(atRSDP, rsdpSize, atRSDP+8)
	m.seal(atRSDP, rsdpSizeV2, atRSDP+32)
	info := &Info{RSDP: atRSDP}
	if got := ReadACPI(m.physical(), 0, info); got != NoProblem || kept(info) != "cpus pm hpet" {
		t.Errorf("problem %q, read %q", got.Text(), kept(info))
	}
}

func TestRSDPIsSearchedInTheBIOSAreas(t *testing.T) {
	for name, at := range map[string]uint64{"ROM": 0xf5a20, "ROM start": romStart, "ROM end": romEnd - 32, "EBDA": 0x9fc40, "EBDA end": 0x9fc00 + ebdaSearch - 16} {
		t.Run(name, func(t *testing.T) {
			m := newMemoryOf(t, 1<<20)
			m.acpi(0)
			clear(m.bytes[atRSDP:atRoot])
			m.put16(ebdaSegment, 0x9fc0)
			m.putText(romStart+0x40, rsdpMark) // without a checksum it is none
			m.putRSDP(at, 0)
			info := new(Info)
			if got := ReadACPI(m.physical(), 0, info); got != NoProblem || info.RSDP != at || info.CPUCount != 4 {
				t.Errorf("problem %q, RSDP %#x, %d CPUs", got.Text(), info.RSDP, info.CPUCount)
			}
		})
	}
}

func TestWithoutRSDPThereIsTheBootCPU(t *testing.T) {
	m := newMemoryOf(t, 1<<20)
	m.acpi(0) // its root pointer lies where no BIOS puts it
	info := new(Info)
	if got := ReadACPI(m.physical(), 5, info); got != NoRSDP {
		t.Errorf("problem %q", got.Text())
	}
	wantCPUs(t, info, 5)
}

func TestPMTimerOfTheExtendedBlockIsPreferred(t *testing.T) {
	for name, c := range map[string]struct {
		space byte
		at    uint64
		want  uint16
	}{"port": {genericPort, 0x808, 0x808}, "memory": {genericMemory, 0x808, 0x608}, "empty": {genericPort, 0, 0x608}, "no port": {genericPort, 1 << 20, 0x608}} {
		m := newMemory(t)
		m.acpi(2)
		m.put8(atFADT+fadtXPMTimer, c.space)
		m.put64(atFADT+fadtXPMTimer+genericAddress, c.at)
		m.table(atFADT, "FACP", 244)
		info := &Info{RSDP: atRSDP}
		ReadACPI(m.physical(), 0, info)
		if info.PMTimerPort != c.want {
			t.Errorf("%s: PM timer at %#x, want %#x", name, info.PMTimerPort, c.want)
		}
	}
}

func TestResetRegisterOnlyWhereItCanBeUsed(t *testing.T) {
	for name, c := range map[string]struct {
		change func(m *memory)
		want   AddressSpace
	}{
		"memory":    {func(m *memory) { m.put8(atFADT+fadtReset, genericMemory) }, MemorySpace},
		"PCI":       {func(m *memory) { m.put8(atFADT+fadtReset, 2) }, NoSpace},
		"no flag":   {func(m *memory) { m.put32(atFADT+fadtFlags, 0) }, NoSpace},
		"address 0": {func(m *memory) { m.put64(atFADT+fadtReset+genericAddress, 0) }, NoSpace},
		"no port":   {func(m *memory) { m.put64(atFADT+fadtReset+genericAddress, 1<<16) }, NoSpace},
	} {
		m := newMemory(t)
		m.acpi(2)
		c.change(m)
		m.table(atFADT, "FACP", 244)
		info := &Info{RSDP: atRSDP}
		ReadACPI(m.physical(), 0, info)
		if info.ResetSpace != c.want || info.ResetSpace == NoSpace && info.ResetAddress != 0 {
			t.Errorf("%s: space %d address %#x, want space %d", name, info.ResetSpace, info.ResetAddress, c.want)
		}
	}
}

func FuzzReadACPI(f *testing.F) {
	for _, revision := range []byte{0, 2} {
		m := newMemory(f)
		m.acpi(revision)
		f.Add(m.bytes[atRSDP:atHPET+0x100], uint16(0), byte(0), true)
		f.Add(m.bytes[atRSDP:atHPET+0x100], uint16(atMADT-atRSDP+50), byte(77), true)
	}
	m := newMemory(f)
	f.Fuzz(func(t *testing.T, bytes []byte, at uint16, value byte, sealed bool) {
		clear(m.bytes)
		copy(m.bytes[atRSDP:], bytes)
		m.bytes[at] ^= value
		if sealed { // let damage reach behind the checksums
			m.seal(atRSDP, rsdpSize, atRSDP+8)
			m.seal(atRSDP, rsdpSizeV2, atRSDP+32)
			for _, table := range []uint64{atRoot, atMADT, atFADT, atHPET} {
				size := min(uint64(m.bytes[table+4])|uint64(m.bytes[table+5])<<8, m.size-table)
				m.seal(table, max(size, tableHeader), table+9)
			}
		}
		info := &Info{RSDP: atRSDP}
		ReadACPI(m.physical(), 1, info)
		if info.CPUCount < 1 || info.CPUCount > cpu.Max || info.CPUs[0].APICID != 1 {
			t.Fatalf("%d CPUs, the first %v", info.CPUCount, info.CPUs[0])
		}
		seen := make(map[uint32]bool)
		for _, c := range info.CPUs[:info.CPUCount] {
			if seen[c.APICID] {
				t.Fatalf("APIC id %d twice", c.APICID)
			}
			seen[c.APICID] = true
		}
	})
}
