package qemu

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// program is QEMU's name on the PATH.
const program = "qemu-system-x86_64"

// tcg runs each guest CPU on a host thread of its own.
const tcg = "tcg,thread=multi"

// ErrNoQEMU says that QEMU is missing and how to get it.
var ErrNoQEMU = errors.New(program + " is not on the PATH: `make setup` installs it")

// find returns the path of QEMU.
func find() (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", ErrNoQEMU
	}
	return path, nil
}

// hostAccelerator prefers KVM, if it is the real one.
func hostAccelerator() string {
	if ok, _ := KVM(); ok {
		return "kvm"
	}
	return tcg
}

// KVM reports whether this host can run guests natively, and why (not). That
// /dev/kvm opens proves nothing: a host that is itself a guest without nested
// virtualisation may offer a KVM that emulates every instruction, a hundred
// times slower than TCG, and dies on the first SSE move.
func KVM() (ok bool, why string) {
	return judgeKVM(cpuFlags("/proc/cpuinfo"), exists("/sys/module/kvm_pvm"), canOpen("/dev/kvm"))
}

func judgeKVM(flags []string, pvm, opens bool) (ok bool, why string) {
	switch {
	case !slices.Contains(flags, "vmx") && !slices.Contains(flags, "svm"):
		return false, "the CPU shows neither vmx nor svm"
	case pvm:
		return false, "the module kvm_pvm is loaded, which emulates guests such as this one"
	case !opens:
		return false, "/dev/kvm cannot be opened"
	}
	return true, "the CPU virtualises and /dev/kvm opens"
}

// cpuFlags reads the feature flags of the first CPU.
func cpuFlags(cpuinfo string) []string {
	f, err := os.Open(cpuinfo)
	if err != nil {
		return nil
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if key, value, _ := strings.Cut(s.Text(), ":"); strings.TrimSpace(key) == "flags" {
			return strings.Fields(value)
		}
	}
	return nil
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func canOpen(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// hostMemory is the size of the host's memory in bytes, or 0 if it is unknown.
func hostMemory() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	var kib int64
	if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &kib); err != nil {
		return 0
	}
	return kib << 10
}
