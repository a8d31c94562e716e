package check

import (
	"fmt"
	"testing"
)

// one is a file with a single import.
func one(pkg, path string) string { return fmt.Sprintf("package %s\n\nimport _ %q\n", pkg, path) }

func TestAllowedEdgesPass(t *testing.T) {
	tree(t,
		"main.go", one("main", "hearth/kernel"),
		"process/a.go", one("process", "hearth/cpu"),
		"process/b.go", one("process", "sync/atomic"),
		"cpu/mask_text.go", one("cpu", "fmt"),
		"sched/sim/a.go", one("sim", "hearth/sched"),
		"sched/sim/baseline/a.go", one("baseline", "hearth/sched/sim"),
		"kernel/a.go", one("kernel", "github.com/usbarmory/tamago/amd64"),
		"kernel/b.go", one("kernel", "hearth/smp"),
		"osbench/a.go", one("osbench", "hearth/pool"),
		"tools/hearth/main.go", one("main", "hearth/tools/image"),
		"tools/image/a.go", one("image", "golang.org/x/arch/x86/x86asm"),
		"tests/metal/guest/main.go", one("main", "hearth/kernel"),
		"cpu/testdata/wrong.go", one("cpu", "hearth/kernel"),
	)
	check(t, "edges", 0, "check edges: ok (12 files, 12 imports")
}

func TestForbiddenEdgesAreFound(t *testing.T) {
	tree(t,
		"cpu/a.go", one("cpu", "hearth/process"),
		"cpu/b.go", one("cpu", "fmt"),
		"sched/a.go", one("sched", "hearth/sched/sim"),
		"sched/b.go", one("sched", "github.com/usbarmory/tamago/amd64"),
		"smp/a.go", one("smp", "hearth/boot"),
		"sys/a.go", one("sys", "hearth/kernel"),
		"pool/a.go", one("pool", "hearth/cpu"),
		"tools/trace/a.go", one("trace", "hearth/sched"),
		"tests/metal/a.go", one("metal", "hearth/kernel"),
		"util/a.go", "package util\n",
		"qemu/a.go", one("qemu", "hearth/util"),
	)
	check(t, "edges", 1,
		"cpu/a.go:3: cpu may not import process",
		"cpu/b.go:3: cpu may not import fmt",
		"sched/a.go:3: sched may not import sched/sim",
		"sched/b.go:3: sched may not import the module of github.com/usbarmory/tamago",
		"smp/a.go:3: smp may not import boot",
		"sys/a.go:3: sys may not import kernel: it may import no other package",
		"pool/a.go:3: pool may not import cpu: it may import sys",
		"tools/trace/a.go:3: tools may not import sched",
		"tests/metal/a.go:3: tests/metal may not import kernel",
		"util: top-level folder that the layout does not know",
		"qemu/a.go:3: import of util, which the layout does not know",
		"FAIL, 11 findings",
	)
}

func TestTestFilesMayUseTestLibrariesAndPurePackagesOnly(t *testing.T) {
	tree(t,
		"cpu/a_test.go", one("cpu", "fmt"),
		"cpu/b_test.go", one("cpu_test", "hearth/sched/sim"),
		"cpu/c_test.go", one("cpu_test", "pgregory.net/rapid"),
		"sched/a_test.go", one("sched_test", "hearth/kernel"),
		"sys/a_test.go", one("sys_test", "hearth/smp"),
	)
	check(t, "edges", 1,
		"sched/a_test.go:3: sched may not import kernel",
		"sys/a_test.go:3: sys may not import smp",
		"FAIL, 2 findings",
	)
}
