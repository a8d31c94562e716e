package mutants

import (
	"go/ast"
	"go/types"
	"strings"
)

// visitor makes the sites of one file.
type visitor struct {
	s  *source
	f  *file
	in *ast.FuncDecl
	at map[[2]int]*site // sites by their span: rules may meet in one

	outer map[ast.Expr]types.Type // of a part of a constant expression, what the whole is

	named func(*ast.Ident) // what to do with the name of a constant
}

// visit goes through one function.
func (v *visitor) visit(d *ast.FuncDecl) {
	v.in = d
	v.entry(d)
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			v.block(n.List)
		case *ast.CaseClause:
			v.block(n.Body)
		case *ast.IfStmt:
			v.condition(n.Cond)
		case *ast.KeyValueExpr: // a key may be a field's name or a constant index
			ast.Inspect(n.Value, v.inside)
			return false
		case ast.Expr:
			v.expression(n)
		}
		return true
	})
}

// inside visits the expressions of a composite literal's value.
func (v *visitor) inside(n ast.Node) bool {
	if kv, ok := n.(*ast.KeyValueExpr); ok {
		ast.Inspect(kv.Value, v.inside)
		return false
	}
	if e, ok := n.(ast.Expr); ok {
		v.expression(e)
	}
	return true
}

func (v *visitor) block(list []ast.Stmt) {
	for _, n := range list {
		v.statement(n)
	}
}

// value adds a mutant that puts text in place of the value e.
func (v *visitor) value(e ast.Expr, operator, text string) {
	kind := v.kind(e)
	s := shapePick
	if b, ok := kind.Underlying().(*types.Basic); ok && b.Kind() == types.Bool && v.s.info.Types[e].Value == nil {
		s = shapeBool
	} else if v.calls(e) || strings.Contains(text, " / ") {
		s = shapeFunc
	}
	v.change(e, s, operator, text)
	v.at[v.key(e)].kind = types.TypeString(kind, v.qualifier)
}

// kind is the type that e has where it stands.
func (v *visitor) kind(e ast.Expr) types.Type {
	kind := v.s.info.Types[e].Type
	b, ok := kind.(*types.Basic)
	if !ok || b.Info()&types.IsUntyped == 0 {
		return kind
	}
	if outer := v.outer[e]; outer != nil {
		return outer
	}
	return types.Default(kind)
}

// calls reports whether evaluating e twice could be seen: it holds a call.
func (v *visitor) calls(e ast.Expr) (does bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !v.s.info.Types[call.Fun].IsType() {
			does = true
		}
		return !does
	})
	return does
}

// qualifier names packages as the file does.
func (v *visitor) qualifier(p *types.Package) string {
	if p.Name() == v.s.name {
		return ""
	}
	for _, spec := range v.f.tree.Imports {
		if spec.Name != nil && strings.Trim(spec.Path.Value, `"`) == p.Path() {
			return spec.Name.Name
		}
	}
	return p.Name()
}

func (v *visitor) key(n ast.Node) [2]int {
	return [2]int{v.s.offset(n.Pos()), v.s.offset(n.End())}
}

// change adds a mutant that puts text in place of n.
func (v *visitor) change(n ast.Node, s shape, operator, text string) {
	m := v.s.add(v.f, n.Pos(), v.in, operator, v.f.span(v.s, n), text)
	v.variant(n, s, variant{m, text})
}

// variant adds one to the place of n.
func (v *visitor) variant(n ast.Node, s shape, one variant) *site {
	key := v.key(n)
	t := v.at[key]
	if t == nil {
		t = &site{from: key[0], to: key[1], shape: s, in: v.in}
		v.at[key] = t
		v.f.sites = append(v.f.sites, t)
	}
	t.variants = append(t.variants, one)
	return t
}

// insert adds a mutant at the beginning of d.
func (v *visitor) insert(d *ast.FuncDecl, text string) {
	m := v.s.add(v.f, d.Pos(), d, "entry", "all of it", "")
	from := v.s.offset(d.Body.Lbrace) + 1
	v.f.sites = append(v.f.sites, &site{from: from, to: from, shape: shapeEntry, in: d, variants: []variant{{m, text}}})
}
