// Command calls is the guest that holds the kernel to what Linux promises of the
// calls that it shares with it: memory, events, futex waits, threads. It prints a
// line a claim, `claim NAME ok` or `claim NAME FAILED why`, and ends with code 1
// if one failed. On Linux every claim holds, too, which keeps the claims honest.
package main

import (
	"fmt"
	"os"
	"slices"

	_ "hearth/kernel"
)

var claims = []struct {
	name  string
	check func() error
}{
	{"busy_hint_goes_elsewhere", busyHint},
	{"free_hint_is_taken", freeHint},
	{"fixed_map_replaces_by_zeroes", fixedReplaces},
	{"fixed_noreplace_refuses", noReplace},
	{"reservation_costs_nothing", reservation},
	{"unmap_unmaps", unmapUnmaps},
	{"dontneed_gives_zeroes", dontNeed},
	{"bad_memory_calls_are_refused", badMemoryCalls},
	{"no_access_faults", noAccess},
	{"read_only_refuses_writes", readOnly},
	{"protection_keeps_data", protectionKeeps},
	{"bad_pointers_are_answered_efault", badPointers},
	{"page_0_is_a_nil_dereference", pageZero},
	{"own_text_and_constants_refuse_writes", ownText},
	{"data_is_no_code", dataIsNoCode},
	{"unmapped_is_gone_on_every_cpu", goneEverywhere},
	{"protected_is_so_on_every_cpu", protectedEverywhere},
	{"event_counter_is_level_triggered", levelTriggered},
	{"epoll_wait_never_early", epollTimeout},
	{"write_wakes_epoll_wait", epollWoken},
	{"removed_watch_is_silent", epollRemoved},
	{"futex_wait_checks_the_word", futexChanged},
	{"futex_timeout_never_early", futexTimeout},
	{"futex_wake_counts_whom_it_woke", futexWakes},
	{"futex_requeue_moves_waiters", futexRequeue},
	{"join_takes_the_exit_code_once", joinOnce},
	{"join_refuses_what_cannot_end_well", joinRefusals},
	{"affinity_moves_running_and_waiting", affinityMoves},
	{"affinity_refuses_offline_cpus", affinityRefusals},
	{"yield_lets_another_run", yieldLets},
	{"kill_knows_its_own_process_alone", killOwn},
	{"program_learns_who_and_where_it_is", identity},
}

func main() {
	failed := 0
	for _, c := range claims {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], c.name) {
			continue
		}
		if err := c.check(); err != nil {
			failed++
			fmt.Println("claim", c.name, "FAILED", err)
			continue
		}
		fmt.Println("claim", c.name, "ok")
	}
	if failed > 0 {
		os.Exit(1)
	}
}
