package qemu

import (
	"strings"
	"testing"
	"time"
)

const common = "-nodefaults -no-user-config -display none -no-reboot -monitor none -serial stdio "
const exit = "-device isa-debug-exit,iobase=0xf4,iosize=4 "

func TestArgsAreTheTriedCommandLines(t *testing.T) {
	base := Machine{CPUs: 2, LLCs: 1, SMT: 1, MemoryBytes: 256 << 20, Kernel: "k.elf", Deadline: time.Second}
	for _, test := range []struct {
		name   string
		change func(*Machine)
		want   string
	}{
		{"smoke", func(m *Machine) { m.Append = "trace=off" },
			"-M q35 -bios qboot.rom -accel tcg,thread=multi -cpu AMD -smp 2,sockets=1,dies=1,cores=2,threads=1 -m 256M " + common + exit + "-kernel k.elf -append trace=off"},
		{"SeaBIOS", func(m *Machine) { m.Firmware = SeaBIOS },
			"-M q35 -accel tcg,thread=multi -cpu AMD -smp 2,sockets=1,dies=1,cores=2,threads=1 -m 256M " + common + exit + "-kernel k.elf -append "},
		{"two LLC domains of four cores of two CPUs", func(m *Machine) { m.CPUs, m.LLCs, m.SMT, m.MemoryBytes = 16, 2, 2, 512<<20 },
			"-M q35 -bios qboot.rom -accel tcg,thread=multi -cpu AMD -smp 16,sockets=1,dies=2,cores=4,threads=2 -m 512M " + common + exit + "-kernel k.elf -append "},
		{"counted instructions", func(m *Machine) { m.CPUs, m.LLCs, m.ICount, m.Seed = 4, 2, true, 7 },
			"-M q35 -bios qboot.rom -accel tcg -icount shift=0,sleep=off -rtc base=2024-01-01,clock=vm -seed 7 -cpu AMD -smp 4,sockets=1,dies=2,cores=2,threads=1 -m 256M " + common + exit + "-kernel k.elf -append "},
		{"trace", func(m *Machine) { m.TraceFile, m.Append = "t.bin", "-- -run x" },
			"-M q35 -bios qboot.rom -accel tcg,thread=multi -cpu AMD -smp 2,sockets=1,dies=1,cores=2,threads=1 -m 256M " + common + "-serial file:t.bin " + exit + "-kernel k.elf -append trace=on -- -run x"},
		{"CPUs that are absent", func(m *Machine) { m.Extra = []string{"-smp", "2,maxcpus=4"} },
			"-M q35 -bios qboot.rom -accel tcg,thread=multi -cpu AMD -smp 2,sockets=1,dies=1,cores=2,threads=1 -m 256M " + common + exit + "-kernel k.elf -append  -smp 2,maxcpus=4"},
		{"another model", func(m *Machine) { m.Model = "Haswell" },
			"-M q35 -bios qboot.rom -accel tcg,thread=multi -cpu Haswell -smp 2,sockets=1,dies=1,cores=2,threads=1 -m 256M " + common + exit + "-kernel k.elf -append "},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := base
			test.change(&m)
			got := strings.ReplaceAll(strings.Join(m.args(tcg), " "), AMD, "AMD")
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestKVMReplacesOnlyTheAccelerator(t *testing.T) {
	m := Default()
	m.Kernel = "k.elf"
	a, b := strings.Join(m.args(tcg), " "), strings.Join(m.args("kvm"), " ")
	if strings.Replace(a, tcg, "kvm", 1) != b {
		t.Errorf("TCG %s\nKVM %s", a, b)
	}
	if m.ICount = true; strings.Contains(strings.Join(m.args("kvm"), " "), "kvm") {
		t.Error("counted instructions under KVM")
	}
}

func TestKVMIsTrustedOnlyOnRealVirtualisation(t *testing.T) {
	for _, test := range []struct {
		flags      string
		pvm, opens bool
		want       bool
		why        string
	}{
		{"fpu svm nx", false, true, true, "virtualises"},
		{"fpu vmx nx", false, true, true, "virtualises"},
		{"fpu nx vmxoff", false, true, false, "neither vmx nor svm"},
		{"fpu svm", true, true, false, "kvm_pvm"},
		{"fpu svm", false, false, false, "cannot be opened"},
	} {
		ok, why := judgeKVM(strings.Fields(test.flags), test.pvm, test.opens)
		if ok != test.want || !strings.Contains(why, test.why) {
			t.Errorf("%+v: %v, %s", test, ok, why)
		}
	}
}
