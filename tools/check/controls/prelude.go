package controls

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// prelude is a mutation in the form that lets others stand beside it: the whole
// mutated body of a function, run instead of its own if the environment says so.
type prelude struct {
	at   int    // behind the brace that opens the function's body
	text string // what goes there
}

// side is one form of a file, as it is or mutated.
type side struct {
	text string
	fset *token.FileSet
	tree *ast.File
}

func parseSide(text string) (*side, error) {
	s := &side{text: text, fset: token.NewFileSet()}
	var err error
	s.tree, err = parser.ParseFile(s.fset, "", text, parser.SkipObjectResolution)
	return s, err
}

func (s *side) offset(p token.Pos) int { return s.fset.Position(p).Offset }

// prelude makes the form of a mutation that lies within the body of one function.
// What else a mutation may change, a constant, a type, a signature, an import that
// nothing uses any more, is the same for the whole build: that has none.
func (m *mutation) prelude(number int) (p prelude, ok bool) {
	before, err := parseSide(m.before)
	if err != nil {
		return p, false
	}
	after, err := parseSide(m.after)
	if err != nil || len(before.tree.Decls) != len(after.tree.Decls) || !after.usesImports() {
		return p, false
	}
	was, is := m.changed(before, after)
	if was == nil || looksAround(is) {
		return p, false
	}
	p.at = before.offset(was.Body.Lbrace) + 1
	results := before.text[before.offset(was.Type.Params.End()):before.offset(was.Body.Lbrace)]
	body := after.text[after.offset(is.Body.Lbrace) : after.offset(is.Body.Rbrace)+1]
	p.text = render(number, was.Type.Results != nil, results, body)
	return p, true
}

// changed finds the function whose body holds the whole change, in both forms.
func (m *mutation) changed(before, after *side) (was, is *ast.FuncDecl) {
	grown := len(m.after) - len(m.before)
	for i, d := range before.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil || m.at <= before.offset(f.Body.Lbrace) || m.end > before.offset(f.Body.Rbrace) {
			continue
		}
		g, ok := after.tree.Decls[i].(*ast.FuncDecl)
		if ok && g.Body != nil && after.offset(g.Body.Lbrace) == before.offset(f.Body.Lbrace) &&
			after.offset(g.Body.Rbrace) == before.offset(f.Body.Rbrace)+grown {
			return f, g
		}
	}
	return nil, nil
}

// usesImports tells whether the compiler would find each import used. A name
// that differs from the end of its path counts as unused, which costs only time.
func (s *side) usesImports() bool {
	used := map[string]bool{}
	ast.Inspect(s.tree, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	return !slices.ContainsFunc(s.tree.Imports, func(i *ast.ImportSpec) bool {
		whole, _ := strconv.Unquote(i.Path.Value)
		name := path.Base(whole)
		if i.Name != nil {
			name = i.Name.Name
		}
		return name != "_" && name != "." && !used[name]
	})
}

// looksAround tells whether a function asks for its place on the stack, which
// differs in a prelude.
func looksAround(f *ast.FuncDecl) (yes bool) {
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if x, ok := n.(*ast.Ident); ok && slices.Contains([]string{"recover", "Caller", "Callers"}, x.Name) {
			yes = true
		}
		return !yes
	})
	return yes
}

// render writes a prelude. The mutated body stands in a function literal, so that
// the compiler holds it to all that it holds a function to: labels, results, a
// return at the end. The line directive names the control in the messages.
func render(number int, returns bool, results, body string) string {
	call, end := "", "; return"
	if returns {
		call, end = "return ", ""
	}
	return fmt.Sprintf("\n//line %s%d.go:1\nif %s == %d { %sfunc() %s %s()%s }\n",
		culpritName, number, selector, number, call, strings.TrimSpace(results), body, end)
}

// culpritName begins the name of the file that a message about a prelude names.
const culpritName = "hearth-control-"

// insert puts preludes of one file into its text; the lines of what was there
// before keep their numbers.
func insert(source, text string, preludes []prelude) string {
	list := slices.Clone(preludes)
	slices.SortStableFunc(list, func(a, b prelude) int { return a.at - b.at })
	var b strings.Builder
	from := 0
	for i, p := range list {
		b.WriteString(text[from:p.at])
		b.WriteString(p.text)
		if from = p.at; i+1 == len(list) || list[i+1].at != from {
			line := 1 + strings.Count(text[:from], "\n")
			fmt.Fprintf(&b, "//line %s:%d:%d\n", source, line, from-strings.LastIndexByte(text[:from], '\n'))
		}
	}
	b.WriteString(text[from:])
	return b.String()
}
