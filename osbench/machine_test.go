package osbench

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// A process that may use one CPU of several has no place for near.
func TestMachineIsWhatTheProcessMayUse(t *testing.T) {
	if os.Getenv("OSBENCH_TEST_CHILD") != "" {
		m := thisMachine(t)
		for _, c := range m.top.CPUs {
			os.Stdout.WriteString("cpu" + strconv.Itoa(c.ID) + "\n")
		}
		return
	}
	cpus := thisMachine(t).top.CPUs
	last := cpus[len(cpus)-1].ID
	cmd := exec.Command("taskset", "-c", strconv.Itoa(last), os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), "OSBENCH_TEST_CHILD=1")
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "cpu") != 1 || !strings.Contains(string(out), "cpu"+strconv.Itoa(last)+"\n") {
		t.Errorf("on CPU %d only: %v\n%s", last, err, out)
	}
}
