package qemu

import (
	"encoding/json"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// registers are two CPUs as QEMU shows them, one in 32-bit mode.
const registers = "\r\nCPU#0\r\nRAX=0000000000000010 RBX=0000000000000000\r\nRSI=0 RDI=0 RBP=ffffd00000001000 RSP=ffffd00000000ff0\r\n" +
	"R8 =0000000000000000 R15=0000000000000001\r\nRIP=00007e0000001234 RFL=00000246 [---Z-P-] CPL=0 II=0 A20=1 SMM=0 HLT=1\r\n" +
	"ES =0000 0000000000000000 ffffffff 00a09300\r\nEFER=0000000000000d01\r\n" +
	"\r\nCPU#11\r\nEAX=00000010 EBX=00000000\r\nESI=00000000 EDI=00000000 EBP=00000000 ESP=00007bdc\r\n" +
	"EIP=ffff0e94 EFL=00000002 [-------] CPL=0 II=0 A20=1 SMM=0 HLT=0\r\n"

// fakeMonitor answers as QEMU does; memory is what its x command shows.
func fakeMonitor(t *testing.T, memory map[string]string) (socket string) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "qmp")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		fmt.Fprintln(conn, `{"QMP": {"version": {}}}`)
		for in := json.NewDecoder(conn); ; {
			var question struct {
				Execute   string
				Arguments map[string]any
			}
			if in.Decode(&question) != nil {
				return
			}
			answer := any(map[string]any{})
			line, _ := question.Arguments["command-line"].(string)
			switch {
			case question.Execute == "inject-nmi" && memory["inject-nmi"] != "":
				fmt.Fprintln(conn, memory["inject-nmi"])
				return
			case question.Execute == "inject-nmi":
				text, _ := json.Marshal(map[string]any{"error": map[string]any{"desc": "no NMI"}})
				fmt.Fprintf(conn, "%s\n", text)
				continue
			case question.Execute == "stop":
				fmt.Fprintln(conn, `{"event": "STOP"}`)
			case line == "info registers -a":
				answer = registers
			case line != "":
				answer = memory[fmt.Sprint(question.Arguments["cpu-index"], " ", line)]
			}
			text, _ := json.Marshal(map[string]any{"return": answer})
			fmt.Fprintf(conn, "%s\n", text)
		}
	}()
	return socket
}

func never() bool { return false }

// A guest that writes its record ends the machine, and with it the connection.
func TestGuestThatAnswersIsNotTakenApart(t *testing.T) {
	start := time.Now()
	got := autopsy(fakeMonitor(t, map[string]string{"inject-nmi": `{"return": {}}`}), never)
	if got != nil || time.Since(start) > answerLimit {
		t.Errorf("got %v after %v", got, time.Since(start))
	}
}

func TestAutopsyReadsRegistersAndFollowsFrames(t *testing.T) {
	socket := fakeMonitor(t, map[string]string{
		"0 x /2gx 0xffffd00000001000": "ffffd00000001000: 0xffffd00000001040 0x00007e0000002000\r\n",
		"0 x /2gx 0xffffd00000001040": "ffffd00000001040: 0xffffd00000001040 0x00007e0000003000\r\n",
	})
	got := autopsy(socket, never)
	want := []CPUState{
		{CPU: 0, RIP: 0x7e0000001234, RSP: 0xffffd00000000ff0, RFLAGS: 0x246, Halted: true, Frames: []uint64{0x7e0000002000, 0x7e0000003000}},
		{CPU: 11, RIP: 0xffff0e94, RSP: 0x7bdc, RFLAGS: 2},
	}
	if !slices.EqualFunc(got, want, func(a, b CPUState) bool { return a.String() == b.String() }) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	text := want[0].String()
	if !strings.HasPrefix(text, "cpu 0 halted rip 0x7e0000001234 ") || !strings.HasSuffix(text, "\ncrash: frame 1 0x7e0000003000") {
		t.Errorf("shown as %s", text)
	}
}

func TestFramesThatLeadNowhereEnd(t *testing.T) {
	for name, memory := range map[string]string{
		"unmapped": "Cannot access memory\r\n",
		"zero":     "ffffd00000001000: 0x0000000000000000 0x0000000000000000\r\n",
		"garbage":  "ffffd00000001000: hello\r\n",
	} {
		got := autopsy(fakeMonitor(t, map[string]string{"0 x /2gx 0xffffd00000001000": memory}), never)
		if len(got) != 2 || len(got[0].Frames) != 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAutopsyWithoutAMonitorIsEmptyAndQuick(t *testing.T) {
	start := time.Now()
	if got := autopsy(filepath.Join(t.TempDir(), "nosuch"), never); got != nil {
		t.Errorf("got %v", got)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestMonitorIsThereIfAskedFor(t *testing.T) {
	m := Default()
	for _, m.Autopsy = range []bool{false, true} {
		args, _, cleanUp, err := m.withMonitor()
		if err != nil {
			t.Fatal(err)
		}
		cleanUp()
		if slices.Contains(args, "-qmp") != m.Autopsy {
			t.Errorf("autopsy %v: %v", m.Autopsy, args)
		}
	}
}
