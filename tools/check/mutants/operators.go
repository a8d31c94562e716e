package mutants

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Operators are the rules that make mutants.
var Operators = []struct{ Name, What string }{
	{"boundary", "< and <=, > and >= for each other"},
	{"negation", "a comparison or a ! turned round"},
	{"logic", "&& and || for each other"},
	{"condition", "what an if asks is always so, or never"},
	{"arithmetic", "+ and -, * and /, & and |, << and >> for each other, also in assignments"},
	{"number", "an integer literal one more and one less"},
	{"constant", "a named number one more and one less, a large one twice and half"},
	{"truth", "true and false for each other"},
	{"statement", "a call, an assignment, a break or a continue left out"},
	{"entry", "a function that returns zero values at once"},
}

// binary are the operators that take another one's place, with the rule.
var binary = map[token.Token][]struct {
	to   token.Token
	rule string
}{
	token.LSS:  {{token.LEQ, "boundary"}, {token.GEQ, "negation"}},
	token.LEQ:  {{token.LSS, "boundary"}, {token.GTR, "negation"}},
	token.GTR:  {{token.GEQ, "boundary"}, {token.LEQ, "negation"}},
	token.GEQ:  {{token.GTR, "boundary"}, {token.LSS, "negation"}},
	token.EQL:  {{token.NEQ, "negation"}},
	token.NEQ:  {{token.EQL, "negation"}},
	token.LAND: {{token.LOR, "logic"}},
	token.LOR:  {{token.LAND, "logic"}},

	token.ADD:     {{token.SUB, "arithmetic"}},
	token.SUB:     {{token.ADD, "arithmetic"}},
	token.MUL:     {{token.QUO, "arithmetic"}},
	token.QUO:     {{token.MUL, "arithmetic"}},
	token.REM:     {{token.MUL, "arithmetic"}},
	token.AND:     {{token.OR, "arithmetic"}},
	token.OR:      {{token.AND, "arithmetic"}},
	token.XOR:     {{token.OR, "arithmetic"}},
	token.AND_NOT: {{token.AND, "arithmetic"}},
	token.SHL:     {{token.SHR, "arithmetic"}},
	token.SHR:     {{token.SHL, "arithmetic"}},
}

// assigns are the assignments that take another one's place.
var assigns = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN,
	token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
	token.AND_NOT_ASSIGN: token.OR_ASSIGN, token.INC: token.DEC, token.DEC: token.INC,
}

// expression makes the mutants of a value.
func (v *visitor) expression(e ast.Expr) {
	if tv := v.s.info.Types[e]; tv.Value != nil {
		v.constantUse(e, tv)
		return
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		left, right := v.f.span(v.s, e.X), v.f.span(v.s, e.Y)
		for _, o := range binary[e.Op] {
			v.value(e, o.rule, left+" "+o.to.String()+" "+right)
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			v.value(e, "negation", v.f.span(v.s, e.X))
		}
	}
}

// constantUse makes the mutants of a literal, and of true and false. Names of the
// package's own numbers become places of mutants that mutate found before.
func (v *visitor) constantUse(e ast.Expr, tv types.TypeAndValue) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		v.outer[e.X], v.outer[e.Y] = v.kind(e), v.kind(e)
	case *ast.ParenExpr:
		v.outer[e.X] = v.kind(e)
	case *ast.BasicLit, *ast.UnaryExpr: // -1 is an expression
		if b, ok := v.kind(e).Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			for _, text := range beside(tv.Value) {
				v.value(e, "number", text)
			}
		}
	case *ast.Ident:
		switch v.s.info.Uses[e] {
		case types.Universe.Lookup("true"):
			v.value(e, "truth", "false")
		case types.Universe.Lookup("false"):
			v.value(e, "truth", "true")
		default:
			v.named(e)
		}
	}
}

// condition makes what an if asks always so, or never.
func (v *visitor) condition(e ast.Expr) {
	if e != nil && v.s.info.Types[e].Value == nil {
		v.value(e, "condition", "true")
		v.value(e, "condition", "false")
	}
}

// statement makes the mutants of a statement in a block.
func (v *visitor) statement(n ast.Stmt) {
	switch n := n.(type) {
	case *ast.ExprStmt:
		v.change(n, shapeStmt, "statement", "")
	case *ast.BranchStmt:
		if n.Tok == token.BREAK || n.Tok == token.CONTINUE {
			v.change(n, shapeStmt, "statement", "")
		}
	case *ast.IncDecStmt:
		v.change(n, shapeStmt, "statement", "")
		v.change(n, shapeStmt, "arithmetic", v.f.span(v.s, n.X)+assigns[n.Tok].String())
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			return
		}
		v.change(n, shapeStmt, "statement", "")
		if to, ok := assigns[n.Tok]; ok {
			v.change(n, shapeStmt, "arithmetic", v.f.span(v.s, n.Lhs[0])+" "+to.String()+" "+v.f.span(v.s, n.Rhs[0]))
		}
	}
}

// entry makes a function return at once.
func (v *visitor) entry(d *ast.FuncDecl) {
	if len(d.Body.List) == 0 {
		return
	}
	text := "return"
	if r := d.Type.Results; r != nil && len(r.List[0].Names) == 0 {
		text = v.zeros(r)
	}
	v.insert(d, text)
}

// zeros declares and returns the zero values of results without names.
func (v *visitor) zeros(r *ast.FieldList) string {
	text, names := "", ""
	for i, field := range r.List {
		name := "hearthZero" + string(rune('A'+i))
		text += "var " + name + " " + v.f.span(v.s, field.Type) + "; "
		names += ", " + name
	}
	return text + "return " + names[2:]
}
