package sim

import (
	"errors"
	"hearth/cpu"
	"strings"
	"testing"
	"time"
)

// spinner asks the model for ever where the third thread shall start; told is closed
// when it ends.
type spinner struct {
	Base
	told chan struct{}
	n    int
}

func (p *spinner) Place(m *Model, t *Thread, from cpu.ID) cpu.ID {
	if p.n++; p.n < 3 {
		return from
	}
	defer close(p.told)
	for m.Load(from) >= 0 {
	}
	return from
}

const three = "scenario W\nmachine L(2)\nthread main\n  spawn a\n  spawn b\n  spawn c\n  join a\nthread a\n  run 1us\nthread b\n  run 1us\nthread c\n  run 1us\n"

// soon is more than what takes 100 ms takes on a busy host.
const soon = 15 * time.Second

// A policy that does not come back is a finding, and does not go on for ever.
func TestAPolicyThatDoesNotComeBackIsAFinding(t *testing.T) {
	told := make(chan struct{})
	Register("spinner", "asks for ever", "this test", func() Policy { return &spinner{told: told} })
	defer delete(engines, "spinner")
	sc, err := Parse("three.txt", []byte(three))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	var out *Outcome
	go func() {
		out, err = sc.Run(Options{Engine: "spinner", Seed: 5, Patience: 100 * time.Millisecond})
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(soon):
		t.Fatal("the run does not come back")
	}
	var broken *Violation
	if !errors.As(err, &broken) || broken.Invariant != Hung || broken.Seed != 5 || broken.Step == 0 || out != nil ||
		!strings.Contains(broken.Detail, "policy spinner has not come back from a decision for 100ms in scenario W") {
		t.Errorf("outcome %v, error %v", out, err)
	}
	select {
	case <-told:
	case <-time.After(soon):
		t.Error("it goes on though nobody waits")
	}
}

// slow answers, but takes longer for all of its answers than one may take.
type slow struct{ Base }

func (slow) Place(m *Model, t *Thread, from cpu.ID) cpu.ID {
	time.Sleep(200 * time.Millisecond)
	return from
}

func TestAPolicyThatComesBackLateIsNone(t *testing.T) {
	Register("slow", "takes its time", "this test", func() Policy { return slow{} })
	defer delete(engines, "slow")
	sc, err := Parse("three.txt", []byte(three))
	if err == nil {
		_, err = sc.Run(Options{Engine: "slow", Patience: 400 * time.Millisecond})
	}
	if err != nil {
		t.Error(err)
	}
}

func TestAPanicOfAPolicysConstructorIsAFinding(t *testing.T) {
	Register("unmade", "cannot be made", "this test", func() Policy { panic("no") })
	defer delete(engines, "unmade")
	sc, err := Parse("three.txt", []byte(three))
	if err != nil {
		t.Fatal(err)
	}
	var broken *Violation
	if _, err = sc.Run(Options{Engine: "unmade", Seed: 2}); !errors.As(err, &broken) || broken.Seed != 2 || !strings.Contains(broken.Detail, "policy unmade stopped with a panic: no") {
		t.Errorf("error %v", err)
	}
}
