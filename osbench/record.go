package osbench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"hearth/sys"
)

// record is one row's JSON. Rounds are nanoseconds an operation in the order in
// which they ran; CPUs and LLCs give each round's sides, caller first, each with
// its first and last CPU.
type record struct {
	Row       string     `json:"row"`
	System    string     `json:"system"`
	Unit      string     `json:"unit"`
	N         int        `json:"n"` // operations
	Skip      string     `json:"skip,omitempty"`
	Fail      string     `json:"fail,omitempty"`
	summary              // of the rounds
	MBPerS    float64    `json:"mb_per_s,omitempty"`
	Rounds    []int64    `json:"rounds"`
	CPUs      [][]int    `json:"cpus"`
	LLCs      [][]int    `json:"llcs"`
	Kicks     *uint64    `json:"kicks,omitempty"`
	Migrated  *uint64    `json:"migrations,omitempty"`
	Crossed   *uint64    `json:"llc_crossings,omitempty"`
	Kernel    *sys.Stats `json:"kernel,omitempty"` // all that the kernel counted meanwhile
	GCCycles  uint64     `json:"gc_cycles"`
	TSCHz     uint64     `json:"tsc_hz"`
	TSCSource string     `json:"tsc_source"`
	Emulated  bool       `json:"emulated"`
	Machine   identity   `json:"machine"`
	Build     string     `json:"build"`
	Boot      string     `json:"boot"`
}

// identity names the machine.
type identity struct {
	CPU        string   `json:"cpu"`
	Hypervisor string   `json:"hypervisor,omitempty"`
	CPUs       int      `json:"cpus"`
	LLCs       int      `json:"llcs"`
	Cores      int      `json:"cores"`
	APICIDs    []uint32 `json:"apic_ids"`
	Memory     uint64   `json:"memory"`
}

func (m *machine) identity() identity {
	id := identity{CPU: m.info.CPU, Hypervisor: m.info.Hypervisor, CPUs: len(m.top.CPUs), LLCs: m.top.LLCs(),
		Cores: m.top.Cores(), Memory: m.info.Memory}
	for i := range m.top.CPUs {
		id.APICIDs = append(id.APICIDs, m.top.CPUs[i].APICID)
	}
	return id
}

func (res *result) record(m *machine) *record {
	rec := &record{Row: res.row.name, System: system(), Unit: "ns/op", N: len(res.rounds) * res.row.ops, Skip: res.skip,
		summary: res.summarise(), GCCycles: res.gcCycles,
		TSCHz: m.info.TSCHz, TSCSource: m.info.TSCSource, Emulated: m.info.Virtual,
		Machine: m.identity(), Build: buildID(), Boot: m.info.BootID}
	rec.MBPerS = res.row.megabytesPerSecond(rec.P50)
	if res.err != nil {
		rec.Fail = res.err.Error()
	}
	if res.stats != nil {
		rec.Kernel = res.stats
		rec.Kicks, rec.Migrated, rec.Crossed = &res.stats.Kicks, &res.stats.Migrations, &res.stats.LLCCrossings
	}
	for _, ns := range res.perOp() {
		rec.Rounds = append(rec.Rounds, int64(ns))
	}
	for i := range res.rounds {
		cpus, llcs := res.rounds[i].places(m)
		rec.CPUs, rec.LLCs = append(rec.CPUs, cpus), append(rec.LLCs, llcs)
	}
	return rec
}

func (rd *round) places(m *machine) (cpus, llcs []int) {
	for _, side := range rd.sides {
		cpus = append(cpus, side.start, side.end)
		llcs = append(llcs, m.llcOf(side.start), m.llcOf(side.end))
	}
	return cpus, llcs
}

// recordPrefix marks the records on a console, where there are no files.
const recordPrefix = "osbench-record: "

// recorder is where the records go.
type recorder struct {
	io.WriteCloser
	prefix string
}

// openRecorder opens the file before anything is measured, so that a name which
// cannot be written costs no run. It returns nil if no records are wanted.
func (c *command) openRecorder(console io.Writer) (*recorder, error) {
	switch c.record {
	case "":
		return nil, nil
	case "-":
		return &recorder{keepOpen{console}, recordPrefix}, nil
	}
	f, err := os.Create(c.record)
	if err != nil {
		return nil, fmt.Errorf("-record: %w", err)
	}
	return &recorder{f, ""}, nil
}

type keepOpen struct{ io.Writer }

// Close does nothing: the console is not the records' own.
func (keepOpen) Close() error { return nil }

// write writes one line of JSON a result and closes.
func (r *recorder) write(m *machine, results []*result) error {
	if r == nil {
		return nil
	}
	err := encode(m, results, r, r.prefix)
	if closing := r.Close(); err == nil {
		err = closing
	}
	return err
}

func encode(m *machine, results []*result, out io.Writer, prefix string) error {
	w := bufio.NewWriter(out)
	for _, res := range results {
		text, err := json.Marshal(res.record(m))
		if err != nil {
			return fmt.Errorf("record of %s: %w", res.row.name, err)
		}
		fmt.Fprintf(w, "%s%s\n", prefix, text)
	}
	return w.Flush()
}
