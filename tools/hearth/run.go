package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"hearth/qemu"
	"hearth/tools/image"
)

// run boots an image, made fresh unless a file is named, and copies its console.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	m := qemu.Default()
	fs := machineFlags(&m)
	words, programArgs, err := parse(fs, args)
	if err == nil {
		err = atMost(1, words)
	}
	fitLLCs(&m, fs)
	if err == nil && given(fs, "seed") && !m.ICount {
		err = fmt.Errorf("-seed %d changes nothing without -icount: add it, or leave the seed out", m.Seed)
	}
	if err == nil {
		err = appendArgs(&m, programArgs)
	}
	if err == nil {
		err = m.ValidateHardware() // before a build that may take a while
	}
	if err != nil {
		return err
	}
	if m.Kernel, err = imageToBoot(ctx, words, stderr); err != nil {
		return err
	}
	m.Verdict = len(words) == 0 && !listsOnly(programArgs)
	r, err := qemu.Run(ctx, m, stdout)
	if err != nil {
		return err
	}
	explainEnd(stderr, m.Kernel, r)
	return verdict(r)
}

// fitLLCs makes one LLC domain of CPUs that do not divide into the usual two,
// unless the domains were asked for.
func fitLLCs(m *qemu.Machine, fs *flag.FlagSet) {
	if !given(fs, "llcs") && m.SMT > 0 && m.CPUs%(m.LLCs*m.SMT) != 0 {
		m.LLCs = 1
	}
}

// given reports whether a flag is on the command line.
func given(fs *flag.FlagSet, name string) (is bool) {
	fs.Visit(func(f *flag.Flag) { is = is || f.Name == name })
	return is
}

// machineFlags ties the flags of run to a machine, whose values are the defaults.
func machineFlags(m *qemu.Machine) *flag.FlagSet {
	fs := newFlags("run")
	fs.IntVar(&m.CPUs, "cpus", m.CPUs, "CPUs in all")
	fs.IntVar(&m.LLCs, "llcs", m.LLCs, "last-level cache domains")
	fs.IntVar(&m.SMT, "smt", m.SMT, "CPUs that share a core")
	fs.Var((*size)(&m.MemoryBytes), "mem", "`SIZE` of memory")
	fs.StringVar(&m.Model, "model", m.Model, "CPU `MODEL` as QEMU's -cpu takes it (default an EPYC-Rome that TCG can run)")
	fs.BoolFunc("seabios", "boot through SeaBIOS instead of qboot", func(string) error { m.Firmware = qemu.SeaBIOS; return nil })
	fs.BoolVar(&m.ICount, "icount", m.ICount, "count instructions instead of time, so that runs repeat exactly")
	fs.Uint64Var(&m.Seed, "seed", m.Seed, "`SEED` of QEMU's random numbers, with -icount")
	fs.DurationVar(&m.Deadline, "deadline", m.Deadline, "`TIME` after which the guest hangs")
	fs.StringVar(&m.TraceFile, "trace", m.TraceFile, "write the kernel's trace to `FILE`")
	fs.StringVar(&m.Append, "append", m.Append, "kernel command line `WORDS`: key=value ...")
	return fs
}

// appendArgs puts the program's arguments on the kernel's command line, where double
// quotes keep blanks.
func appendArgs(m *qemu.Machine, args []string) error {
	words := make([]string, len(args))
	for i, a := range args {
		if strings.Contains(a, `"`) {
			return fmt.Errorf("program argument %q: no double quote can travel on the kernel's command line", a)
		}
		if words[i] = a; a == "" || strings.ContainsAny(a, " \t\r\n") {
			words[i] = `"` + a + `"`
		}
	}
	if len(args) > 0 {
		m.Append = strings.TrimSpace(m.Append + " -- " + strings.Join(words, " "))
	}
	return nil
}

// imageToBoot returns the file that the words name, or builds what they name.
func imageToBoot(ctx context.Context, words []string, stderr io.Writer) (string, error) {
	o := image.Options{Package: wholeSystem, Stderr: stderr}
	if len(words) == 1 {
		if info, err := os.Stat(words[0]); strings.HasSuffix(words[0], ".elf") || err == nil && info.Mode().IsRegular() {
			return words[0], nil
		}
		o.Package = words[0]
	}
	r, err := makeImage(ctx, o)
	return r.Image, err
}

// listsOnly reports whether the benchmark is asked for its names, which ends
// without a verdict.
func listsOnly(args []string) bool {
	for _, a := range args {
		if a == "-list" || a == "--list" || a == "-h" || a == "-help" || a == "--help" {
			return true
		}
	}
	return false
}

// verdict turns the outcome of a run into an exit status.
func verdict(r qemu.Result) error {
	switch r.Outcome {
	case qemu.Pass:
		return nil
	case qemu.ProgramExit:
		return exitError{programStatus(r.Code), r.Err()}
	case qemu.LaunchFailure:
		return exitError{statusUsage, r.Err()}
	}
	return exitError{statusFailed, r.Err()}
}

// programStatus is a program's exit code as an exit status: never 0.
func programStatus(code int) int {
	if status := code & 0xff; status != 0 {
		return status
	}
	return statusFailed
}
