package sim

import (
	"sort"
	"time"
)

// spells are the times in which each thread computed, in the order of their ends.
type spells struct {
	keep bool
	open map[string]time.Duration
	all  []spell
}

type spell struct {
	name     string
	from, to time.Duration
}

func (s *spells) begin(name string, now time.Duration) {
	if !s.keep {
		return
	}
	if s.open == nil {
		s.open = map[string]time.Duration{}
	}
	s.open[name] = now
}

func (s *spells) stop(name string, now time.Duration) {
	if from, ran := s.open[name]; ran && now > from {
		s.all = append(s.all, spell{name, from, now})
		delete(s.open, name)
	}
}

// peak returns the most threads of a pattern that computed at once.
func (s *spells) peak(of string) int {
	type edge struct {
		at   time.Duration
		step int
	}
	var edges []edge
	for _, spell := range s.all {
		if matches(of, spell.name) {
			edges = append(edges, edge{spell.from, 1}, edge{spell.to, -1})
		}
	}
	sort.SliceStable(edges, func(i, j int) bool {
		a, b := edges[i], edges[j]
		return a.at < b.at || a.at == b.at && a.step < b.step // one that ends makes room
	})
	most, now := 0, 0
	for _, e := range edges {
		now += e.step
		most = max(most, now)
	}
	return most
}

// expects reports whether the scenario claims something of a metric.
func (sc *Scenario) expects(metric string) bool {
	for i := range sc.Expect {
		if sc.Expect[i].Metric == metric {
			return true
		}
	}
	return false
}
