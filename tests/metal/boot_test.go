package metal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hearth/qemu"
	"hearth/tools/symbolise"
)

// guests bounds how many machines run at once: each has more CPUs than hosts
// like the ones that this runs on.
var guests = make(chan struct{}, 2)

// deadline is for a guest that works on a busy host; a working one takes
// seconds.
const deadline = 4 * time.Minute

// machine is a small machine of so many CPUs, last-level caches and CPUs a core.
func machine(cpus, llcs, smt int) qemu.Machine {
	return qemu.Machine{CPUs: cpus, LLCs: llcs, SMT: smt, MemoryBytes: 512 << 20, Deadline: deadline, Autopsy: true}
}

// label is the shape of a machine as a test's name.
func label(m qemu.Machine) string {
	return fmt.Sprintf("cpus%d_llcs%d_smt%d", m.CPUs, m.LLCs, m.SMT)
}

// boot runs a guest with arguments and returns how it ended. If the test fails,
// then or later, it shows the whole story.
func boot(t *testing.T, m qemu.Machine, guest string, args ...string) qemu.Result {
	t.Helper()
	m.Kernel = built(t, guest, "").Image
	m.Append = strings.TrimSpace(m.Append + " -- " + strings.Join(args, " "))
	return run(t, m)
}

// run is boot for a machine that has its image and command line.
func run(t *testing.T, m qemu.Machine) qemu.Result {
	t.Helper()
	r, err := launch(t.Context(), m)
	if err != nil {
		t.Fatalf("%v\n%s", err, replay(t, m))
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s\nconsole saved in %s:\n%s", replay(t, m), save(t.Name(), r), story(m, r))
		}
	})
	return r
}

// launch runs a machine when its turn has come.
func launch(ctx context.Context, m qemu.Machine) (qemu.Result, error) {
	guests <- struct{}{}
	defer func() { <-guests }()
	return qemu.Run(ctx, m, nil)
}

// mustPass boots a guest that is to end with exit code 0.
func mustPass(t *testing.T, m qemu.Machine, guest string, args ...string) qemu.Result {
	t.Helper()
	r := boot(t, m, guest, args...)
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return r
}

// replay is how to do it again: the test, and the machine alone.
func replay(t *testing.T, m qemu.Machine) string {
	pattern := "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
	return fmt.Sprintf("machine: %v\nreplay the test:    build/bin/hearth go test ./tests/metal -run '%s'\nreplay the machine: qemu-system-x86_64 %s",
		m, pattern, quoted(m.Args()))
}

// quoted is a command line that a shell takes apart into the same words.
func quoted(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		if words[i] = a; a == "" || strings.ContainsAny(a, " \"'$&;()|<>*?") {
			words[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// story is everything that a run left, with its addresses explained.
func story(m qemu.Machine, r qemu.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\noutcome %v, status %d, after %v\n", strings.Join(r.Lines, "\n"), r.Outcome, r.Status, r.Elapsed)
	for _, c := range r.CPUs {
		fmt.Fprintln(&b, c)
	}
	if r.Stderr != "" {
		fmt.Fprintf(&b, "QEMU said: %s\n", r.Stderr)
	}
	table, err := symbolise.Open(m.Kernel)
	if err != nil {
		return b.String()
	}
	var explained strings.Builder
	if table.Rewrite(&explained, strings.NewReader(b.String())) != nil {
		return b.String()
	}
	return explained.String()
}

// save keeps a console in a file and returns its name.
func save(name string, r qemu.Result) string {
	file := filepath.Join(artefacts, strings.NewReplacer("/", ".", " ", "-", ",", "").Replace(name)+".console")
	if err := os.WriteFile(file, []byte(strings.Join(r.Lines, "\n")+"\n"), 0o666); err != nil {
		return err.Error()
	}
	return file
}
