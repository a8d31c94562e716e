package metal

import (
	"testing"

	"hearth/qemu"
)

// matrix is the machines on which everything holds.
var matrix = []qemu.Machine{
	machine(1, 1, 1),
	machine(2, 1, 1), machine(2, 2, 1),
	machine(4, 1, 1), machine(4, 2, 1),
	machine(8, 1, 1), machine(8, 2, 1), machine(8, 2, 2),
}

func TestGoRuntimeHoldsItsPromisesOnEveryMachine(t *testing.T) {
	t.Parallel()
	for _, m := range matrix {
		t.Run(label(m), func(t *testing.T) {
			t.Parallel()
			r := mustPass(t, m, "runtime")
			checkClaims(t, r, runtimeClaims)
			checkTree(t, r, shapeOf(m), m.MemoryBytes)
		})
	}
}
