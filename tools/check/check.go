// Package check is `hearth check`: the rules of Hearth's source that no
// compiler knows. It holds the tree to the import edges and the documentation
// of the design, the kernel's machine code to restricted Go, every package to
// vet and staticcheck, and every rule to the control that proves its test.
package check

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Exit statuses of Main.
const (
	statusPass     = 0 // everything that was asked holds
	statusFail     = 1 // at least one finding, each on a line of its own
	statusBadInput = 2 // the question could not be answered: a flag, a file, an ELF
)

// request is the command line, read once, that every check is given.
type request struct {
	root   string // folder of the go.mod
	elf    string // walk: the unpatched kernel ELF, "" for the default
	verb   bool   // walk: also list every function that was walked
	list   bool   // controls, mutants: only name them
	run    *regexp.Regexp
	files  *regexp.Regexp // mutants: of which files
	sample int            // mutants: judge so many, 0 for all
	quick  time.Duration  // mutants: without the tests that take longer, 0 for all
	again  string         // mutants: what an earlier run printed
	seed   uint64         // mutants: of the sample
	stdout io.Writer
	stderr io.Writer
}

// result is what a check that could run found.
type result struct {
	findings []finding
	summary  string // what was covered, for the line that reports success
}

// finding is one broken rule.
type finding struct {
	where string // file:line, or the name of a control
	what  string
}

func (f finding) String() string { return f.where + ": " + f.what }

// errInput marks an error of what the check was given, not of what it judges.
var errInput = errors.New("bad input")

// checks in the order of their cost: the cheap ones answer first. What only runs
// when it is named takes too long for every change.
var checks = []struct {
	name, about string
	run         func(*request) (result, error)
	named       bool // runs only when it is named
}{
	{"edges", "import edges between the folders", runEdges, false},
	{"docs", "documented packages and exported names", runDocs, false},
	{"walk", "restricted Go, proved on the linked kernel ELF", runWalk, false},
	{"lint", "go vet and staticcheck", runLint, false},
	{"controls", "every control turns its test red", runControls, false},
	{"mutants", "tests notice small changes of the scheduler; runs only when named", runMutants, true},
}

// Main runs the checks that args name, all of them if it names none, and
// returns the exit status: 0 if all hold, 1 if one found something, 2 if one
// could not run. Flags follow or precede the names.
func Main(args []string, stdout, stderr io.Writer) int {
	req := &request{stdout: stdout, stderr: stderr}
	names, err := req.parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return statusPass
	}
	if err == nil {
		req.root, err = moduleRoot(".")
	}
	if err != nil {
		fmt.Fprintf(stderr, "hearth check: %v\n", err)
		return statusBadInput
	}
	status := statusPass
	for _, c := range checks {
		if len(names) == 0 && !c.named || slices.Contains(names, c.name) {
			status = max(status, req.report(c.name, c.run))
		}
	}
	return status
}

// report runs one check and prints its findings or its summary.
func (req *request) report(name string, run func(*request) (result, error)) int {
	start := time.Now()
	res, err := run(req)
	if err != nil {
		fmt.Fprintf(req.stderr, "hearth check %s: %v\n", name, err)
		return statusBadInput
	}
	for _, f := range res.findings {
		fmt.Fprintln(req.stdout, f)
	}
	spent := time.Since(start).Round(10 * time.Millisecond)
	if n := len(res.findings); n > 0 {
		fmt.Fprintf(req.stdout, "check %s: FAIL, %d findings (%s, %v)\n", name, n, res.summary, spent)
		return statusFail
	}
	fmt.Fprintf(req.stdout, "check %s: ok (%s, %v)\n", name, res.summary, spent)
	return statusPass
}

// parse splits names from flags; flags may stand between the names.
func (req *request) parse(args []string) ([]string, error) {
	fs := flag.NewFlagSet("hearth check", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	run := fs.String("run", "", "controls, mutants: only those whose name, or line in -list, matches this `regexp`")
	files := fs.String("files", "", "mutants: only of files whose path matches this `regexp` (default: those that decide)")
	fs.IntVar(&req.sample, "sample", 0, "mutants: judge only so many, drawn by -seed (default all)")
	fs.Uint64Var(&req.seed, "seed", 1, "mutants: the `SEED` of -sample")
	fs.DurationVar(&req.quick, "quick", 0, "mutants: without the tests that take longer; more survive (default all)")
	fs.StringVar(&req.again, "again", "", "mutants: only those that survived in an earlier run, whose output is `file`")
	fs.BoolVar(&req.list, "list", false, "controls, mutants: name them, run nothing")
	fs.BoolVar(&req.verb, "v", false, "walk: list every function with its stack need")
	fs.StringVar(&req.elf, "elf", "", "walk: the kernel `file` as the linker left it (default: the image, built now)")
	var names []string
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return nil, req.usage(fs, err)
		}
		if args = fs.Args(); len(args) == 0 {
			break
		}
		if !known(args[0]) {
			return nil, fmt.Errorf("unknown check %q; known: %s", args[0], strings.Join(checkNames(), ", "))
		}
		names, args = append(names, args[0]), args[1:]
	}
	var err error
	if req.run, err = regexp.Compile(*run); err != nil {
		return nil, fmt.Errorf("-run %q is no regular expression: %v", *run, err)
	}
	if *files != "" {
		if req.files, err = regexp.Compile(*files); err != nil {
			return nil, fmt.Errorf("-files %q is no regular expression: %v", *files, err)
		}
	}
	return names, nil
}
