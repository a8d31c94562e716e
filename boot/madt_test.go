package boot

import (
	"encoding/binary"
	"slices"
	"testing"

	"hearth/cpu"
)

// madt builds the entries of a MADT.
type madt []byte

func (b *madt) cpu(uid, apic byte, flags uint32) {
	*b = append(*b, madtCPU, 8, uid, apic, byte(flags), byte(flags>>8), 0, 0)
}

func (b *madt) x2cpu(uid, apic, flags uint32) {
	*b = append(*b, madtX2CPU, 16, 0, 0)
	for _, v := range []uint32{apic, flags, uid} {
		*b = append(*b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
}

func (m *memory) putMADT(entries madt) {
	m.put32(atMADT+madtLAPIC, 0xfee00000)
	copy(m.bytes[atMADT+madtEntries:], entries)
	m.table(atMADT, "APIC", madtEntries+uint64(len(entries)))
}

func readCPUs(t *testing.T, boot uint32, entries madt) (*Info, Problem) {
	m := newMemory(t)
	m.acpi(2)
	m.putMADT(entries)
	info := &Info{RSDP: atRSDP}
	return info, ReadACPI(m.physical(), boot, info)
}

func wantCPUs(t *testing.T, info *Info, apics ...uint32) {
	t.Helper()
	same := info.CPUCount == len(apics)
	for i := 0; same && i < len(apics); i++ {
		same = info.CPUs[i].APICID == apics[i]
	}
	if !same {
		t.Errorf("CPUs %v, want APIC ids %v", info.CPUs[:info.CPUCount], apics)
	}
}

func TestMADTKeepsItsOrderBehindTheBootCPU(t *testing.T) {
	var e madt
	e.cpu(9, 8, cpuEnabled)
	e.cpu(1, 1, 0) // offline
	e.cpu(2, 2, 2) // offline, may come online
	e.x2cpu(40, 700, cpuEnabled)
	e.x2cpu(41, 300, cpuEnabled)
	e.x2cpu(9, 8, cpuEnabled) // once more, the other way
	e.x2cpu(42, 701, 0)
	e.cpu(3, 4, cpuEnabled)
	e.cpu(4, 0xff, cpuEnabled) // no CPU has this id
	e.x2cpu(4, 0xffffffff, cpuEnabled)
	e.cpu(5, 0, cpuEnabled)
	info, problem := readCPUs(t, 300, e)
	wantCPUs(t, info, 300, 8, 700, 4, 0)
	if info.CPUsDisabled != 3 || info.CPUsLeftOut != 0 || problem != NoProblem {
		t.Errorf("%d disabled, %d left out, problem %q", info.CPUsDisabled, info.CPUsLeftOut, problem.Text())
	}
	if info.CPUs[0].UID != 41 || info.CPUs[1].UID != 9 {
		t.Errorf("UIDs %v", info.CPUs[:info.CPUCount])
	}
}

func TestMADTAddressOverrideWins(t *testing.T) {
	var e madt
	e.cpu(0, 0, cpuEnabled)
	e = append(e, madtOverride, 12, 0, 0, 0, 0x10, 0, 0, 0x12, 0, 0, 0)
	info, _ := readCPUs(t, 0, e)
	if info.LAPICBase != 0x12_0000_1000 {
		t.Errorf("LAPIC at %#x", info.LAPICBase)
	}
}

func TestBootCPUIsFirstEvenIfNotListed(t *testing.T) {
	var e madt
	e.cpu(0, 0, cpuEnabled)
	e.cpu(7, 7, 0)
	info, problem := readCPUs(t, 7, e)
	wantCPUs(t, info, 7, 0)
	if problem != BootCPUNotListed {
		t.Errorf("problem %q", problem.Text())
	}
}

func TestMoreCPUsThanMaxAreCountedAndTheBootCPUIsKept(t *testing.T) {
	var e madt
	for i := range uint32(cpu.Max + 5) {
		e.x2cpu(i, 2*i, cpuEnabled)
	}
	info, problem := readCPUs(t, 2*(cpu.Max+4), e)
	if info.CPUCount != cpu.Max || info.CPUsLeftOut != 5 || info.CPUs[0].APICID != 2*(cpu.Max+4) || problem != NoProblem {
		t.Errorf("%d CPUs from %v on, %d left out, problem %q", info.CPUCount, info.CPUs[0], info.CPUsLeftOut, problem.Text())
	}
}

func TestMADTEntriesThatOverrunEndTheReading(t *testing.T) {
	for name, tail := range map[string]madt{
		"no length":   {madtCPU},
		"length 0":    {madtCPU, 0, 1, 1, 1, 0, 0, 0},
		"length 1":    {madtCPU, 1, 1, 1, 1, 0, 0, 0},
		"too long":    {madtCPU, 9, 1, 1, 1, 0, 0, 0},
		"much longer": {madtX2CPU, 255, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var e madt
			e.cpu(0, 0, cpuEnabled)
			e.cpu(3, 3, cpuEnabled)
			info, problem := readCPUs(t, 0, append(e, tail...))
			wantCPUs(t, info, 0, 3)
			if problem != BadMADT {
				t.Errorf("problem %q", problem.Text())
			}
		})
	}
}

func TestMADTEntriesTooShortForTheirKindAreSkipped(t *testing.T) {
	e := madt{madtCPU, 4, 5, 5, madtX2CPU, 8, 0, 0, 6, 0, 0, 0, madtOverride, 4, 0, 0, 99, 3, 1}
	e.cpu(0, 0, cpuEnabled)
	info, problem := readCPUs(t, 0, e)
	wantCPUs(t, info, 0)
	if problem != NoProblem || info.LAPICBase != 0xfee00000 {
		t.Errorf("problem %q, LAPIC %#x", problem.Text(), info.LAPICBase)
	}
}

// FuzzMADT feeds arbitrary entries behind a valid header, so that nothing stops them,
// and reads them a second time in a plainer way.
func FuzzMADT(f *testing.F) {
	var e madt
	e.cpu(0, 0, cpuEnabled)
	e.x2cpu(1, 300, cpuEnabled)
	e.x2cpu(2, 300, 0)
	e = append(e, madtOverride, 12, 0, 0, 0, 0x10, 0, 0, 0x12, 0, 0, 0)
	f.Add([]byte(e), uint32(300))
	f.Add([]byte(e)[:len(e)-5], uint32(7))
	f.Add([]byte{madtCPU, 0}, uint32(0))
	var twice madt
	twice.cpu(9, 8, cpuEnabled)
	twice.x2cpu(9, 8, cpuEnabled)
	f.Add([]byte(twice), uint32(8))
	m := newMemory(f)
	f.Fuzz(func(t *testing.T, entries []byte, bootAPIC uint32) {
		entries = entries[:min(len(entries), atFADT-atMADT-madtEntries)]
		clear(m.bytes)
		m.acpi(2)
		m.putMADT(entries)
		info := &Info{RSDP: atRSDP}
		problem := ReadACPI(m.physical(), bootAPIC, info)
		ids, disabled, listed, whole := plainMADT(entries, bootAPIC)
		want := NoProblem
		switch {
		case !whole:
			want = BadMADT
		case !listed:
			want = BootCPUNotListed
		}
		if problem != want {
			t.Errorf("problem %q, want %q", problem.Text(), want.Text())
		}
		wantCPUs(t, info, ids[:min(len(ids), cpu.Max)]...)
		if info.CPUsLeftOut < max(0, len(ids)-cpu.Max) || info.CPUsDisabled != disabled {
			t.Errorf("%d left out of %d, %d disabled, want %d", info.CPUsLeftOut, len(ids), info.CPUsDisabled, disabled)
		}
	})
}

// plainMADT returns the APIC ids of enabled CPUs, the boot CPU's first and each once,
// how many entries are disabled, whether the boot CPU is enabled, and whether the
// entries fill the table.
func plainMADT(entries []byte, bootAPIC uint32) (ids []uint32, disabled int, listed, whole bool) {
	ids = []uint32{bootAPIC}
	for len(entries) > 0 {
		if len(entries) < 2 || entries[1] < 2 || int(entries[1]) > len(entries) {
			return ids, disabled, listed, false
		}
		entry := entries[:entries[1]]
		entries = entries[entries[1]:]
		var id, flags uint32
		switch {
		case entry[0] == 0 && len(entry) >= 8 && entry[3] != 255:
			id, flags = uint32(entry[3]), binary.LittleEndian.Uint32(entry[4:])
		case entry[0] == 9 && len(entry) >= 16 && binary.LittleEndian.Uint32(entry[4:]) != 1<<32-1:
			id, flags = binary.LittleEndian.Uint32(entry[4:]), binary.LittleEndian.Uint32(entry[8:])
		default:
			continue
		}
		switch {
		case flags&1 == 0:
			disabled++
		case id == bootAPIC:
			listed = true
		case !slices.Contains(ids, id):
			ids = append(ids, id)
		}
	}
	return ids, disabled, listed, true
}
