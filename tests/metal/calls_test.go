package metal

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hearth/qemu"
	"hearth/tools/image"
)

// callClaims are those of the guest calls, in its order.
var callClaims = []string{
	"busy_hint_goes_elsewhere", "free_hint_is_taken", "fixed_map_replaces_by_zeroes", "fixed_noreplace_refuses",
	"reservation_costs_nothing", "unmap_unmaps", "dontneed_gives_zeroes", "bad_memory_calls_are_refused",
	"no_access_faults", "read_only_refuses_writes", "protection_keeps_data", "bad_pointers_are_answered_efault",
	"page_0_is_a_nil_dereference", "own_text_and_constants_refuse_writes", "data_is_no_code",
	"unmapped_is_gone_on_every_cpu", "protected_is_so_on_every_cpu",
	"event_counter_is_level_triggered", "epoll_wait_never_early", "write_wakes_epoll_wait", "removed_watch_is_silent",
	"futex_wait_checks_the_word", "futex_timeout_never_early", "futex_wake_counts_whom_it_woke", "futex_requeue_moves_waiters",
	"join_takes_the_exit_code_once", "join_refuses_what_cannot_end_well",
	"affinity_moves_running_and_waiting", "affinity_refuses_offline_cpus", "yield_lets_another_run",
	"kill_knows_its_own_process_alone", "program_learns_who_and_where_it_is",
}

func TestCallsKeepLinuxsPromises(t *testing.T) {
	t.Parallel()
	for _, m := range []qemu.Machine{machine(1, 1, 1), machine(4, 2, 1)} {
		t.Run(label(m), func(t *testing.T) {
			t.Parallel()
			checkClaims(t, mustPass(t, m, "calls"), callClaims)
		})
	}
}

// TestPromisesAreLinuxsOwn runs the same guest on the host: a claim that its
// kernel does not keep is none that Linux makes.
func TestPromisesAreLinuxsOwn(t *testing.T) {
	t.Parallel()
	tools, err := image.Shadow(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(artefacts, "calls.linux")
	if out, err := tools.Command(t.Context(), "", "build", "-o", program, "./guest/calls").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), program).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	checkClaims(t, qemu.Result{Lines: strings.Split(string(out), "\n")}, callClaims)
}
