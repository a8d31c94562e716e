package sim

import (
	"hearth/cpu"
	"hearth/process"
)

// homeCount counts a process's threads by the CPU and the core where they live.
type homeCount struct{ byCPU, byCore []int }

// setHome makes c the CPU of t.
func (m *Model) setHome(t *Thread, c cpu.ID) {
	m.uncount(t, t.Last)
	t.Last = c
	if x := m.table.Context(t.id); x.Thread() != 0 && x.Class() != process.Service {
		m.count(t, c, 1)
		t.counted = true
	}
	m.table.Context(t.id).SetHome(c)
}

// uncount ends t's being counted at home.
func (m *Model) uncount(t *Thread, home cpu.ID) {
	if t.counted {
		m.count(t, home, -1)
		t.counted = false
	}
}

func (m *Model) count(t *Thread, c cpu.ID, n int) {
	p := m.table.Context(t.id).Process()
	h := m.homes[p]
	if h == nil {
		h = &homeCount{make([]int, m.top.Count), make([]int, m.top.Cores)}
		m.homes[p] = h
	}
	h.byCPU[c] += n
	h.byCore[m.top.At[c].Core] += n
}
