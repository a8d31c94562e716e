package metal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hearth/qemu"
)

// TestEveryCPUOfASparseMachineComesUp boots machines whose APIC ids have holes,
// and machines that could hold more CPUs than are there: the firmware lists these
// as disabled, and they must be counted and left out.
func TestEveryCPUOfASparseMachineComesUp(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		machine qemu.Machine
		extra   []string
		shape   shape
		absent  int
	}{
		{"APIC ids 0 to 5 and 8 to 13", machine(12, 2, 2), nil, shapeOf(machine(12, 2, 2)), 0},
		{"APIC ids of three LLCs, each fourth one missing", machine(9, 3, 1), nil, shapeOf(machine(9, 3, 1)), 0},
		{"three CPUs of four", machine(3, 1, 1),
			[]string{"-smp", "3,maxcpus=4,sockets=1,dies=2,cores=2,threads=1"},
			shape{cores: []int{0, 1, 2}, llcs: []int{0, 0, 1}}, 1},
		{"two CPUs of sixteen", machine(2, 1, 1),
			[]string{"-smp", "2,maxcpus=16,sockets=1,dies=2,cores=4,threads=2"},
			shape{cores: []int{0, 0}, llcs: []int{0, 0}}, 14},
		{"six CPUs of sixteen", machine(6, 1, 1),
			[]string{"-smp", "6,maxcpus=16,sockets=1,dies=2,cores=4,threads=2"},
			shape{cores: []int{0, 0, 1, 1, 2, 2}, llcs: []int{0, 0, 0, 0, 0, 0}}, 10},
		{"CPUs 0, 1, 4 and 8, 15 of sixteen", machine(5, 1, 1),
			slices.Concat([]string{"-smp", "2,maxcpus=16,sockets=1,dies=2,cores=4,threads=2"}, plug("0", "2", "0"), plug("1", "0", "0"), plug("1", "3", "1")),
			shape{cores: []int{0, 0, 1, 2, 3}, llcs: []int{0, 0, 0, 1, 1}}, 11},
		{"one CPU of two, SeaBIOS", func() qemu.Machine { m := machine(1, 1, 1); m.Firmware = qemu.SeaBIOS; return m }(),
			[]string{"-smp", "1,maxcpus=2,sockets=2"}, shape{cores: []int{0}, llcs: []int{0}}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := test.machine
			m.Extra = test.extra
			r := mustPass(t, m, "cpus")
			checkTree(t, r, test.shape, m.MemoryBytes)
			checkClaims(t, r, []string{"threads_run_where_pinned"})
			if said(r, "silent") {
				t.Error("a CPU that is not there was looked for")
			}
			line := fmt.Sprintf("hearth: %d CPUs that the firmware disabled left out", test.absent)
			if said(r, line) != (test.absent > 0) || said(r, "left out") != (test.absent > 0) {
				t.Errorf("%d CPUs are absent; want to read %q, or nothing of it for 0", test.absent, line)
			}
		})
	}
}

// plug is the arguments that add a CPU to a machine with room for it. A device
// takes the model's features in another form than -cpu does.
func plug(die, core, thread string) []string {
	model, features, _ := strings.Cut(qemu.AMD, ",")
	device := model + "-x86_64-cpu"
	for feature := range strings.SplitSeq(features, ",") {
		switch {
		case strings.HasPrefix(feature, "+"):
			feature = feature[1:] + "=on"
		case strings.HasPrefix(feature, "-"):
			feature = feature[1:] + "=off"
		}
		device += "," + feature
	}
	return []string{"-device", device + ",socket-id=0,die-id=" + die + ",core-id=" + core + ",thread-id=" + thread}
}
