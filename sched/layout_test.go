package sched

import (
	"testing"
	"unsafe"
)

func TestWhatTwoCPUsWriteLiesInLinesOfItsOwn(t *testing.T) {
	var s Scheduler
	for what, n := range map[string]uintptr{
		"offset of the handles": unsafe.Offsetof(s.handles), "a handle": unsafe.Sizeof(s.handles[0]),
		"offset of the locals": unsafe.Offsetof(s.locals), "a local": unsafe.Sizeof(s.locals[0]),
		"offset of the nodes": unsafe.Offsetof(s.nodes), "a node": unsafe.Sizeof(s.nodes[0]),
		"offset of the summaries": unsafe.Offsetof(s.summaries), "a summary": unsafe.Sizeof(s.summaries[0]),
	} {
		if n%64 != 0 {
			t.Errorf("%s: %d bytes, no multiple of a line", what, n)
		}
	}
}
