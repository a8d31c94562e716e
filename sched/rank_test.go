package sched

import "testing"

// Packed into two words, each term keeps its largest value and touches no other.
func TestATermOfAKeyLeavesTheOthersAlone(t *testing.T) {
	s := new(Scheduler)
	s.Init(shape(t, "L(512,512)"))
	const last, sleeps = 1023, uint8(Halted)
	for _, of := range []struct {
		raw  Raw
		busy uint32
		near bool
		want Key
	}{
		{Raw{CPU: last, Idle: sleeps}, 0, false, Key{}},
		{Raw{CPU: last, Load: 0xffff, Idle: sleeps}, 0, false, Key{TermLoad: 0xffff}},
		{Raw{CPU: last, Idle: uint8(Busy)}, 0, false, Key{TermAwake: 2}},
		{Raw{CPU: last, Idle: uint8(Busy), Flags: RawPreemptible}, 0, false, Key{TermAwake: 1}},
		{Raw{CPU: last, Idle: sleeps}, 0x3ff, false, Key{TermSiblings: 0x3ff}},
		{Raw{CPU: last, Slowness: 0xffff, Idle: sleeps}, 0, false, Key{TermCapacity: 0xffff}},
		{Raw{CPU: last, Homes: 1, CoreHomes: 1, Idle: sleeps}, 0, true, Key{TermHome: 2, TermFar: 1}},
		{Raw{CPU: last, CoreHomes: 1, Idle: sleeps}, 0, true, Key{TermHome: 1, TermFar: 1}},
		{Raw{CPU: last, Latency: 0xffffffff, Idle: sleeps}, 0, false, Key{TermLatency: 0xffffffff}},
		{Raw{CPU: last, Latency: 1, Idle: sleeps}, 0, false, Key{TermLatency: 1}},
		{Raw{CPU: last - 1, Idle: sleeps}, 0, false, Key{TermDistance: last}},
		{Raw{CPU: last - 1, Load: 0xffff, Idle: uint8(Busy), Homes: 1, Slowness: 0xffff, Latency: 0xffffffff}, 0x3ff, true,
			Key{0xffff, 2, 0x3ff, 0xffff, 2, 1, 0xffffffff, last}},
	} {
		k := s.rankOf(&of.raw, of.busy, last)
		if of.near {
			k = s.near(k, &of.raw, 0)
		}
		got := Key{1, 1, 1, 1, 1, 1, 1, 1}
		if k.unpack(&got); got != of.want {
			t.Errorf("%+v with %d busy siblings: %v, want %v", of.raw, of.busy, got, of.want)
		}
	}
}
