package metal

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRunTellsHowEachEndCame ends guests in every way there is, under `hearth run`: it
// must say how in its last line, and so must its exit status.
func TestRunTellsHowEachEndCame(t *testing.T) {
	t.Parallel()
	tool := filepath.Join(artefacts, "hearth")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", tool, root+"/tools/hearth").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	kernel := built(t, "ends", faultsTag).Image
	for _, test := range []struct {
		name, flags, args string
		status            int
		says              string // in the last line, whole up to a *
		besides           string
	}{
		{"return", "", "return", 0, "", ""},
		{"exit", "", "exit 3", 3, "hearth run: the program ended with exit code 3", ""},
		{"panic", "", "panic", 2, "hearth run: the program ended with exit code 2", "panic: as it was told"},
		{"throw", "", "throw", 2, "hearth run: the program ended with exit code 2", "fatal error: concurrent map writes"},
		{"deadlock", "-append watchdog=1", "words", 1, "hearth run: deadlock: all CPUs are idle, no alarm is set, and every thread waits:", "hearth run: who waits on what, explained:"},
		{"crash", "", "provoke 0", 1, "hearth run: crash: page fault in kernel context", "hearth/kernel.readNowhere hearth/kernel/faults.go:"},
		{"watchdog", "-append watchdog=1", "closed", 1, "hearth run: crash: cpu *", "main.stopInterrupts hearth/tests/metal/guest/ends/waits_amd64.s:"},
		{"triple fault", "", "triple", 1, "hearth run: reset: the guest met a triple fault; last line: *", ""},
		{"deadline", "-deadline 8s", "hang", 1, `hearth run: hang: no end within 8s; last line: "*`, "hearth run: where the CPUs hang, explained:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"run", "-cpus", "2", "-llcs", "1", "-mem", "512M"}, strings.Fields(test.flags)...)
			args = append(append(args, kernel, "--"), strings.Fields(test.args)...)
			guests <- struct{}{}
			cmd := exec.CommandContext(t.Context(), tool, args...)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			stdout, err := cmd.Output()
			<-guests
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
			last := lines[len(lines)-1]
			start, open := strings.CutSuffix(test.says, "*")
			if cmd.ProcessState.ExitCode() != test.status || last != test.says && !(open && strings.HasPrefix(last, start)) {
				t.Errorf("status %d, last line %q, want %d, %q", cmd.ProcessState.ExitCode(), last, test.status, test.says)
			}
			if !strings.Contains(string(stdout)+stderr.String(), test.besides) {
				t.Errorf("%q is not in\n%s\n%s", test.besides, stdout, stderr.String())
			}
		})
	}
}
