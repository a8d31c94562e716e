// Copyright (c) 2026 The Hearth Authors. All rights reserved.
// Use of this source code is governed by the BSD-3-Clause licence in LICENSE.

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	for _, look := range []func(context.Context) (name, found string, err error){lookGo, lookQEMU, lookKVM} {
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
	out, err := exec.CommandContext(ctx, "qemu-system-x86_64", "--version").Output()
	if errors.Is(err, exec.ErrNotFound) {
		err = qemu.ErrNoQEMU
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return "qemu", first, err
}

// lookKVM never fails: guests run without it.
func lookKVM(context.Context) (name, found string, err error) {
	ok, why := qemu.KVM()
	if ok {
		return "kvm", "used: " + why, nil
	}
	return "kvm", "not used, guests run under TCG: " + why, nil
}
