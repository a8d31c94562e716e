package sim

import (
	"errors"
	"hearth/sched"
	"testing"
)

// A scheduler that ranks by another rule than the oracle's breaks the one invariant
// oracle, which does not keep it from being judged by everything else.
func TestAnotherRuleBreaksTheOracleAlone(t *testing.T) {
	registerEngine("other rule", func() engine {
		s := new(sched.Scheduler)
		s.SetPlacement(sched.ByCost, sched.DefaultCosts())
		return &real{Scheduler: s}
	})
	defer delete(engines, "other rule")
	sc, err := Parse("two.txt", []byte("scenario T\nmachine L(2,2)\nthread main\n  spawn t\n  spawn u\n  join t\n  join u\nthread t\n  run 10us\nthread u\n  run 10us\n"))
	if err != nil {
		t.Fatal(err)
	}
	var broken *Violation
	if _, err := sc.Run(Options{Engine: "other rule"}); !errors.As(err, &broken) || broken.Invariant != OwnRule {
		t.Errorf("judged by all: %v", err)
	}
	out, err := sc.Run(Options{Engine: "other rule", Counted: []string{OwnRule}})
	if err != nil || out.Violations[OwnRule] == 0 || out.Reach[OwnRule] != 2 || out.Reach["read-true"] != 2 {
		t.Errorf("its rule's breaches counted: error %v, %v of %v placements, want some of 2", err, out.Violations, out.Reach[OwnRule])
	}
}

// Both rules of Hearth have their searches held against a scan.
func TestASearchThatFindsAnotherCPUIsNoticed(t *testing.T) {
	for _, name := range []string{Hearth, "hearth-by-cost"} {
		m, err := newMachine(&Scenario{Shape: "L(2)", Main: []Op{Run(settling)}}, &Options{Engine: name}, &random{1})
		if err != nil {
			t.Fatal(err)
		}
		var s *real
		switch e := m.s.(type) {
		case *real:
			s = e
		case byCost:
			s = e.real
		}
		s.differs = "it finds another CPU"
		m.sc.NoOracle = true
		m.checkOracle(nil)
		m.checkOracle(nil) // one breach is told once
		var broken *Violation
		if !errors.As(m.err, &broken) || broken.Invariant != OwnRule || broken.Detail != "it finds another CPU" || m.checks.oracle.reach != 2 {
			t.Errorf("%s: %v", name, m.err)
		}
	}
}

func TestAPlacementThatReadWhatWasNotThereIsNoticed(t *testing.T) {
	m := still(t, "L(2)")
	before := m.see(image)
	other := m.newThread("t", nil, 0, image, 0)
	req := sched.Request{Context: other.context, Process: image}
	if _, ok := m.s.Spawn(0, m.now, &req, &m.view, &m.cpus[0].act); !ok {
		t.Fatal("no CPU")
	}
	if m.checkReads(before); m.err != nil {
		t.Fatalf("what was there: %v", m.err)
	}
	m.view.CPUs[1].Load++
	m.checkReads(before)
	var broken *Violation
	if !errors.As(m.err, &broken) || broken.Invariant != "read-true" {
		t.Errorf("a load that was not there: %v", m.err)
	}
}
