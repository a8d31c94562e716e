package sim

import (
	"hearth/cpu"
	"hearth/sched"
	"os"
	"testing"
	"unsafe"
)

// lineBytes is the size of a cache line.
const lineBytes = 64

// image is all that a scheduler is, line by line.
func lines(s *sched.Scheduler) [][lineBytes]byte {
	return unsafe.Slice((*[lineBytes]byte)(unsafe.Pointer(s)), int(unsafe.Sizeof(*s))/lineBytes)
}

// Pairs that take turns, four in each of sixteen LLC domains. Once all of them run,
// no line of the scheduler is written by CPUs of two LLC domains: what a wake touches
// does not grow with the machine.
func TestNoLineIsWrittenFromTwoLLCDomains(t *testing.T) {
	text, err := os.ReadFile("scenarios/P04-128.txt")
	if err != nil {
		t.Fatal(err)
	}
	sc, err := Parse("P04-128.txt", text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := newMachine(sc, &Options{}, &random{0})
	if err != nil {
		t.Fatal(err)
	}
	now := lines(m.s.(*real).Scheduler)
	before := make([][lineBytes]byte, len(now))
	writer := map[int]cpu.ID{}
	const from, steps = 4_200_000, 1500 // ns: all pairs take turns from then on
	for n := 0; n < steps && m.err == nil && m.advance(); m.step++ {
		switch {
		case m.now < from:
			continue
		case n == 0:
			copy(before, now)
		default:
			noteWriters(t, m, before, now, writer)
		}
		n++
	}
	if m.err != nil {
		t.Fatal(m.err)
	}
	if len(writer) < 100 {
		t.Errorf("only %d lines were written: nothing was put to the test", len(writer))
	}
}

// noteWriters finds the lines that the last step changed and who else changed them.
func noteWriters(t *testing.T, m *machine, before, now [][lineBytes]byte, writer map[int]cpu.ID) {
	for i := range now {
		if now[i] == before[i] {
			continue
		}
		before[i] = now[i]
		if other, written := writer[i]; written && m.far(other, m.last) {
			t.Errorf("step %d: CPU %d writes line %d of the scheduler, as CPU %d of another LLC domain did", m.step, m.last, i, other)
		}
		writer[i] = m.last
	}
}
