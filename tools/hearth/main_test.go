package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearth/tools/image"
)

// hearth runs the tool as the shell would.
func hearth(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, said bytes.Buffer
	status = dispatch(t.Context(), args, &out, &said)
	return status, out.String(), said.String()
}

// fakeQEMU puts a shell script on the PATH under QEMU's name.
func fakeQEMU(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "qemu-system-x86_64"), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

const tinyPackage = "hearth/tools/image/testdata/tiny"

// tinyImage is a real image, of which a fake QEMU says what became.
func tinyImage(t *testing.T) string {
	t.Helper()
	r, err := image.Build(t.Context(), image.Options{
		Package: tinyPackage, Output: filepath.Join(t.TempDir(), "tiny.elf"), Stderr: t.Output(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.Image
}

func TestBadInputIsOneLineThatNamesItAndStatusTwo(t *testing.T) {
	tiny := tinyImage(t)
	for _, test := range []struct{ args, want string }{
		{"frobnicate", "hearth: unknown command \"frobnicate\"; `hearth help` lists them"},
		{"run -turbo", "hearth run: unknown flag -turbo; `hearth run -h` lists the flags"},
		{"build -turbo", "hearth build: unknown flag -turbo; `hearth build -h` lists the flags"},
		{"run -cpus many", `hearth run: invalid value "many" for flag -cpus`},
		{"run -cpus", "hearth run: flag needs an argument: -cpus"},
		{"run -cpus 0", "hearth run: 0 CPUs: a machine has at least 1"},
		{"run -cpus 4 -llcs 3", "hearth run: 3 LLC domains on 4 CPUs"},
		{"run -mem 1T", "hearth run: 1048576 MiB of memory: this host has"},
		{"run -mem lots", `hearth run: invalid value "lots" for flag -mem: a size such as 512M or 2G`},
		{"run -model qemu64", "hearth run: CPU model qemu64 lacks FSGSBASE"},
		{"run -deadline 0s " + tiny, "hearth run: deadline 0s"},
		{"run a b", `hearth run: unexpected argument "b"`},
		{"run nosuch.elf", "hearth run: nosuch.elf does not exist: `hearth build` makes images"},
		{"run " + strings.Replace(tiny, ".elf", ".sym.elf", 1), "hearth run: " + strings.Replace(tiny, ".elf", ".sym.elf", 1) + " is no Hearth image"},
		{"run main.go", "hearth run: main.go is no Hearth image: build it with hearth build"},
		{"build a b", `hearth build: unexpected argument "b"`},
		{"build hearth/qemu", "hearth build: hearth/qemu is package qemu, a library"},
		{"doctor now", `hearth doctor: unexpected argument "now"`},
		{"run ./nosuch", "hearth run: stat "},
		{"build ./nosuch", "hearth build: stat "},
		{"run -seed 3 " + tiny, "hearth run: -seed 3 changes nothing without -icount"},
		{"run -trace nosuch/t.bin " + tiny, "hearth run: trace file nosuch/t.bin: there is no folder nosuch"},
		{"symbolise", "hearth symbolise: name the image that wrote the log"},
		{"symbolise main.go", "hearth symbolise: main.go is no ELF file"},
		{"trace nosuch", "hearth trace: "},
	} {
		status, stdout, stderr := hearth(t, strings.Fields(test.args)...)
		if status != 2 || stdout != "" || !strings.HasPrefix(stderr, test.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("hearth %s: status %d, stdout %q, stderr %q, want 2 and one line %q", test.args, status, stdout, stderr, test.want)
		}
	}
}

func TestProgramArgumentsArriveAsTheyWereGiven(t *testing.T) {
	tiny := tinyImage(t)
	fakeQEMU(t, `echo "$*"; echo 'hearth: exit=0'; exit 33`)
	status, stdout, stderr := hearth(t, "run", tiny, "--", "-run", "a b", "", "c")
	if status != 0 || !strings.Contains(stdout, `-append -- -run "a b" "" c`) {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
	if status, _, stderr := hearth(t, "run", tiny, "--", `a"b`); status != 2 || !strings.Contains(stderr, `program argument "a\"b"`) {
		t.Errorf("status %d, %q", status, stderr)
	}
}

func TestHelpIsNoError(t *testing.T) {
	for _, args := range []string{"", "help", "-h", "--help", "run -h", "build --help"} {
		status, stdout, stderr := hearth(t, strings.Fields(args)...)
		if status != 0 || stdout == "" || stderr != "" {
			t.Errorf("hearth %s: status %d, %d bytes of help, stderr %q", args, status, len(stdout), stderr)
		}
	}
}

func TestStatusOfRunSaysHowTheGuestEnded(t *testing.T) {
	tiny := tinyImage(t)
	for _, test := range []struct {
		name, script string
		status       int
		says         string
	}{
		{"pass", "echo 'hearth: exit=0'; exit 33", 0, ""},
		{"code", "echo 'hearth: exit=7'; exit 143", 7, "the program ended with exit code 7"},
		{"code 256", "echo 'hearth: exit=256'; exit 129", 1, "the program ended with exit code 256"},
		{"hang", "echo last words; sleep 60", 1, `hang: no end within 2s; last line: "last words"`},
		{"reset", "exit 0", 1, "reset: the guest met a triple fault"},
		{"deadlock", "echo 'hearth: deadlock begin'; echo 'deadlock: all wait'; echo 'hearth: deadlock end'; exit 65", 1, "deadlock: all wait"},
		{"crash", "echo 'hearth: crash begin'; echo 'crash: what nil'; echo 'hearth: crash end'; exit 255", 1, "crash: nil"},
		{"refusal", "echo 'qemu: no' >&2; exit 1", 2, "QEMU did not run the guest: qemu: no"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fakeQEMU(t, test.script)
			args := []string{"run", tiny}
			if test.name == "hang" {
				args = append(args, "-deadline", "2s")
			}
			status, _, stderr := hearth(t, args...)
			if status != test.status || !strings.Contains(stderr, test.says) || test.says == "" && stderr != "" {
				t.Errorf("status %d, stderr %q, want %d and %q", status, stderr, test.status, test.says)
			}
		})
	}
}

func TestRunHandsOnMachineCommandLineAndConsole(t *testing.T) {
	tiny := tinyImage(t)
	fakeQEMU(t, `echo "$*"; echo 'hearth: exit=0'; exit 33`)
	status, stdout, stderr := hearth(t, "run", "-cpus", "8", "-smt", "2", "-mem", "1G", "-icount", "-seed", "5", tiny,
		"-trace", "t.bin", "-append", "env.GOGC=50", "--", "-run", "wake", "--", "x")
	if status != 0 {
		t.Fatalf("status %d, %s", status, stderr)
	}
	for _, want := range []string{
		"-smp 8,sockets=1,dies=2,cores=2,threads=2 ", "-m 1024M ", "-icount shift=0,sleep=off ", "-seed 5 ", "-serial file:t.bin ",
		"-kernel " + tiny + " -append trace=on env.GOGC=50 -- -run wake -- x -qmp unix:", "\nhearth: exit=0\n",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not in %s", want, stdout)
		}
	}
}

func TestCrashRecordIsExplained(t *testing.T) {
	tiny := tinyImage(t)
	fakeQEMU(t, "echo 'hearth: crash begin'; echo 'crash: rip 0x7e0000001000'; echo 'hearth: crash end'; exit 255")
	_, _, stderr := hearth(t, "run", tiny)
	if !strings.Contains(stderr, "crash: rip 0x7e0000001000 ") || !strings.Contains(stderr, "  => 0x7e0000001000 ") {
		t.Errorf("stderr %s", stderr)
	}
}

func TestBuildPrintsTheImageAndRunBuildsPackages(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.elf")
	status, stdout, stderr := hearth(t, "build", "-o", out, tinyPackage)
	if status != 0 || stdout != out+"\n" {
		t.Errorf("build: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	fakeQEMU(t, `echo "$*"; echo 'hearth: exit=0'; exit 33`)
	status, stdout, stderr = hearth(t, "run", tinyPackage)
	if status != 0 || !strings.Contains(stdout, "/build/tiny.elf -append ") {
		t.Errorf("run: status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
}

func TestErrorsOfGoAreShownAsTheyAre(t *testing.T) {
	status, _, stderr := hearth(t, "build", "./testdata/broken")
	if status != 2 || !strings.Contains(stderr, "undefined: missing") || strings.Contains(stderr, "hearth build:") {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}

func TestGoRunsThroughTheShadow(t *testing.T) {
	status, stdout, stderr := hearth(t, "go", "list", "runtime/goos")
	if status != 0 || stdout != "runtime/goos\n" {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	if status, _, stderr := hearth(t, "go", "list", "no/such"); status == 0 || !strings.Contains(stderr, "no/such") {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}

func TestDoctorNamesWhatIsThereAndWhatMendsTheRest(t *testing.T) {
	fakeQEMU(t, "echo QEMU emulator version 99.0")
	status, stdout, stderr := hearth(t, "doctor")
	if status != 0 || !strings.Contains(stdout, "version 99.0") || !strings.Contains(stdout, "go1.") || !strings.Contains(stdout, "kvm") {
		t.Errorf("status %d, stdout %s, stderr %s", status, stdout, stderr)
	}
	t.Setenv("PATH", t.TempDir())
	status, stdout, _ = hearth(t, "doctor")
	if status != 1 || !strings.Contains(stdout, "`make setup` installs it") || !strings.Contains(stdout, "https://go.dev/dl") {
		t.Errorf("with nothing installed: status %d, stdout %s", status, stdout)
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int64{"512": 512, "4k": 4096, "512M": 512 << 20, "2g": 2 << 30, "1T": 1 << 40} {
		var s size
		if err := s.Set(text); err != nil || int64(s) != want {
			t.Errorf("%s: %d, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "M", "-1M", "1.5G", "2GB", "9999999999G", "0x10"} {
		var s size
		if err := s.Set(text); err == nil {
			t.Errorf("%q was taken for %d", text, s)
		}
	}
}

func TestBenchmarkNeedsItsVerdictUnlessItOnlyLists(t *testing.T) {
	for args, want := range map[string]bool{"": false, "-list": true, "-run x": false, "-h": true, "-run -list": true} {
		if got := listsOnly(strings.Fields(args)); got != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}

// With the real QEMU: a guest that hangs is found by its deadline, and its CPUs
// are shown where they are.
func TestHangIsFoundAndExamined(t *testing.T) {
	status, stdout, stderr := hearth(t, "run", "-cpus", "2", "-mem", "256M", "-deadline", "3s", "hearth/tools/hearth/testdata/hang")
	if status != 1 || stdout != "U\n" {
		t.Errorf("status %d, stdout %q", status, stdout)
	}
	for _, want := range []string{`hearth run: hang: no end within 3`, `last line: "U"`, "\ncpu 0 halted rip 0x20", "\ncpu 1 halted rip "} {
		if !strings.Contains(stderr, want) {
			t.Errorf("%q is not in %s", want, stderr)
		}
	}
}
