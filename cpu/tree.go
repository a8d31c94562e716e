package cpu

// TreeBytes is room enough for the tree of any machine.
const TreeBytes = 37 * Max

// AppendTree writes the tree of t into buf, a line per LLC domain:
//
//	hearth: llc 0: core 0 {0,4} core 1 {1,5}
//
// The numbers in braces are ids of CPUs. It returns how many bytes the whole tree
// takes; if that is more than len(buf), buf holds the beginning.
func AppendTree(buf []byte, t *Topology) int {
	w := writer{buf: buf}
	for llc := 0; llc < t.LLCs; llc++ {
		w.text("hearth: llc ")
		w.number(uint32(llc))
		w.text(":")
		w.coresOf(t, t.llcs[llc])
		w.text("\n")
	}
	return w.n
}

// writer fills a buffer and goes on counting when it is full.
type writer struct {
	buf []byte
	n   int
}

func (w *writer) coresOf(t *Topology, llc span) {
	for s := llc.lo; s < llc.hi; s++ {
		at := &t.At[t.slots[s]]
		if at.SMT == 0 {
			w.text(" core ")
			w.number(uint32(at.Core))
			w.text(" {")
		}
		w.number(uint32(t.slots[s]))
		if s+1 == t.cores[at.Core].hi {
			w.text("}")
		} else {
			w.text(",")
		}
	}
}

func (w *writer) text(s string) {
	for i := 0; i < len(s); i++ {
		if w.n < len(w.buf) {
			w.buf[w.n] = s[i]
		}
		w.n++
	}
}

func (w *writer) number(v uint32) {
	unit := uint32(1)
	for v/unit >= 10 {
		unit *= 10
	}
	for ; unit > 0; unit /= 10 {
		if w.n < len(w.buf) {
			w.buf[w.n] = byte('0' + v/unit%10)
		}
		w.n++
	}
}
