package metal

import (
	"slices"
	"strings"
	"testing"

	"hearth/qemu"
)

// checkClaims judges the lines `claim NAME ok` and `claim NAME FAILED why` of a
// guest, which must have made each of the wanted claims once, and no other.
func checkClaims(t *testing.T, r qemu.Result, want []string) {
	t.Helper()
	var made []string
	for _, line := range r.Lines {
		words := strings.SplitN(line, " ", 4)
		if words[0] != "claim" || len(words) < 3 {
			continue
		}
		made = append(made, words[1])
		if words[2] != "ok" {
			t.Error(line)
		}
	}
	if !slices.Equal(made, want) {
		t.Errorf("claims made: %v\nwant:        %v", made, want)
	}
}

// runtimeClaims are those of the guest runtime, in its order.
var runtimeClaims = []string{
	"goroutines_under_gc", "freed_memory_is_zero", "tight_loop_stopped", "tight_loop_gives_way", "nil_dereference_recovered",
	"division_by_zero_recovered", "sleep_never_early", "sha256_right", "vectors_survive_preemption",
	"mxcsr_survives_switch", "512_threads_twice",
}
