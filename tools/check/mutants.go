package check

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"text/tabwriter"

	"hearth/tools/check/mutants"
	"hearth/tools/image"
)

// mutantShare is the least share of the mutants, in percent, apart from the
// listed ones, that must be killed.
const mutantShare = 95

// runMutants judges the mutants of the scheduler and prints a table of files.
func runMutants(req *request) (result, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	toolchain, err := image.Shadow(ctx, req.root)
	if err != nil {
		return result{}, err
	}
	c := mutants.Config{
		Root: req.root, Package: "./sched", Tests: []string{"./sched", "./sched/sim"},
		Files: req.mutated, Run: req.run, Sample: req.sample, Seed: req.seed, Again: req.again, Quick: req.quick, List: "sched/" + mutants.ListName,
		Command: toolchain.Command, Progress: req.stderr,
	}
	if req.list {
		return req.listMutants(c.Mutants(ctx))
	}
	report, err := mutants.Run(ctx, c)
	if ctx.Err() != nil {
		return result{}, ctx.Err()
	} else if err != nil {
		return result{}, fmt.Errorf("%w: %w", errInput, err)
	}
	return req.reportMutants(report), nil
}

// apart are the files that are not mutated unless -files names them: what only
// tests, crash records and counters of events read.
var apart = regexp.MustCompile(`^sched/(broken|counters|fault|inspect)\w*\.go$`)

// mutated reports whether -files selects a file.
func (req *request) mutated(name string) bool {
	if req.files == nil {
		return !apart.MatchString(name)
	}
	return req.files.MatchString(name)
}

func (req *request) listMutants(list []mutants.Mutant, err error) (result, error) {
	if err != nil {
		return result{}, fmt.Errorf("%w: %w", errInput, err)
	}
	for i := range list {
		fmt.Fprintf(req.stdout, "%s:%d: %s (%s)\n", list[i].File, list[i].Line, &list[i], list[i].Operator)
	}
	return result{summary: fmt.Sprintf("%d mutants, none run", len(list))}, nil
}

// tally counts the mutants of a file.
type tally struct{ all, killed, hung, listed int }

func (t *tally) add(o tally) {
	t.all, t.killed, t.hung, t.listed = t.all+o.all, t.killed+o.killed, t.hung+o.hung, t.listed+o.listed
}

// score is the share of the killed in those that are not listed, in percent.
func (t tally) score() float64 {
	if t.all == t.listed {
		return 100
	}
	return 100 * float64(t.killed) / float64(t.all-t.listed)
}

// reportMutants prints the table and every survivor without a reason. A survivor
// fails the check if too many did; a listed mutant that was killed always does.
func (req *request) reportMutants(r *mutants.Report) result {
	var res result
	var survivors []finding
	files := map[string]tally{}
	var sum tally
	for _, m := range r.Results {
		t := tally{all: 1, killed: number(m.Verdict != mutants.Survived), hung: number(m.Verdict == mutants.Hung), listed: number(m.Why != "")}
		f := finding{fmt.Sprintf("%s:%d", m.File, m.Line), fmt.Sprintf("%s (%s)", &m.Mutant, m.Operator)}
		if m.Why != "" && t.killed > 0 {
			f.what += fmt.Sprintf(" is listed to survive, but %s notices it: take it off the list", m.By)
			res.findings = append(res.findings, f)
			t.killed = 0
		} else if m.Why == "" && t.killed == 0 {
			f.what += " survives"
			survivors = append(survivors, f)
		}
		of := files[m.File]
		of.add(t)
		files[m.File] = of
		sum.add(t)
	}
	req.tabulate(files, sum)
	res.summary = fmt.Sprintf("%d mutants, %.1f %% killed, %d listed, %d do not compile", sum.all, sum.score(), sum.listed, r.Skipped)
	if sum.score() < mutantShare {
		res.findings = append(res.findings, survivors...)
		return res
	}
	for _, f := range survivors {
		fmt.Fprintln(req.stdout, f)
	}
	return res
}

// tabulate prints the counts of each file and of all.
func (req *request) tabulate(files map[string]tally, sum tally) {
	w := tabwriter.NewWriter(req.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "file\tmutants\tkilled\tof them hung\tsurvived\tlisted\tscore\t")
	for _, name := range sortedKeys(files) {
		printTally(w, name, files[name])
	}
	printTally(w, "all", sum)
	w.Flush()
}

func printTally(w *tabwriter.Writer, name string, t tally) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%.1f %%\t\n", name, t.all, t.killed, t.hung, t.all-t.killed-t.listed, t.listed, t.score())
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, cmp.Compare)
	return keys
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
