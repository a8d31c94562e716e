package mutants

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// mutate finds the mutants of the files that are wanted and lays aside those that
// do not compile.
func (s *source) mutate() error {
	numbers := s.numbers()
	for _, f := range s.files {
		v := &visitor{s: s, f: f, at: map[[2]int]*site{}, outer: map[ast.Expr]types.Type{}}
		v.named = func(e *ast.Ident) { v.useNumber(e, numbers[s.info.Uses[e]]) }
		for _, d := range f.tree.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				v.visit(d)
			}
		}
	}
	s.restrict()
	return s.settle()
}

// restrict takes away what lies in files that are not wanted; places of a wanted
// file's constants may lie in them.
func (s *source) restrict() {
	wanted := map[string]bool{}
	for _, f := range s.files {
		wanted[f.name] = f.wanted
	}
	for _, f := range s.files {
		for _, t := range f.sites {
			t.variants = slices.DeleteFunc(t.variants, func(v variant) bool { return !wanted[v.m.File] })
		}
		f.sites = slices.DeleteFunc(f.sites, func(t *site) bool { return len(t.variants) == 0 })
	}
	s.mutants = slices.DeleteFunc(s.mutants, func(m *Mutant) bool { return !wanted[m.File] })
}

// numbers makes the mutants of the package's integer constants, other than those
// that are counted with iota: each is a mutant of all its uses together.
func (s *source) numbers() map[types.Object][]variant {
	found := map[types.Object][]variant{}
	for _, f := range s.files {
		for _, d := range f.tree.Decls {
			d, ok := d.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST {
				continue
			}
			for _, spec := range d.Specs {
				s.number(f, spec.(*ast.ValueSpec), found)
			}
		}
	}
	return found
}

func (s *source) number(f *file, spec *ast.ValueSpec, found map[types.Object][]variant) {
	if len(spec.Values) == 0 || strings.Contains(f.span(s, spec.Values[0]), "iota") {
		return
	}
	for i, name := range spec.Names {
		c := s.info.Defs[name].(*types.Const)
		if c.Val().Kind() != constant.Int {
			continue
		}
		for _, text := range beside(c.Val()) {
			m := s.add(f, name.Pos(), nil, "constant", f.span(s, spec.Values[i]), text)
			m.Func = name.Name
			found[c] = append(found[c], variant{m, text})
		}
	}
}

// useNumber makes the use of a constant a place of its mutants.
func (v *visitor) useNumber(e *ast.Ident, variants []variant) {
	kind := v.kind(e)
	for _, one := range variants {
		v.variant(e, shapePick, one).kind = types.TypeString(kind, v.qualifier)
	}
}

// large is where one more or less is a hair's breadth: such numbers are doubled
// and halved.
const large = 64

// beside returns the numbers next to one.
func beside(v constant.Value) []string {
	n, exact := constant.Int64Val(v)
	switch {
	case !exact:
		return nil
	case n == 0:
		return []string{"1"}
	case n > large || n < -large:
		return []string{fmt.Sprint(n * 2), fmt.Sprint(n / 2)}
	}
	return []string{fmt.Sprint(n + 1), fmt.Sprint(n - 1)}
}

// add notes a mutant.
func (s *source) add(f *file, at token.Pos, in *ast.FuncDecl, operator, from, to string) *Mutant {
	m := &Mutant{File: f.name, Line: s.fset.Position(at).Line, Operator: operator, Old: joined(from), New: joined(to), id: len(s.mutants) + 1}
	if in != nil {
		m.Func = in.Name.Name
	}
	s.mutants = append(s.mutants, m)
	return m
}

func joined(text string) string { return strings.Join(strings.Fields(text), " ") }

// rounds bounds how often the changed package is compiled to find what in it does
// not compile: each round finds what the one before hid.
const rounds = 20

// settle breaks the sites that do not compile, until the rest does.
func (s *source) settle() error {
	var errs []error
	for range rounds {
		var out []*written
		if out, errs = s.compile(); len(errs) == 0 {
			s.skipBroken()
			return nil
		}
		for _, err := range errs {
			s.blame(out, err)
		}
	}
	return fmt.Errorf("the mutants of package %s do not compile: %w", s.name, errs[0])
}

// compile types the changed package and returns all that is wrong with it.
func (s *source) compile() (out []*written, errs []error) {
	fset := token.NewFileSet()
	var trees []*ast.File
	texts := map[string]string{s.folder + "/" + helperName: fmt.Sprintf(typed, s.name)}
	for _, f := range s.files {
		w := f.write()
		out = append(out, w)
		texts[f.path] = w.text
	}
	for path, text := range texts {
		tree, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution|parser.AllErrors)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		trees = append(trees, tree)
	}
	if len(errs) > 0 {
		return out, errs
	}
	conf := types.Config{Importer: s.imports, Error: func(err error) { errs = append(errs, err) }}
	conf.Check(s.name, fset, trees, nil)
	return out, errs
}

// blame breaks the site that an error lies in, or the next one on its line; if there
// is none, as with a missing return, it is the fault of a statement of its function.
func (s *source) blame(out []*written, err error) {
	var e types.Error
	if !errors.As(err, &e) {
		return
	}
	p := e.Fset.Position(e.Pos)
	for i, f := range s.files {
		if f.path != p.Filename {
			continue
		}
		if t := out[i].culprit(p.Offset); t != nil {
			t.broken = true
			return
		}
		s.blameFunc(f, out[i].text, p.Offset)
	}
}

// blameFunc breaks the statements that are left out in the function around an
// offset of the changed text: its sites are those between the last entry before
// and the next one.
func (s *source) blameFunc(f *file, text string, offset int) {
	name := text[:offset]
	name = name[strings.LastIndex(name, "\nfunc ")+1:]
	for _, t := range f.sites {
		if t.shape == shapeStmt && strings.HasPrefix(name, string(f.text[s.offset(t.in.Pos()):s.offset(t.in.Body.Lbrace)])) {
			t.broken = true
		}
	}
}

// skipBroken marks the mutants that no site is left of.
func (s *source) skipBroken() {
	alive := map[*Mutant]bool{}
	for _, f := range s.files {
		for _, t := range f.sites {
			for _, v := range t.variants {
				alive[v.m] = alive[v.m] || !t.broken
			}
		}
	}
	for _, m := range s.mutants {
		m.skipped = !alive[m]
	}
}
