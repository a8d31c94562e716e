package sim

import (
	"fmt"
	"hearth/process"
	"testing"
	"time"
)

// alongside spawns threads on one CPU that compute for so long.
func alongside(d time.Duration, spawns ...func(Op) Op) *Scenario {
	sc := &Scenario{Shape: "L(2)", Main: []Op{SetMask("", "{1}")}}
	list := names("t", len(spawns))
	for i, as := range spawns {
		sc.Main = append(sc.Main, as(Spawn(list[i], Run(d))).On("{0}"))
	}
	for _, name := range list {
		sc.Main = append(sc.Main, Join(name))
	}
	return sc
}

func weight(w int32) func(Op) Op { return func(op Op) Op { return op.Weigh(w) } }

func class(c process.Class) func(Op) Op { return func(op Op) Op { return op.As(c) } }

func TestNobodyGetsASliceMoreThanItsWeightAllows(t *testing.T) {
	seeds(t, 10, always(alongside(100*time.Millisecond, weight(100), weight(250), weight(900))), nil, "fair-bound")
}

func TestBackgroundThreadsHaveTheirShare(t *testing.T) {
	seeds(t, 10, always(alongside(100*time.Millisecond, class(process.Fair), class(process.Background))), nil, "fair-bound")
	seeds(t, 10, always(alongside(200*time.Millisecond, class(process.RealTime), class(process.Fair), class(process.Background))), nil, "fair-bound")
}

// contended returns a machine on whose CPU 0 two threads of weights 100 and 200 compute,
// both of whom have been given it.
func contended(t *testing.T) (*machine, *virtual, *contest) {
	t.Helper()
	m, err := newMachine(alongside(100*time.Millisecond, weight(100), weight(200)), &Options{}, &random{1})
	if err != nil {
		t.Fatal(err)
	}
	for v := &m.cpus[0]; m.advance(); {
		m.step++
		m.note(&m.cpus[m.last])
		m.check()
		for i := range v.contests.pairs {
			if p := &v.contests.pairs[i]; p.given == [2]bool{true, true} {
				return m, v, p
			}
		}
	}
	t.Fatal("the two never contend")
	return nil, nil, nil
}

func TestServiceBeyondTheBoundIsNoticed(t *testing.T) {
	for _, c := range []struct {
		had    [2]time.Duration // by the one of weight 100 and the other
		broken bool
	}{
		{[2]time.Duration{40 * time.Millisecond, 80 * time.Millisecond}, false},
		{[2]time.Duration{40 * time.Millisecond, 69 * time.Millisecond}, false}, // a slice each: 4 + 4/2
		{[2]time.Duration{40 * time.Millisecond, 67 * time.Millisecond}, true},
		{[2]time.Duration{40 * time.Millisecond, 93 * time.Millisecond}, true},
		{[2]time.Duration{40 * time.Millisecond, 40 * time.Millisecond}, true},
	} {
		m, v, p := contended(t)
		for i, th := range p.of {
			if m.s.Table().Context(th.context).Weight() == 100 {
				th.spent = p.before[i] + c.had[0]
			} else {
				th.spent = p.before[i] + c.had[1]
			}
		}
		p.met = p.before
		if m.checkPair(v, p); (brokenBy(m.err) == "fair-bound") != c.broken {
			t.Errorf("service %v: %v", c.had, m.err)
		}
	}
}

func TestAClassThatWaitsForItsShareTooLongIsNoticed(t *testing.T) {
	const start = time.Second
	m, _, _ := contended(t)
	for _, c := range []struct {
		what     string
		realTime bool
		ran      time.Duration // by the class that gave way before; 0: none
		waited   time.Duration
		broken   bool
	}{
		{"a period", false, 0, sharePeriod, false},
		{"a period and a bit", false, 0, sharePeriod + kernelTime + 1, true},
		{"as long as beside real-time threads", true, 0, sharePeriod + realTimePatience, false},
		{"longer", true, 0, sharePeriod + realTimePatience + sharePart + kernelTime + 1, true},
		{"after its share", false, sharePart, 1, false},
		{"after less", false, sharePart - 1, 1, true},
		{"after less, beside real-time threads", true, sharePart - 1, 1, false},
	} {
		m, v := m, &m.cpus[0]
		m.err, m.now = nil, start
		m.checkShare(v, 2, false, false, false, false)
		m.checkShare(v, 2, true, true, c.realTime, c.ran > 0)
		if c.ran > 0 {
			m.now += c.ran
			m.checkShare(v, 2, true, true, c.realTime, false)
		}
		m.now += c.waited
		m.checkShare(v, 2, true, true, c.realTime, false)
		if (brokenBy(m.err) == "fair-bound") != c.broken {
			t.Errorf("%s: %v", c.what, m.err)
		}
	}
}

// One of four threads of unlike weights sleeps in between, and one comes late.
func TestNobodyClaimsOrOwesMoreThanTheBound(t *testing.T) {
	const work = 120 * time.Millisecond
	sc := &Scenario{Shape: "L(2)", Main: []Op{Run(settling)}}
	for i, weight := range []int32{100, 300, 1000} {
		sc.Main = append(sc.Main, Spawn(fmt.Sprintf("w%d", i), Run(work)).On("{1}").Weigh(weight))
	}
	sc.Main = append(sc.Main,
		Spawn("sleeper", Run(time.Millisecond), BlockFor(work), Run(work)).On("{1}"),
		Run(work), Spawn("late", Run(work)).On("{1}"))
	seeds(t, 20, always(sc), func(*Outcome) error { return nil }, "fair-bound")
}

// Real-time threads cut every share of the background thread in two.
func TestAShareThatWasCutShortGoesOn(t *testing.T) {
	sc := &Scenario{Shape: "L(2)", Main: []Op{
		Run(settling),
		Spawn("hog", Run(100*time.Millisecond)).On("{1}"),
		Spawn("back", Run(2*time.Millisecond)).On("{1}").As(process.Background),
		Spawn("urgent", Repeat(400, BlockFor(170*time.Microsecond), Run(5*time.Microsecond))...).On("{1}").As(process.RealTime),
	}}
	seeds(t, 20, always(sc), func(*Outcome) error { return nil }, "fair-bound")
}

// Who runs on after the more urgent ones have left has no share to use up.
func TestAShareEndsWithTheLastMoreUrgentThread(t *testing.T) {
	for _, left := range []bool{true, false} {
		m, v, _ := contended(t)
		m.checkShare(v, 2, false, false, false, false)
		m.checkShare(v, 2, true, true, false, true)
		m.now += sharePart / 4
		m.checkShare(v, 2, true, !left, false, true)
		m.now += sharePart / 4
		m.checkShare(v, 2, true, true, false, false)
		if (brokenBy(m.err) == "fair-bound") == left {
			t.Errorf("the others left meanwhile %v: %v", left, m.err)
		}
	}
}
