package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"hearth/qemu"
	"hearth/tools/image"
)

// doctor looks at the machine, prints what it finds and fails if something that
// Hearth needs is missing.
func doctor(ctx context.Context, args []string, stdout, _ io.Writer) error {
	words, behind, err := parse(newFlags("doctor"), args)
	if err == nil {
		err = atMost(0, append(words, behind...))
	}
	if err != nil {
		return err
	}
	missing := 0
	for _, look := range []func(context.Context) (name, found string, err error){lookGo, lookQEMU, lookOVMF, lookCC, lookKVM} {
		name, found, err := look(ctx)
		if err != nil {
			missing++
			found = "missing: " + err.Error()
		}
		fmt.Fprintf(stdout, "%-6s %s\n", name, found)
	}
	if missing > 0 {
		return exitError{statusFailed, fmt.Errorf("%d of the things above are missing", missing)}
	}
	return nil
}

func lookGo(ctx context.Context) (name, found string, err error) {
	tc, err := image.Shadow(ctx, "")
	return "go", tc.Version + " with Hearth's additions in " + tc.Root, err
}

func lookQEMU(ctx context.Context) (name, found string, err error) {
	found, err = firstLine(ctx, "qemu-system-x86_64", "--version")
	if errors.Is(err, exec.ErrNotFound) {
		err = qemu.ErrNoQEMU
	}
	return "qemu", found, err
}

// lookOVMF looks where Debian puts the UEFI firmware.
func lookOVMF(context.Context) (name, found string, err error) {
	const file = "/usr/share/qemu/OVMF.fd"
	if _, err := os.Stat(file); err != nil {
		return "ovmf", "", errors.New("no UEFI firmware in " + file + ": `make setup` installs it")
	}
	return "ovmf", file, nil
}

// lookCC looks for the C compiler: the race detector is linked by it.
func lookCC(ctx context.Context) (name, found string, err error) {
	found, err = firstLine(ctx, "gcc", "--version")
	if errors.Is(err, exec.ErrNotFound) {
		err = errors.New("gcc is not on the PATH, which go test -race needs: `make setup` installs it")
	}
	return "gcc", found, err
}

// firstLine is what a program says first.
func firstLine(ctx context.Context, program string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, program, args...).Output()
	line, _, _ := strings.Cut(string(out), "\n")
	return line, err
}

// lookKVM never fails: guests run without it.
func lookKVM(context.Context) (name, found string, err error) {
	ok, why := qemu.KVM()
	if ok {
		return "kvm", "used: " + why, nil
	}
	return "kvm", "not used, guests run under TCG: " + why, nil
}
