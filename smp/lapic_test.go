package smp

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/usbarmory/tamago/amd64/lapic"
)

// written is the writes of an operation, as offset of the register and value.
func (s *steps) written() (all [][2]uint64) {
	for _, w := range s.at[:s.count] {
		all = append(all, [2]uint64{uint64(w.register), w.value})
	}
	return all
}

func TestLAPICIsEnabledInThisOrder(t *testing.T) {
	var s steps
	s.enable()
	want := [][2]uint64{
		{0x80, 0},       // nothing is held back
		{0x360, 0x400},  // LINT1: NMI
		{0x3e0, 0b1011}, // the timer counts every tick
		{0xf0, 0x1ff},   // on; spurious interrupts come as 255
	}
	if got := s.written(); !slices.Equal(got, want) {
		t.Errorf("written %x, want %x", got, want)
	}
}

func TestCommandGoesToOneCPUInEitherMode(t *testing.T) {
	const kick, reset, startup = 0x4000 | 0x41, 0x4500, 0x4600 | 0x08
	for _, c := range []struct {
		apic, command uint32
		x2            bool
		want          [][2]uint64
	}{
		{3, kick, false, [][2]uint64{{0x310, 3 << 24}, {0x300, kick}}},
		{0xfe, reset, false, [][2]uint64{{0x310, 0xfe << 24}, {0x300, reset}}},
		{0, startup, false, [][2]uint64{{0x310, 0}, {0x300, startup}}},
		{3, kick, true, [][2]uint64{{0x300, 3<<32 | kick}}},
		{511, reset, true, [][2]uint64{{0x300, 511<<32 | reset}}},
		{0xfffffffe, startup, true, [][2]uint64{{0x300, 0xfffffffe<<32 | startup}}},
	} {
		var s steps
		s.command(c.apic, c.command, c.x2)
		if got := s.written(); !slices.Equal(got, c.want) {
			t.Errorf("to %d, x2APIC %v: written %x, want %x", c.apic, c.x2, got, c.want)
		}
		// A write to a device waits for those before it; one to a model-specific
		// register does not.
		if s.at[0].fenced != c.x2 {
			t.Errorf("to %d, x2APIC %v: fenced %v", c.apic, c.x2, s.at[0].fenced)
		}
	}
	if lapic.ICR_DLV_INIT|levelAssert != reset || lapic.ICR_DLV_SIPI|levelAssert|8 != startup || KickVector|levelAssert != kick {
		t.Error("the commands are not those of the manual")
	}
}

func TestEveryRegisterHasItsModelSpecificOne(t *testing.T) {
	for register, want := range map[uintptr]uint32{
		lapic.LAPIC_ID: 0x802, registerTask: 0x808, lapic.LAPIC_EOI: 0x80b, lapic.LAPIC_SVR: 0x80f, lapic.LAPIC_ICRL: 0x830,
		lapic.LAPIC_LVT_TIMER: 0x832, registerLINT1: 0x836, registerInitialCount: 0x838, registerCurrentCount: 0x839, registerDivide: 0x83e,
	} {
		if got := msrOf(register); got != want {
			t.Errorf("register %#x is MSR %#x, want %#x", register, got, want)
		}
	}
}

func TestModeIsReachedByAllowedSteps(t *testing.T) {
	const rest, on, x2 = 0xfee00100, 1 << 11, 1 << 10
	for _, c := range []struct {
		now   uint64
		toX2  bool
		steps []uint64
	}{
		{rest | on, false, nil},
		{rest | on | x2, true, nil},
		{rest | on, true, []uint64{rest | on | x2}},
		{rest, false, []uint64{rest | on}},
		{rest, true, []uint64{rest | on, rest | on | x2}},
		{rest | on | x2, false, []uint64{rest, rest | on}},
	} {
		var turns turns
		turns.from(c.now, c.toX2)
		if got := turns.at[:turns.count]; !slices.Equal(got, c.steps) {
			t.Errorf("from %#x, x2APIC %v: %#x, want %#x", c.now, c.toX2, got, c.steps)
		}
	}
}

func TestX2APICModeIsUsedOnlyWhereItMustBe(t *testing.T) {
	for _, c := range []struct {
		on, able bool
		highest  uint32
		want     bool
	}{
		{false, false, 254, false}, {false, true, 254, false}, {false, false, 255, false},
		{false, true, 255, true}, {false, true, 511, true}, {true, true, 3, true}, {true, false, 3, true},
	} {
		if got := NeedsX2APIC(c.on, c.able, c.highest); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestMappedRegistersAreWritten uses memory for a register file.
func TestMappedRegistersAreWritten(t *testing.T) {
	defer UseLAPIC(0)
	var file [0x400 / 4]uint32
	UseLAPIC(uintptr(unsafe.Pointer(&file)))
	var s steps
	s.enable()
	s.run()
	Kick(0x25)
	EndInterrupt()
	for register, want := range map[uintptr]uint32{0x80: 0, 0x360: 0x400, 0x3e0: 0b1011, 0xf0: 0x1ff, 0x310: 0x25 << 24, 0x300: 0x4041, 0xb0: 0} {
		if got := file[register/4]; got != want || load(register) != want {
			t.Errorf("register %#x holds %#x, read %#x, want %#x", register, got, load(register), want)
		}
	}
	if EOIRegister != base+0xb0 || X2APIC() {
		t.Errorf("end of interrupt at %#x above %#x, x2APIC %v", EOIRegister, base, X2APIC())
	}
	UseX2APIC()
	if EOIRegister != 0 || !X2APIC() {
		t.Error("the light entry would write to memory in x2APIC mode")
	}
}
