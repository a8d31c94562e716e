package check

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// unused is staticcheck's message about a name that no Go code uses.
var unused = regexp.MustCompile(`(\w+) is unused \(U1000\)$`)

// usedByAssembly tells whether a finding is of a name that no Go code uses and
// that the assembly of its folder does: a symbol, or by go_asm.h a constant or
// a field. What only such a function calls is not excused: a Go file of the
// package names the function once, as in `var _ = onSystemCall`.
func (l *linter) usedByAssembly(where, what string) bool {
	m := unused.FindStringSubmatch(what)
	if m == nil {
		return false
	}
	file, _, _ := strings.Cut(where, ":")
	sources, err := filepath.Glob(filepath.Join(l.root, filepath.Dir(file), "*.s"))
	if err != nil { // the pattern is malformed: a folder with a bracket in its name
		l.err = errors.Join(l.err, err)
	}
	mention := regexp.MustCompile(`(·|const_|[A-Za-z]_)` + m[1] + `\b`)
	return slices.ContainsFunc(sources, func(name string) bool {
		text, err := os.ReadFile(name)
		l.err = errors.Join(l.err, err)
		return mention.Match(text)
	})
}
