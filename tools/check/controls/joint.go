package controls

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"hearth/tools/check/overlay"
)

// joint is the controls of one tested package, built into as few test binaries
// as can be: most of what a control costs is its build.
type joint struct {
	once    sync.Once
	members []int        // of the list
	ways    map[int]*way // of those that fit
	tests   string       // the package
	folder  string       // of the package: where its tests run
}

// groupJoints makes the groups. Flags may change the build or what runs, so a
// control with flags stays apart, and one control has nobody to share with.
func (r *runner) groupJoints() map[string]*joint {
	groups := map[string]*joint{}
	for i, c := range r.list {
		if len(c.Flags) > 0 {
			continue
		}
		if groups[c.Package] == nil {
			groups[c.Package] = &joint{tests: c.Package, ways: map[int]*way{}}
		}
		groups[c.Package].members = append(groups[c.Package].members, i)
	}
	return groups
}

// jointWay is the way of the i-th control through a shared binary; nil if it has
// none.
func (r *runner) jointWay(i int) *way {
	c := &r.list[i]
	j := r.joints[c.Package]
	if j == nil || len(c.Flags) > 0 {
		return nil
	}
	j.once.Do(func() { r.join(j) })
	return j.ways[i]
}

// member is a control that fits into a shared binary.
type member struct {
	number  int    // in the environment; 0 stands for no mutation
	source  string // the file
	text    string // as it is
	prelude prelude
}

// join finds the controls that fit and builds them. What does not fit, for
// whatever reason, has no way here and is judged alone.
func (r *runner) join(j *joint) {
	folders := r.foldersOf(j)
	var fit []member
	for _, i := range j.members {
		if !strings.HasSuffix(r.list[i].File, ".go") || strings.HasSuffix(r.list[i].File, "_test.go") {
			continue
		}
		m, err := r.list[i].read(r.root)
		if err != nil || !slices.Contains(folders, filepath.Dir(m.source)) {
			continue
		}
		if p, ok := m.prelude(i + 1); ok {
			fit = append(fit, member{i + 1, m.source, m.before, p})
		}
	}
	r.build(j, fit)
}

// foldersOf lists the folders of the packages that are compiled into the tests,
// and finds the one where they run. It lists none if there are several.
func (r *runner) foldersOf(j *joint) []string {
	const format = "{{if not .Standard}}{{if not .DepOnly}}{{if not .ForTest}}tested {{end}}{{end}}{{.Dir}}{{end}}"
	out, err := r.command(r.ctx, r.root, "list", "-test", "-deps", "-f", format, "--", j.tests).Output()
	if err != nil {
		return nil
	}
	var folders []string
	for line := range strings.Lines(string(out)) {
		folder, tested := strings.CutPrefix(strings.TrimSpace(line), "tested ")
		if tested && j.folder != "" && folder != j.folder {
			return nil
		}
		if tested {
			j.folder = folder
		}
		folders = append(folders, folder)
	}
	return folders
}

// build compiles members into one binary. Those that the compiler complains about
// go; if it names none, each half is tried without the other.
func (r *runner) build(j *joint, members []member) {
	for len(members) > 1 && r.ctx.Err() == nil {
		binary, messages, err := r.compile(j, members)
		if err != nil {
			return
		}
		if messages == nil {
			r.useBinary(j, binary, members)
			return
		}
		guilty := culprits(messages)
		left := slices.DeleteFunc(slices.Clone(members), func(m member) bool { return slices.Contains(guilty, m.number) })
		if len(left) == len(members) {
			r.build(j, members[:len(members)/2])
			r.build(j, members[len(members)/2:])
			return
		}
		members = left
	}
}

// culprit is how a compiler's message names a control.
var culprit = regexp.MustCompile(culpritName + `(\d+)\.go:`)

// culprits are the numbers of the controls in a compiler's messages.
func culprits(messages []byte) (numbers []int) {
	for _, m := range culprit.FindAllSubmatch(messages, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		numbers = append(numbers, n)
	}
	return numbers
}

// compile builds the tests of j with the preludes of members, and returns the
// binary, or else the compiler's messages.
func (r *runner) compile(j *joint, members []member) (binary string, messages []byte, err error) {
	dir, err := os.MkdirTemp(r.scratch, "joint-")
	if err != nil {
		return "", nil, err
	}
	list, err := writeMembers(dir, members)
	if err != nil {
		return "", nil, err
	}
	if binary, err = filepath.Abs(filepath.Join(dir, "joint.test")); err != nil {
		return "", nil, err
	}
	out, err := r.command(r.ctx, r.root, "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay="+list, "-o="+binary, j.tests).CombinedOutput()
	if err != nil {
		return "", append(out, '\n'), nil
	}
	return binary, nil, nil
}

// helperName is the file that a package with preludes gets besides.
const helperName = "hearth_controls.go"

// variable of the environment holds the number of the control.
const variable = "HEARTH_CONTROL"

// selector is the number in the program.
const selector = "hearthControl"

// writeMembers lays the files with the preludes out and returns the overlay.
func writeMembers(dir string, members []member) (string, error) {
	preludes, texts := map[string][]prelude{}, map[string]string{}
	for _, m := range members {
		preludes[m.source] = append(preludes[m.source], m.prelude)
		texts[m.source] = m.text
	}
	written := map[string]string{}
	for source, text := range texts {
		written[source] = insert(source, text, preludes[source])
		f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		written[filepath.Join(filepath.Dir(source), helperName)] = overlay.Selector(f.Name.Name, selector, variable)
	}
	return overlay.Write(dir, written)
}

// useBinary makes the way of members through their binary.
func (r *runner) useBinary(j *joint, binary string, members []member) {
	run := func(c *Control, number int) (outcome, error) {
		env := []string{fmt.Sprintf("%s=%d", variable, number)}
		return runTest(r.ctx, r.command, j.folder, env, "tool", "test2json", "-t", binary,
			"-test.v=test2json", "-test.paniconexit0", "-test.timeout="+testTimeout.String(), "-test.run="+c.Test)
	}
	w := &way{}
	var list []Control
	for _, m := range members {
		list = append(list, r.list[m.number-1])
		j.ways[m.number-1] = w
	}
	w.plain = newBaselines(list, func(c *Control) (outcome, error) { return run(c, 0) })
	w.mutated = func(i int, _ mutation) (outcome, error) { return run(&r.list[i], i+1) }
}
