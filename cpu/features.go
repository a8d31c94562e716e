package cpu

// Features is what the kernel needs to know about the abilities of a CPU.
type Features struct {
	Vendor [12]byte // AuthenticAMD, GenuineIntel, …
	Brand  [48]byte // padded with zeros
	Family uint32   // extended family added in
	Model  uint32   // extended model included
	Step   uint32

	Hypervisor   bool
	X2APIC       bool
	TSCDeadline  bool
	InvariantTSC bool // the TSC runs at one rate in all states
	SteadyLAPIC  bool // the LAPIC timer runs on in deep idle states (ARAT)
	HugePages    bool // pages of 1 GiB

	// MWAIT is set only where MONITOR and MWAIT exist and leaf 5 states a line
	// size; emulators that merely execute them state none.
	MWAIT        bool
	MWAITHints   bool   // hints and sub-states are enumerated
	MWAITBreak   bool   // MWAIT can end by an interrupt while interrupts are off
	MWAITSub     uint32 // number of sub-states, four bits for each of C0 to C7
	MonitorLine  uint32 // bytes, the largest line that MONITOR watches
	XSAVEMask    uint64 // components that XCR0 may enable
	XSAVEBytes   uint32 // size of a standard XSAVE area of all those components
	XSAVEEnabled uint32 // the same for the components enabled when it was read
	XSAVEOPT     bool
	TSCHz        uint64 // rate that CPUID or the hypervisor states, 0: none
	PhysicalBits uint32 // width of a physical address
}

// Features fills f from the words of l.
func (l *Leaves) Features(f *Features) {
	*f = Features{}
	l.identity(f)
	basic, _ := l.word(leafBasic, 0)
	power, _ := l.word(leafPower, 0)
	ext, _ := l.word(leafExtBasic, 0)
	extPower, _ := l.word(leafExtPower, 0)
	sizes, _ := l.word(leafExtSizes, 0)
	f.Hypervisor = bit(basic.ECX, 31)
	f.X2APIC = bit(basic.ECX, 21)
	f.TSCDeadline = bit(basic.ECX, 24)
	f.InvariantTSC = bit(extPower.EDX, 8)
	f.SteadyLAPIC = bit(power.EAX, 2)
	f.HugePages = bit(ext.EDX, 26)
	f.PhysicalBits = sizes.EAX & 0xFF
	if f.PhysicalBits == 0 {
		f.PhysicalBits = 36
	}
	l.mwait(f, &basic)
	l.xsave(f)
	f.TSCHz = l.tscHz()
}

// Floor returns the first feature of the CPU floor that l lacks: "FSGSBASE",
// "XSAVE", "NX" or "RDTSCP"; "" if it has all.
func (l *Leaves) Floor() string {
	basic, _ := l.word(leafBasic, 0)
	features, _ := l.word(leafFeatures, 0)
	ext, _ := l.word(leafExtBasic, 0)
	switch {
	case !bit(features.EBX, 0):
		return "FSGSBASE"
	case !bit(basic.ECX, 26):
		return "XSAVE"
	case !bit(ext.EDX, 20):
		return "NX"
	case !bit(ext.EDX, 27):
		return "RDTSCP"
	}
	return ""
}

// APIC returns the APIC id that the CPU states: all of it by leaf 0xB, else the
// eight bits of leaf 1.
func (l *Leaves) APIC() uint32 {
	if r, ok := l.word(leafLevels, 0); ok && levelType(&r) != 0 {
		return r.EDX
	}
	basic, _ := l.word(leafBasic, 0)
	return basic.EBX >> 24
}

func bit(word uint32, n uint) bool { return word>>n&1 != 0 }

func (l *Leaves) identity(f *Features) {
	max, _ := l.word(leafMax, 0)
	put(f.Vendor[0:], max.EBX)
	put(f.Vendor[4:], max.EDX)
	put(f.Vendor[8:], max.ECX)
	for i := uint32(0); i < 3; i++ {
		part, _ := l.word(leafBrand+i, 0)
		put(f.Brand[16*i:], part.EAX)
		put(f.Brand[16*i+4:], part.EBX)
		put(f.Brand[16*i+8:], part.ECX)
		put(f.Brand[16*i+12:], part.EDX)
	}
	basic, _ := l.word(leafBasic, 0)
	f.Family, f.Model, f.Step = basic.EAX>>8&0xF, basic.EAX>>4&0xF, basic.EAX&0xF
	if f.Family == 6 || f.Family == 15 {
		f.Model |= basic.EAX >> 16 & 0xF << 4
	}
	if f.Family == 15 {
		f.Family += basic.EAX >> 20 & 0xFF
	}
}

// put stores the four characters of a word.
func put(b []byte, word uint32) {
	for i := 0; i < 4; i++ {
		b[i] = byte(word >> (8 * uint(i)))
	}
}

func (l *Leaves) mwait(f *Features, basic *Registers) {
	monitor, _ := l.word(leafMWAIT, 0)
	f.MonitorLine = monitor.EBX & 0xFFFF
	f.MWAIT = bit(basic.ECX, 3) && f.MonitorLine != 0 && monitor.EAX&0xFFFF != 0
	f.MWAITHints = f.MWAIT && bit(monitor.ECX, 0)
	f.MWAITBreak = f.MWAITHints && bit(monitor.ECX, 1)
	if f.MWAITHints {
		f.MWAITSub = monitor.EDX
	}
}

func (l *Leaves) xsave(f *Features) {
	sizes, _ := l.word(leafXSAVE, 0)
	extras, _ := l.word(leafXSAVE, 1)
	f.XSAVEMask = uint64(sizes.EDX)<<32 | uint64(sizes.EAX)
	f.XSAVEEnabled = sizes.EBX
	f.XSAVEBytes = sizes.ECX
	f.XSAVEOPT = bit(extras.EAX, 0)
}

// tscHz returns the TSC rate that the CPU states by its crystal, or that the
// hypervisor states in kHz; 0 if neither does. Neither is trusted unmeasured.
func (l *Leaves) tscHz() uint64 {
	if r, ok := l.word(leafTSC, 0); ok && r.EAX != 0 && r.EBX != 0 && r.ECX != 0 {
		return uint64(r.ECX) * uint64(r.EBX) / uint64(r.EAX)
	}
	r, _ := l.word(leafHyperClock, 0)
	return uint64(r.EAX) * 1000
}
