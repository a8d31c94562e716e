package metal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hearth/qemu"
)

const fromBoard = "non-maskable interrupt from the board"

// TestInterruptFromTheBoardLeavesOneRecordOfAllCPUs sends every CPU an NMI at once,
// through QEMU's monitor, when the guest says that it computes.
func TestInterruptFromTheBoardLeavesOneRecordOfAllCPUs(t *testing.T) {
	t.Parallel()
	m := machine(4, 1, 1)
	m.Autopsy = false
	m.TraceFile = filepath.Join(t.TempDir(), "trace")
	socket := filepath.Join(t.TempDir(), "qmp")
	m.Extra = []string{"-qmp", "unix:" + socket + ",server=on,wait=off"}
	m.Kernel, m.Append = built(t, "ends", faultsTag).Image, "watchdog=off -- closed"
	guests <- struct{}{}
	r, err := qemu.Run(t.Context(), m, &trigger{line: "closed", do: func() { injectNMI(t, socket) }})
	<-guests
	if err != nil {
		t.Fatal(err)
	}
	if what := value(r.Crash, "what"); r.Outcome != qemu.Crash || what != fromBoard {
		t.Fatalf("outcome %v, what happened: %q", r.Outcome, what)
	}
	if n := countLines(r.Lines, "hearth: crash begin"); n != 1 {
		t.Errorf("%d records, want 1", n)
	}
	explained := explain(t, r)
	places := regexp.MustCompile(`(?m)^crash: place \d vector 2 mode `).FindAllString(explained, -1)
	if len(places) != 3 {
		t.Errorf("%d places of the other 3 CPUs", len(places))
	}
	line := lineOf(t, "tests/metal/guest/ends/waits_amd64.s", "stands: closed")
	want := fmt.Sprintf(`(?m)^crash: (rip|place 0 vector 2 mode program .* rip) \S+ main\.stopInterrupts \S+/waits_amd64\.s:(%d|%d)$`, line, line+1)
	if !regexp.MustCompile(want).MatchString(explained) {
		t.Errorf("no line %s in\n%s", want, explained)
	}
	if trace, err := os.ReadFile(m.TraceFile); err != nil || !bytes.HasPrefix(trace, []byte("HTRC")) || !bytes.HasSuffix(trace, []byte("HEND")) {
		t.Errorf("a trace of %d bytes is not whole: %v", len(trace), err)
	}
}

// TestGuestPastItsDeadlineSaysWhereItIs lets a guest hang until the harness asks it.
func TestGuestPastItsDeadlineSaysWhereItIs(t *testing.T) {
	t.Parallel()
	for name, args := range map[string]string{"busy": "hang", "closed": "closed", "counted": "hang"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := machine(2, 1, 1)
			m.ICount = name == "counted"
			m.Deadline = 8 * time.Second
			m.Kernel, m.Append = built(t, "ends", faultsTag).Image, "watchdog=off -- "+args
			r := run(t, m)
			if r.Outcome != qemu.Hang || !strings.HasPrefix(r.Err().Error(), "hang: no end within 8") {
				t.Fatalf("outcome %v after %v: %v", r.Outcome, r.Elapsed, r.Err())
			}
			if what := value(r.Crash, "what"); what != fromBoard || !slices.Contains(r.Crash, "hearth: crash end") {
				t.Errorf("what happened: %q, in a record of %d lines", what, len(r.Crash))
			}
			if value(r.Crash, "place") == "" && !m.ICount { // a counted guest may be in its boot yet
				t.Error("the record does not tell where the other CPU is")
			}
		})
	}
}

func countLines(lines []string, line string) (n int) {
	for _, l := range lines {
		if l == line {
			n++
		}
	}
	return n
}

// trigger does something once, when a line that starts so is printed.
type trigger struct {
	line string
	do   func()
	once sync.Once
	said []byte
}

// Write implements io.Writer.
func (g *trigger) Write(p []byte) (int, error) {
	g.said = append(g.said, p...)
	if bytes.Contains(g.said, []byte("\n"+g.line)) {
		g.once.Do(func() { go g.do() })
	}
	return len(p), nil
}

// injectNMI is what an operator would do in QEMU's monitor.
func injectNMI(t *testing.T, socket string) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close()
	in := json.NewDecoder(conn)
	for _, command := range []string{"qmp_capabilities", "inject-nmi"} {
		fmt.Fprintf(conn, "{\"execute\": %q}\n", command)
	}
	for in.More() { // until QEMU has ended
		var answer map[string]any
		if in.Decode(&answer) != nil {
			return
		}
		if answer["error"] != nil {
			t.Error(answer["error"])
		}
	}
}
