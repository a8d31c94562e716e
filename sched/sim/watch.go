package sim

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// Hung is the invariant that a policy breaks which does not come back from a decision.
const Hung = "policy-returns"

// patience is how long one step of a run may take under a policy, in real time: a
// thousand times what the slowest takes on a busy host.
const patience = 10 * time.Second

// watch is what a run under a policy shares with who waits for it.
type watch struct {
	steps atomic.Int64 // taken so far
	given atomic.Bool  // nobody waits any more
}

// ended is how a run ended.
type ended struct {
	out *Outcome
	err error
}

// watched makes a run under somebody's policy, which may not come back. It then goes on
// without being waited for: nothing can end it from outside, but its next question to
// the model does.
func (sc *Scenario) watched(o *Options, by chooser) (*Outcome, error) {
	w, mine := new(watch), *o
	mine.watch = w
	done := make(chan ended, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil { // in its constructor or its Start
				done <- ended{nil, &Violation{"policy", o.panicked(p), o.Seed, 0, 0}}
			}
		}()
		out, err := sc.once(&mine, by)
		done <- ended{out, err}
	}()
	limit := o.Patience
	if limit == 0 {
		limit = patience
	}
	look := time.NewTicker(limit)
	defer look.Stop()
	for last := int64(-1); ; {
		select {
		case e := <-done:
			return e.out, e.err
		case <-look.C:
			steps := w.steps.Load()
			if steps == last {
				w.given.Store(true)
				what := fmt.Sprintf("policy %s has not come back from a decision for %v in scenario %s", o.Engine, limit, sc.Name)
				return nil, &Violation{Hung, what, o.Seed, int(steps), 0}
			}
			last = steps
		}
	}
}

// panicked says that the policy did.
func (o *Options) panicked(p any) string {
	return fmt.Sprintf("policy %s stopped with a panic: %v", o.Engine, p)
}

// own reports whether the engine is Hearth's scheduler: a panic of it is a fault here,
// whose stack is wanted.
func (o *Options) own() bool {
	return o.Engine == "" || slices.ContainsFunc(own, func(p PolicyInfo) bool { return p.Name == o.Engine })
}

// watchable is an engine that ends a run for which nobody waits.
type watchable interface{ watchedBy(w *watch) }

// goesOn ends the run if nobody waits for it.
func (m *Model) goesOn() {
	if m.watch != nil && m.watch.given.Load() {
		panic("nobody waits for this run any more")
	}
}
