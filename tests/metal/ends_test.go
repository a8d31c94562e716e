package metal

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"hearth/qemu"
)

// TestProgramEndsWithItsOwnCode boots a guest that ends as it is told, and demands
// its exit code and the words that a Go program ends with.
func TestProgramEndsWithItsOwnCode(t *testing.T) {
	t.Parallel()
	const nilFault = "panic: runtime error: invalid memory address or nil pointer dereference"
	for _, test := range []struct {
		args string
		code int
		says []string
	}{
		{"return", 0, nil},
		{"exit 0", 0, nil},
		{"exit 1", 1, nil},
		{"exit 7", 7, nil},
		{"exit 63", 63, nil},
		{"exit 255", 255, nil},
		{"panic", 2, []string{"panic: as it was told", "goroutine 1 [running]:", "main.main()", "guest/ends/main.go:"}},
		{"thread", 2, []string{"panic: as it was told", ", locked to thread]:", "main.panicInThread.func1()"}},
		{"nil", 2, []string{nilFault, "[signal SIGSEGV: segmentation violation", "addr=0x18", "main.main()"}},
		{"text", 2, []string{"unexpected fault address 0x7e0000001000", "fatal error: fault", "[signal SIGSEGV: segmentation violation"}},
		{"deadlock", 2, []string{"fatal error: all goroutines are asleep - deadlock!"}},
		{"stack", 2, []string{"goroutine stack exceeds 1048576-byte limit", "fatal error: stack overflow", "main.deeper("}},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			r := boot(t, machine(2, 1, 1), "ends", strings.Fields(test.args)...)
			want := qemu.ProgramExit
			if test.code == 0 {
				want = qemu.Pass
			}
			if r.Outcome != want || r.Code != test.code {
				t.Errorf("outcome %v, code %d, want %v, %d", r.Outcome, r.Code, want, test.code)
			}
			if last := r.LastLine(); last != "hearth: exit="+strconv.Itoa(test.code) {
				t.Errorf("last line %q", last)
			}
			for _, text := range test.says {
				if !said(r, text) {
					t.Errorf("the console does not say %q", text)
				}
			}
			if said(r, "the thread was joined") {
				t.Error("a thread that panicked was joined as if it had ended")
			}
		})
	}
}

// TestUnknownSystemCallIsLoggedOnceAndRefused also shows that no image but one
// made for the purpose can be made to fail by a call.
func TestUnknownSystemCallIsLoggedOnceAndRefused(t *testing.T) {
	t.Parallel()
	r := mustPass(t, machine(1, 1, 1), "ends", "provoke", "0")
	if !said(r, fmt.Sprintf("answered -1 errno %d", enosys)) {
		t.Error("call 8191 was not answered ENOSYS")
	}
	logged := 0
	for _, line := range r.Lines {
		if line == "hearth: system call 8191 is unknown and answered ENOSYS" {
			logged++
		}
	}
	if logged != 1 {
		t.Errorf("a call made twice was logged %d times, want once", logged)
	}
}

const enosys = 38
