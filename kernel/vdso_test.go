package kernel

import (
	"debug/elf"
	"encoding/binary"
	"hearth/cpu"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// vdso reads the image as a program does that is given its address alone.
type vdso struct {
	bytes   []byte
	base    uint64
	moved   uint64 // what is added to every address in it
	dynamic map[elf.DynTag]uint64
}

func readVDSO(t *testing.T) *vdso {
	t.Helper()
	at := vdsoAddress()
	header := unsafe.Slice((*byte)(unsafe.Pointer(at)), 64)
	v := &vdso{base: uint64(at), dynamic: map[elf.DynTag]uint64{}}
	if string(header[:7]) != elf.ELFMAG+string([]byte{byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)}) ||
		elf.Type(binary.LittleEndian.Uint16(header[16:])) != elf.ET_DYN || elf.Machine(binary.LittleEndian.Uint16(header[18:])) != elf.EM_X86_64 {
		t.Fatalf("header %x", header)
	}
	var dynamic *elf.Prog64
	programs := unsafe.Slice((*elf.Prog64)(unsafe.Pointer(at+uintptr(binary.LittleEndian.Uint64(header[32:])))), binary.LittleEndian.Uint16(header[56:]))
	for i := range programs {
		switch p := &programs[i]; elf.ProgType(p.Type) {
		case elf.PT_LOAD:
			v.bytes = unsafe.Slice((*byte)(unsafe.Pointer(at)), p.Memsz)
			v.moved = v.base + p.Off - p.Vaddr
		case elf.PT_DYNAMIC:
			dynamic = p
		}
	}
	if dynamic == nil || v.bytes == nil {
		t.Fatalf("program headers %+v", programs)
	}
	for _, d := range unsafe.Slice((*elf.Dyn64)(unsafe.Pointer(at+uintptr(dynamic.Off))), dynamic.Filesz/16) {
		if elf.DynTag(d.Tag) == elf.DT_NULL {
			return v
		}
		v.dynamic[elf.DynTag(d.Tag)] = d.Val
	}
	t.Fatal("the dynamic section does not end")
	return nil
}

// at returns the bytes behind an address that the dynamic section names.
func (v *vdso) at(t *testing.T, tag elf.DynTag) []byte {
	t.Helper()
	address := v.dynamic[tag] + v.moved
	if address < v.base || address >= v.base+uint64(len(v.bytes)) {
		t.Fatalf("%v is %#x, outside of the image", tag, address)
	}
	return v.bytes[address-v.base:]
}

func (v *vdso) name(t *testing.T, offset uint32) string {
	name, _, _ := strings.Cut(string(v.at(t, elf.DT_STRTAB)[:v.dynamic[elf.DT_STRSZ]][offset:]), "\x00")
	return name
}

// symbol returns the address of a function that the image names.
func (v *vdso) symbol(t *testing.T, name string) uint64 {
	t.Helper()
	symbols := v.at(t, elf.DT_SYMTAB)
	for i := range binary.LittleEndian.Uint32(v.at(t, elf.DT_HASH)[4:]) {
		if s := symbols[24*i:]; v.name(t, binary.LittleEndian.Uint32(s)) == name {
			return binary.LittleEndian.Uint64(s[8:]) + v.moved
		}
	}
	t.Fatalf("the image does not name %s", name)
	return 0
}

func TestVDSOImageLeadsToTheClockFunctions(t *testing.T) {
	v := readVDSO(t)
	le := binary.LittleEndian
	hash, symbols, versions := v.at(t, elf.DT_HASH), v.at(t, elf.DT_SYMTAB), v.at(t, elf.DT_VERSYM)
	buckets, chains := le.Uint32(hash), le.Uint32(hash[4:])
	if buckets != 1 || chains != 3 || v.dynamic[elf.DT_SYMENT] != 24 {
		t.Fatalf("%d buckets, %d symbols of %d bytes", buckets, chains, v.dynamic[elf.DT_SYMENT])
	}
	found := map[string]string{}
	for i := le.Uint32(hash[8:]); i != 0; i = le.Uint32(hash[12+4*i:]) {
		s := symbols[24*i:]
		if elf.ST_BIND(s[4]) != elf.STB_GLOBAL || elf.ST_TYPE(s[4]) != elf.STT_FUNC || elf.SectionIndex(le.Uint16(s[6:])) == elf.SHN_UNDEF {
			t.Errorf("symbol %d is %x", i, s[:24])
		}
		if le.Uint16(versions[2*i:]) != 2 {
			t.Errorf("symbol %d is of version %d", i, le.Uint16(versions[2*i:]))
		}
		address := uintptr(le.Uint64(s[8:]) + v.moved)
		if f := runtime.FuncForPC(address); f != nil && f.Entry() == address {
			found[v.name(t, le.Uint32(s))] = f.Name()
		}
	}
	if len(found) != 2 || found["__vdso_clock_gettime"] != "hearth/kernel.vdsoClockGettime" || found["__vdso_gettimeofday"] != "hearth/kernel.vdsoGettimeofday" {
		t.Errorf("symbols %v", found)
	}
	if name := v.name(t, uint32(v.dynamic[elf.DT_SONAME])); name != "hearth.so" {
		t.Errorf("the image is called %q", name)
	}
}

func TestVDSOImageHasTheVersionThatProgramsAskFor(t *testing.T) {
	v := readVDSO(t)
	le := binary.LittleEndian
	definition := v.at(t, elf.DT_VERDEF)
	var names []string
	for i := uint64(1); i <= v.dynamic[elf.DT_VERDEFNUM]; i++ {
		name := v.name(t, le.Uint32(definition[le.Uint32(definition[12:]):]))
		if le.Uint16(definition) != 1 || uint64(le.Uint16(definition[4:])) != i || le.Uint32(definition[8:]) != elfHash(name) || (le.Uint16(definition[2:])&1 != 0) != (i == 1) {
			t.Errorf("version %d, %q: %x, hash %#x", i, name, definition[:20], elfHash(name))
		}
		names = append(names, name)
		definition = definition[le.Uint32(definition[16:]):]
	}
	if len(names) != 2 || names[1] != "LINUX_2.6" {
		t.Errorf("versions %q", names)
	}
}

// elfHash is the hash function of the ELF specification.
func elfHash(name string) (h uint32) {
	for _, c := range []byte(name) {
		h = h<<4 + uint32(c)
		h = (h ^ h>>28<<4) & 0x0fffffff
	}
	return h
}

func TestCPUThatIsDroppedLeavesNoHole(t *testing.T) {
	defer func() { clear(perCPUs[:]); onlineCount = 0 }()
	blocks := make([]perCPU, 4)
	for i := range blocks {
		blocks[i].id, blocks[i].slot = cpu.ID(i), 10+i
		perCPUs[i] = uintptr(unsafe.Pointer(&blocks[i]))
	}
	onlineCount = 4
	dropCPU(1)
	if onlineCount != 3 || perCPUs[3] != 0 {
		t.Fatalf("%d CPUs, the last %#x", onlineCount, perCPUs[3])
	}
	for id, slot := range []int{10, 12, 13} {
		if c := cpuAt(cpu.ID(id)); c.id != cpu.ID(id) || c.slot != slot {
			t.Errorf("CPU %d believes to be %d, of slot %d, want %d", id, c.id, c.slot, slot)
		}
	}
	dropCPU(2)
	if onlineCount != 2 || cpuAt(1).slot != 12 {
		t.Errorf("%d CPUs, the last of slot %d", onlineCount, cpuAt(1).slot)
	}
}
