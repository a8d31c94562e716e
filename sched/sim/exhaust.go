package sim

import "fmt"

// Exhausted tells how an exhaustive search ended.
type Exhausted struct {
	Runs     int  // sequences of choices tried
	Complete bool // there is none left within the bound
}

// Exhaust runs the scenario once for every sequence of choices in which a CPU that
// could have gone on is left for another one at most sc.Exhaustive times. Kernel code
// takes no time and nothing is late, so the order of steps is all that there is to
// choose. It stops at the first run with an error, and after limit runs.
func (sc *Scenario) Exhaust(o Options, limit int) (Exhausted, *Outcome, error) {
	var done Exhausted
	total, broken := map[string]int{}, map[string]int{}
	for list, more := []int(nil), true; more; {
		if done.Runs == limit {
			return done, nil, fmt.Errorf("scenario %s: %d runs are not all within its bound of %d departures; make it smaller", sc.Name, limit, sc.Exhaustive)
		}
		p := &prefix{list: list}
		out, err := sc.run(&o, p)
		done.Runs++
		if err == nil {
			err = sc.Judge(out)
		}
		if err != nil {
			return done, out, err
		}
		sum(total, out.Reach)
		sum(broken, out.Violations)
		if list, more = p.following(sc.Exhaustive); !more {
			done.Complete = true
			out.Reach, out.Violations = total, broken
			if missing := sc.Unreached(total); missing != "" {
				return done, out, fmt.Errorf("scenario %s: no run put %s to the test", sc.Name, missing)
			}
			return done, out, nil
		}
	}
	return done, nil, nil
}

func sum(to, more map[string]int) {
	for name, n := range more {
		to[name] += n
	}
}

// following returns the next list of choices in order, within the bound of departures;
// false if this was the last.
func (p *prefix) following(bound int) ([]int, bool) {
	departures := make([]int, len(p.taken)+1)
	for i, t := range p.taken {
		departures[i+1] = departures[i]
		if t.staying && t.at > 0 {
			departures[i+1]++
		}
	}
	for i := len(p.taken) - 1; i >= 0; i-- {
		t := p.taken[i]
		extra := 0
		if t.staying {
			extra = 1
		}
		if t.at+1 < t.of && departures[i]+extra <= bound {
			list := make([]int, 0, i+1)
			for _, before := range p.taken[:i] {
				list = append(list, before.at)
			}
			return append(list, t.at+1), true
		}
	}
	return nil, false
}
