package check

import "strings"

// row is one folder of the design: what it says it is and what it may import.
// The row of a folder holds for the folders below it that have none of their own.
type row struct {
	folder  string
	charter string   // words that the first sentence of the package's doc carries
	imports []string // rows of this module, beside the row itself
	std     []string // packages of the standard library; nil means all
	modules []string // other modules, by path prefix
	guests  []string // rows that a main package below may import besides
}

// kernelStd is the standard library of the pure packages that the kernel runs:
// atomics, and what compiles to a few instructions. time is there for
// time.Duration, unsafe for assertions on sizes.
var kernelStd = []string{"sync/atomic", "math/bits", "time", "unsafe"}

const tamago = "github.com/usbarmory/tamago"

// hostModules are the libraries of the host tools; everything that runs on the
// machine does without them.
var hostModules = []string{
	"golang.org/x/arch", "golang.org/x/tools", "golang.org/x/perf", "github.com/u-root/u-root", "github.com/diskfs/go-diskfs",
	"go.bug.st/serial", "gonum.org/v1/plot", "github.com/alecthomas/kong", "github.com/schollz/progressbar",
	"github.com/HdrHistogram/hdrhistogram-go", "honnef.co/go/tools",
}

// testModules are the libraries that any test may use.
var testModules = []string{"pgregory.net/rapid", "github.com/anishathalye/porcupine", "golang.org/x/perf", "golang.org/x/arch"}

// pure are the rows that any test may import: they depend on no machine, and
// an oracle of one often judges another.
var pure = []string{"cpu", "process", "sched", "sched/sim", "sched/sim/policies", "sched/explore"}

// layout is the table of the design, section 2.
var layout = []row{
	{folder: "cpu", charter: "what a CPU is", std: kernelStd},
	{folder: "process", charter: "what processes and threads are", imports: []string{"cpu"}, std: kernelStd},
	{folder: "sched", charter: "who runs where and when", imports: []string{"process", "cpu"}, std: kernelStd},
	{folder: "sched/sim", charter: "a deterministic machine for the real scheduler", imports: []string{"sched", "process", "cpu"}},
	{folder: "sched/sim/policies", charter: "other schedulers' rules as policies", imports: []string{"sched/sim", "process", "cpu"}},
	{folder: "sched/sim/scenarios", charter: "the failures of other schedulers", imports: []string{"sched/sim", "sched/sim/policies"}},
	{folder: "sched/explore", charter: "an exhaustive explorer of interleavings", imports: []string{"sched", "process", "cpu"}},
	{folder: "smp", charter: "makes CPUs obey", imports: []string{"cpu"}, modules: []string{tamago}},
	{folder: "boot", charter: "from reset to a known machine", imports: []string{"cpu"}, modules: []string{tamago}},
	{folder: "kernel", charter: "what a running program asks for", imports: []string{"sched", "process", "cpu", "smp", "boot"}, modules: []string{tamago}},
	{folder: "sys", charter: "the calls that a Go program makes"},
	{folder: "pool", charter: "a worker pool on sys threads", imports: []string{"sys"}},
	{folder: "osbench", charter: "the benchmark suites", imports: []string{"sys", "pool"}},
	{folder: "qemu", charter: "describes, launches and judges one QEMU run", imports: []string{"cpu"}},
	{folder: "tools", imports: []string{"qemu", "cpu", "sched/sim", "sched/sim/policies", "sched/sim/scenarios"}, modules: hostModules},
	{folder: "tools/hearth", charter: "the one command-line tool", imports: []string{"tools", "qemu", "cpu", "sched/sim", "sched/sim/policies", "sched/sim/scenarios"}, modules: hostModules},
	{folder: "tests/metal", charter: "claims that only a machine can settle", imports: []string{"qemu", "tools", "cpu"},
		guests: []string{"kernel", "sys", "pool", "osbench"}},
}

// plainFolders are the top-level folders without a package of their own.
var plainFolders = []string{"docs", "tests"}

// rowOf finds the row that governs a folder, nil for the root and for folders
// that the design does not know.
func rowOf(folder string) *row {
	var best *row
	for i := range layout {
		r := &layout[i]
		below := folder == r.folder || strings.HasPrefix(folder, r.folder+"/")
		if below && (best == nil || len(r.folder) > len(best.folder)) {
			best = r
		}
	}
	return best
}
