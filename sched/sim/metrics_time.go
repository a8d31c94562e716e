package sim

import (
	"strings"
	"time"
)

// Metrics of when and how often.
func init() {
	add(map[string]*metric{
		"waited-net": {kindTime, "threads", "for each, the longest time that it was runnable while an allowed CPU slept and nothing was on its way (as work-conserved measures it)",
			eachEnd(func(e *Ended) float64 { return float64(e.Idly) })},
		"late": {kindTime, "threads", "for each, the latest end of a timed wait after its time",
			eachEnd(func(e *Ended) float64 { return float64(e.Late) })},
		"early": {kindTime, "threads", "for each, the earliest end of a timed wait before its time",
			eachEnd(func(e *Ended) float64 { return float64(e.Early) })},
		"preemptions": {kindCount, "threads", "for each, how often it had to give up its CPU",
			eachEnd(func(e *Ended) float64 { return float64(e.Preempted) })},
		"wakes": {kindCount, "", "blocked threads that were woken, or whose time was over",
			whole(func(o *Outcome) float64 { return float64(o.Wakes) })},
		"lines-per-wake": {kindCount, "", "lines of other CPUs that posts touched, by the wakes and spawns",
			whole(func(o *Outcome) float64 { return float64(o.Lines) / float64(max(o.Wakes+len(o.Spawns), 1)) })},
		"decision-growth": {kindCount, "", "what the last spawn looked at, lines-per-decision, in terms of one when every CPU may be a home", whole(growth)},
		"item-wakes": {kindCount, "", "workers of pools that were woken for an item",
			whole(func(o *Outcome) float64 { return float64(o.ItemWakes) })},
		"empty-wakes": {kindCount, "", "workers of pools that were woken and found no item",
			whole(func(o *Outcome) float64 { return float64(o.EmptyWakes) })},
		"peak-running": {kindCount, "threads", "the most of them that computed at once",
			func(o *Outcome, of string) []reading { return one(of, o.peak(of)) }},
		"migrations-after": {kindCount, "threads time", "moves of theirs together, later than the time",
			func(o *Outcome, of string) []reading { return one(of, movesAfter(o, of)) }},
	})
}

func movesAfter(o *Outcome, of string) (n int) {
	names, after, _ := strings.Cut(of, " ")
	from, _ := time.ParseDuration(after)
	for i := range o.Migrations {
		if g := &o.Migrations[i]; g.At > from && matches(names, g.Name) {
			n++
		}
	}
	return n
}
