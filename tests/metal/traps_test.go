package metal

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hearth/qemu"
	"hearth/tools/image"
)

// trapClaims are those of the guest traps, in its order. QEMU raises no stack segment
// fault for a bad address, so that one is claimed only where the hardware is real.
var trapClaims = []string{
	"divide_by_zero", "divide_overflow", "single_step", "breakpoint", "invalid_instruction", "bad_address",
	"x87_divide_by_zero", "x87_invalid", "x87_pending_over_a_call", "simd_divide_by_zero",
	"read_of_page_0", "read_of_unmapped", "read_without_access", "write_to_read_only", "write_to_text", "call_of_data",
}

func TestExceptionsOfAProgramBecomeLinuxsSignals(t *testing.T) {
	t.Parallel()
	for _, m := range []qemu.Machine{machine(1, 1, 1), machine(2, 1, 1)} {
		t.Run(label(m), func(t *testing.T) {
			t.Parallel()
			checkClaims(t, mustPass(t, m, "traps"), trapClaims)
		})
	}
}

// TestSignalsOfExceptionsAreLinuxsOwn runs the same guest on the host.
func TestSignalsOfExceptionsAreLinuxsOwn(t *testing.T) {
	t.Parallel()
	tools, err := image.Shadow(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(artefacts, "traps.linux")
	if out, err := tools.Command(t.Context(), "", "build", "-o", program, "./guest/traps").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), program).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	checkClaims(t, qemu.Result{Lines: strings.Split(string(out), "\n")}, append(slices.Clone(trapClaims), "bad_stack_address"))
}
