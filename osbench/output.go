package osbench

import (
	"fmt"
	"io"
	"runtime"

	"hearth/sys"
)

func system() string {
	if sys.OnHearth() {
		return "hearth"
	}
	return "linux"
}

func printConfiguration(out io.Writer, m *machine) {
	fmt.Fprintf(out, "goos: %s\ngoarch: %s\npkg: hearth/osbench\ncpu: %s\n", system(), runtime.GOARCH, m.info.CPU)
	if m.info.Virtual {
		fmt.Fprintln(out, "emulated: true")
	}
}

// printResult prints a benchmark line whose ns/op is the median of the rounds. The
// lines skip, fail and note have a space before any colon, which the benchmark
// format takes for prose.
func printResult(out io.Writer, m *machine, res *result) {
	switch {
	case res.skip != "":
		fmt.Fprintf(out, "skip %s: %s\n", res.row.name, res.skip)
		return
	case res.err != nil:
		fmt.Fprintf(out, "fail %s: %v\n", res.row.name, res.err)
		return
	}
	s := res.summarise()
	fmt.Fprintf(out, "Benchmark%s-%d\t%8d\t%10.0f ns/op", res.row.name, len(m.top.CPUs),
		len(res.rounds)*res.row.ops, s.P50)
	if res.row.bytes > 0 {
		fmt.Fprintf(out, "\t%10.1f MB/s", res.row.megabytesPerSecond(s.P50))
	}
	fmt.Fprintf(out, "\t%10.0f p90-ns/op\t%10.0f p99-ns/op\n", s.P90, s.P99)
	if res.gcCycles > 0 {
		fmt.Fprintf(out, "note %s: %d GC cycles fell into the measured section\n", res.row.name, res.gcCycles)
	}
}
