package policies

import (
	"hearth/cpu"
	"strings"
	"testing"
	"time"
)

// b is woken behind a; an idle CPU of another domain comes for it at a's tick.
func TestLinuxFetchesAcrossDomainsAtATick(t *testing.T) {
	const text = `
scenario T
machine L(1,1,1)
start 1
thread main
  run 100us
  spawn a on {0} ; spawn b on {0} ; run 1ms
  set-mask a {0-2} ; set-mask b {0-2}
  wake a ; wake b ; run 20ms
  join a ; join b
thread a
  block
  run 10ms
thread b
  block
  run 10ms
`
	out, _ := run(t, "linux", 1, text, true)
	if len(out.Migrations) != 1 || out.Migrations[0].To != 2 || out.Migrations[0].At < 2*time.Millisecond {
		t.Errorf("migrations %+v, want one to CPU 2 at a tick", out.Migrations)
	}
	if out, err := run(t, "linux-sis-node", 1, text, false); err != nil {
		t.Errorf("linux-sis-node, which looks over the border: %v", err)
	} else if waited := max(out.End("a").Waited, out.End("b").Waited); waited > 100*time.Microsecond {
		t.Errorf("linux-sis-node: it waited %v", waited)
	}
}

func TestOSvGivesOneAwayEach100Milliseconds(t *testing.T) {
	const text = `
scenario T
machine L(4)
thread main
  spawn a ; spawn b ; spawn c
  join a ; join b ; join c
thread a
  run 300ms
thread b
  run 300ms
thread c
  run 300ms
`
	out, _ := run(t, "osv", 1, text, true)
	if len(out.Migrations) == 0 {
		t.Fatal("nothing was balanced")
	}
	for i, g := range out.Migrations {
		if least := 100 * time.Millisecond * time.Duration(i+1); g.At < least {
			t.Errorf("migration %d at %v", i, g.At)
		}
	}
}

// Threads that come one after the other use one CPU; those of linux follow the idlest
// group.
func TestNestReusesAWarmCPU(t *testing.T) {
	const text = `
scenario T
machine L(2,2)
thread main
  run 10us
  each i 1..6
    spawn w named w$i
    run 300us
  end
  each i 1..6
    join w$i
  end
thread w
  run 100us
`
	used := func(policy string) int {
		out, _ := run(t, policy, 3, text, true)
		cpus := map[any]bool{}
		for _, s := range out.Spawns {
			cpus[s.CPU] = true
		}
		return len(cpus)
	}
	if n := used("nest"); n != 1 {
		t.Errorf("nest used %d CPUs for one thread at a time", n)
	}
	if n := used("least-loaded"); n < 3 {
		t.Errorf("least-loaded used %d CPUs, which this test takes to go round", n)
	}
}

// A thread that slept for long is cold everywhere: it goes to the next of the least
// loaded CPUs. One that is warm stays in its domain.
func TestULEStaysInTheDomainOnlyWhileWarm(t *testing.T) {
	const text = `
scenario T
machine L(2,2)
start 3
thread main
  run 10us
  spawn t on {1} ; run 20us
  set-mask t {0-3}
  spawn hog on {1} ; run PAUSE
  wake t ; run 100us
  join t ; join hog
thread t
  block ; run 1us
thread hog
  run 20ms
`
	for pause, want := range map[string]cpu.ID{"100us": 0, "5ms": 2} {
		out, _ := run(t, "ule", 1, strings.Replace(text, "PAUSE", pause, 1), true)
		if end := out.End("t"); end.CPU != want {
			t.Errorf("after %s it woke on CPU %d, want %d", pause, end.CPU, want)
		}
	}
}
