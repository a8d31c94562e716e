package osbench

import (
	"strings"
	"testing"

	"hearth/sys"
)

func TestArmsPlaceBothSidesByTopology(t *testing.T) {
	for _, c := range []struct {
		arm          arm
		top          *sys.Topology
		caller, peer string
	}{
		{free, twoLLCs(), "any", "any"},
		{near, twoLLCs(), "{0}", "{2-3}"},
		{far, twoLLCs(), "{0}", "{4-7}"},
		{sameCPU, twoLLCs(), "{0}", "{0}"},
		{smt, twoLLCs(), "{0}", "{1}"},
		{alone, twoLLCs(), "{0}", "any"},
		{near, flat(3), "{0}", "{1-2}"},
		{near, &sys.Topology{CPUs: []sys.CPU{{ID: 0}, {ID: 4, Core: 1, LLC: 1}, {ID: 6, Core: 2, LLC: 1}}}, "{4}", "{6}"},
	} {
		caller, peer, skip := c.arm.place(c.top)
		if skip != "" || text(caller) != c.caller || text(peer) != c.peer {
			t.Errorf("%v: caller %s, peer %s, skip %q; want %s and %s", c.arm, text(caller), text(peer), skip, c.caller, c.peer)
		}
	}
}

func text(m *sys.Mask) string {
	if m == nil {
		return "any"
	}
	return m.String()
}

func TestArmWithoutAPlaceSaysWhatTheMachineLacks(t *testing.T) {
	for _, c := range []struct {
		arm  arm
		top  *sys.Topology
		want string
	}{
		{far, flat(4), "one LLC"},
		{near, flat(1), "two cores"},
		{near, &sys.Topology{CPUs: []sys.CPU{{ID: 0}, {ID: 1, SMT: 1}}}, "two cores"},
		{smt, flat(4), "two CPUs"},
	} {
		if _, _, skip := c.arm.place(c.top); !strings.Contains(skip, c.want) {
			t.Errorf("%v: skip %q, want %q in it", c.arm, skip, c.want)
		}
	}
}

func TestRoundElsewhereThanItsArmSaysIsNamed(t *testing.T) {
	good := round{sides: []span{{0, 0}, {2, 3}}} // near on twoLLCs
	for _, c := range []struct {
		arm  arm
		bad  round
		want string
	}{
		{near, round{sides: []span{{0, 0}, {4, 4}}}, "peer 1 on CPU 4 (LLC 1, core 2): not near"},
		{near, round{sides: []span{{0, 0}, {2, 1}}}, "peer 1 on CPU 1 (LLC 0, core 0): not near"},
		{near, round{sides: []span{{0, 2}, {2, 2}}}, "the pinned caller ran on CPU 0, then on CPU 2"},
		{near, round{sides: []span{{0, 0}, {9, 9}}}, "unknown CPU 9"},
		{far, round{sides: []span{{0, 0}, {3, 3}}}, "not far"},
		{sameCPU, round{sides: []span{{0, 0}, {1, 1}}}, "not same CPU"},
		{smt, round{sides: []span{{0, 0}, {0, 0}}}, "not SMT"},
		{near, round{sides: []span{{0, 0}, {2, 2}, {5, 5}}}, "peer 2 on CPU 5"},
	} {
		rounds := []round{good, c.bad, good}
		if c.arm != near {
			rounds = []round{c.bad}
		}
		res := &result{row: &row{arm: c.arm}, rounds: rounds}
		err := res.check(twoLLCs())
		if err == nil || !strings.Contains(err.Error(), c.want) || c.arm == near && !strings.HasPrefix(err.Error(), "round 1: ") {
			t.Errorf("%v: error %v, want %q in round 1", c.arm, err, c.want)
		}
	}
	if err := (&result{row: &row{arm: free}, rounds: []round{{sides: []span{{0, 3}, {4, 1}}}}}).check(twoLLCs()); err != nil {
		t.Errorf("a free round may run anywhere: %v", err)
	}
}

// The check is alive in a whole run: a peer that ignores the arm's mask turns the
// verdict red.
func TestPeerThatIgnoresItsArmFailsTheRow(t *testing.T) {
	m := thisMachine(t)
	if len(m.top.CPUs) < 2 {
		t.Fatal("this test needs a machine with two CPUs")
	}
	m.top = flat(len(m.top.CPUs))
	stray := &row{name: "Stray", arm: near, peers: 1, rounds: 3, ops: 1, body: func(r *run) error {
		r.peer = r.caller
		return spawnJoin(r)
	}}
	res := stray.measure(m, 1)
	if res.err == nil || !strings.Contains(res.err.Error(), "round 0: ") || !strings.Contains(res.err.Error(), "not near") {
		t.Errorf("error %v, want round 0 to be not near", res.err)
	}
	stray.body = spawnJoin
	if res := stray.measure(m, 1); res.err != nil {
		t.Errorf("with its mask kept: %v", res.err)
	}
}
