package sim

import (
	"hearth/cpu"
	"hearth/sched"
	"sort"
)

// View, Raw and Key are the scheduler's: what a placement read, of one CPU, and how
// it ranks.
type (
	View = sched.View
	Raw  = sched.Raw
	Key  = sched.Key
)

// Oracle decides a placement again from what it read, by the rule as it is written
// and without regard to time: it judges the scheduler and recorded runs. It returns
// the CPU and its key; cpu.None if the view has no candidate.
func Oracle(top *cpu.Topology, v *View) (cpu.ID, Key) {
	read := map[cpu.ID]Raw{}
	for _, r := range v.CPUs[:v.N] {
		read[r.CPU] = r
	}
	var candidates []cpu.ID
	for _, must := range []uint8{sched.RawAllowed | sched.RawAnswering, sched.RawAllowed} {
		for c, r := range read {
			if r.Flags&must == must {
				candidates = append(candidates, c)
			}
		}
		if len(candidates) > 0 {
			break
		}
	}
	if len(candidates) == 0 {
		return cpu.None, Key{}
	}
	keys := map[cpu.ID]Key{}
	for _, c := range candidates {
		keys[c] = oracleKey(top, v, read, c)
	}
	sort.Slice(candidates, func(i, j int) bool {
		a, b := keys[candidates[i]], keys[candidates[j]]
		for term := 0; term < len(a); term++ {
			if a[term] < b[term] {
				return true
			}
			if a[term] > b[term] {
				return false
			}
		}
		return false
	})
	return candidates[0], keys[candidates[0]]
}

func oracleKey(top *cpu.Topology, v *View, read map[cpu.ID]Raw, c cpu.ID) Key {
	r := read[c]
	free := func(r Raw) bool { return r.Load == 0 && asleep(r) }
	var k Key
	k[0] = r.Load
	switch {
	case asleep(r):
	case r.Flags&sched.RawPreemptible != 0:
		k[1] = 1
	default:
		k[1] = 2
	}
	k[3] = uint32(r.Slowness)
	for other, raw := range read {
		if other != c && top.At[other].Core == top.At[c].Core && !free(raw) {
			k[2]++
		}
	}
	if v.Near {
		switch {
		case r.Homes != 0:
			k[4] = 2
		case r.CoreHomes != 0:
			k[4] = 1
		}
		if top.At[c].LLC != top.At[v.Spawner].LLC {
			k[5] = 1
		}
	}
	k[6] = r.Latency
	for at := v.Start; at != c; k[7]++ {
		if at++; int(at) == top.Count {
			at = 0
		}
	}
	return k
}

// asleep: sleeping, with no kick coming and no background context posted.
func asleep(r Raw) bool {
	if r.Flags&sched.RawBackground != 0 {
		return false
	}
	return sleeps(sched.Idle(r.Idle))
}
