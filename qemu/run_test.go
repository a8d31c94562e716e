package qemu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fakeQEMU puts a shell script on the PATH under QEMU's name.
func fakeQEMU(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, program)
	if err := os.WriteFile(name, []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func TestEveryEndHasItsOutcome(t *testing.T) {
	pass := "echo 'hearth: exit=0'; exit 33"
	crash := "echo 'hearth: crash begin'; echo 'crash: what page fault'; "
	for _, test := range []struct {
		name, script string
		verdict      bool
		want         Outcome
		code         int
		says         string
	}{
		{"pass", pass, false, Pass, 0, ""},
		{"pass with carriage returns", `printf 'hearth: exit=0\r\n'; exit 33`, false, Pass, 0, ""},
		{"benchmark pass", "echo 'hearth: verdict=pass rows=7';" + pass, true, Pass, 0, ""},
		{"benchmark fail", "echo 'hearth: verdict=fail rows=7';" + pass, true, NoVerdict, 0, "does not confirm"},
		{"benchmark both", "echo 'hearth: verdict=fail rows=7'; echo 'hearth: verdict=pass rows=7';" + pass, true, NoVerdict, 0, "does not confirm"},
		{"benchmark without a verdict", pass, true, NoVerdict, 0, `last line: "hearth: exit=0"`},
		{"a fail nobody asked for", "echo 'hearth: verdict=fail rows=7';" + pass, false, NoVerdict, 0, "does not confirm"},
		{"status alone", "echo hello; exit 33", false, NoVerdict, 0, `last line: "hello"`},
		{"words alone", "echo 'hearth: exit=0'; exit 0", false, Reset, 0, "triple fault"},
		{"exit code", "echo 'hearth: exit=7'; exit 143", false, ProgramExit, 7, "exit code 7"},
		{"great exit code", "echo 'hearth: exit=200'; exit 253", false, ProgramExit, 200, "exit code 200"},
		{"exit code without its line", "exit 133", false, ProgramExit, 2, "exit code 2"},
		{"exit code and a line that lies", "echo 'hearth: exit=9'; exit 133", false, ProgramExit, 2, "exit code 2"},
		{"exit code beyond eight bits", "echo 'hearth: exit=256'; exit 129", false, ProgramExit, 256, "exit code 256"},
		{"crash", crash + "echo 'hearth: crash end'; exit 255", false, Crash, 0, "crash: page fault"},
		{"crash in a crash", crash + "exit 0", false, Crash, 0, "crash: page fault"},
		{"crash that hangs", crash + "sleep 60", false, Crash, 0, "crash: page fault"},
		{"crash without a record", "echo bye; exit 255", false, Crash, 0, `no record on the console; last line: "bye"`},
		{"hang", "echo here; sleep 60", false, Hang, 0, `last line: "here"`},
		{"reset", "echo up; exit 0", false, Reset, 0, `last line: "up"`},
		{"refusal", "echo 'qemu: bad option' >&2; exit 1", false, LaunchFailure, 0, "qemu: bad option"},
		{"a status of nobody", "exit 7", false, LaunchFailure, 0, "exit status 7"},
		{"QEMU dies", "kill -SEGV $$", false, LaunchFailure, 0, "segmentation fault"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fakeQEMU(t, test.script)
			m := runnable(t)
			m.Verdict = test.verdict
			if m.Deadline = time.Minute; strings.Contains(test.script, "sleep") {
				m.Deadline = 2 * time.Second
			}
			r, err := Run(t.Context(), m, nil)
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != test.want || r.Code != test.code {
				t.Errorf("outcome %v, code %d, want %v, %d", r.Outcome, r.Code, test.want, test.code)
			}
			if text := fmt.Sprint(r.Err()); r.Err() == nil != (test.want == Pass) || !strings.Contains(text, test.says) || strings.Contains(text, "\n") {
				t.Errorf("says %q, want one line with %q", text, test.says)
			}
		})
	}
}

func TestConsoleIsCopiedAndKeptByLines(t *testing.T) {
	fakeQEMU(t, `printf 'one\r\ntwo\n\npart'; exit 0`)
	var out bytes.Buffer
	r, err := Run(t.Context(), runnable(t), &out)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != "one\r\ntwo\n\npart" {
		t.Errorf("copied %q", got)
	}
	if got := strings.Join(r.Lines, "|"); got != "one|two||part" || r.LastLine() != "part" {
		t.Errorf("kept %q, last %q", got, r.LastLine())
	}
}

func TestCrashRecordIsCutOut(t *testing.T) {
	fakeQEMU(t, `printf 'a\nhearth: crash begin\ncrash: what x\nhearth: crash end\nb\n'; exit 255`)
	r, err := Run(t.Context(), runnable(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.Crash, "|"); got != "hearth: crash begin|crash: what x|hearth: crash end" {
		t.Errorf("record %q", got)
	}
}

func TestFeatureWarningsAreLeftOut(t *testing.T) {
	fakeQEMU(t, `echo "qemu: warning: TCG doesn't support requested feature: CPUID.1" >&2; echo 'real trouble' >&2; exit 1`)
	r, err := Run(t.Context(), runnable(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(r.Stderr, "real trouble\n") {
		t.Errorf("stderr %q", r.Stderr)
	}
}

// QEMU may have started processes of its own: nothing of it may survive.
func TestDeadlineAndContextKillTheWholeGroup(t *testing.T) {
	for name, how := range map[string]struct{ deadline, context time.Duration }{
		"deadline": {2 * time.Second, time.Minute},
		"context":  {time.Minute, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			pidFile := filepath.Join(t.TempDir(), "pid")
			fakeQEMU(t, "sleep 60 & echo $! > "+pidFile+"; wait")
			ctx, cancel := context.WithTimeout(t.Context(), how.context)
			defer cancel()
			m := runnable(t)
			m.Deadline = how.deadline
			start := time.Now()
			r, err := Run(ctx, m, nil)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("Run took %v", took)
			}
			if name == "deadline" && (err != nil || r.Outcome != Hang) {
				t.Errorf("outcome %v, error %v, want a hang", r.Outcome, err)
			}
			if name == "context" && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("error %v, want the context's", err)
			}
			waitGone(t, pidFile)
		})
	}
}

// waitGone waits until a killed process has also been reaped by its new parent.
func waitGone(t *testing.T, pidFile string) {
	t.Helper()
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || isZombie(pid) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d, which QEMU started, is still there", pid)
}

func isZombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}

func TestMachineThatIsRefusedIsNotStarted(t *testing.T) {
	touched := filepath.Join(t.TempDir(), "started")
	fakeQEMU(t, "touch "+touched)
	m := runnable(t)
	m.CPUs = 0
	if _, err := Run(t.Context(), m, nil); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(touched); err == nil {
		t.Error("QEMU was started")
	}
}
