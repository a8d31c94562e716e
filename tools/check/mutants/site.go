package mutants

import (
	"fmt"
	"go/ast"
	"strings"
)

// shape is how the variants of a place are chosen between.
type shape int

const (
	shapeBool  shape = iota // terms of && and ||, evaluated one at a time
	shapePick               // a call that evaluates both: operands without calls
	shapeFunc               // a function literal: anything else that is a value
	shapeStmt               // an if statement
	shapeEntry              // inserted where a function begins
)

// site is a place with variants, those of one or more mutants.
type site struct {
	from, to int // offsets in the file
	shape    shape
	kind     string // of a value: its type in the file's words
	variants []variant
	broken   bool // does not compile
	in       *ast.FuncDecl
}

// variant is what a mutant makes of a place.
type variant struct {
	m    *Mutant
	text string
}

// selector is the variable of the changed package that says which mutant is on,
// and pick the function that chooses by it.
const (
	selector = "hearthMutant"
	pick     = "hearthPick"
)

// picker chooses between two values.
const picker = `
func ` + pick + `[T any](mutant int, changed, plain T) T {
	if ` + selector + ` == mutant {
		return changed
	}
	return plain
}
`

// typed is what a changed package gets besides, for the types alone: it imports nothing.
const typed = "package %s; var " + selector + " int\n" + picker

// variable of the environment holds the number of the mutant. It is on from the start:
// package variables may depend on it.
const variable = "HEARTH_MUTANT"

// render writes the place with its choice; plain is the text that stands there,
// with the choices inside it.
func (t *site) render(plain string) string {
	switch t.shape {
	case shapeBool:
		return t.renderBool(plain)
	case shapePick:
		for _, v := range t.variants {
			plain = fmt.Sprintf("%s[%s](%d, %s, %s)", pick, t.kind, v.m.id, v.text, plain)
		}
		return plain
	case shapeFunc:
		return t.renderFunc(plain)
	case shapeStmt:
		return t.renderStmt(plain)
	}
	var b strings.Builder
	for _, v := range t.variants {
		fmt.Fprintf(&b, " if %s == %d { %s };", selector, v.m.id, v.text)
	}
	return b.String()
}

func (t *site) renderBool(plain string) string {
	var b strings.Builder
	none := "true"
	for _, v := range t.variants {
		fmt.Fprintf(&b, "%s == %d && (%s) || ", selector, v.m.id, v.text)
		none += fmt.Sprintf(" && %s != %d", selector, v.m.id)
	}
	return "(" + b.String() + none + " && (" + plain + "))"
}

func (t *site) renderFunc(plain string) string {
	var b strings.Builder
	for _, v := range t.variants {
		fmt.Fprintf(&b, "if %s == %d { return %s }; ", selector, v.m.id, v.text)
	}
	return fmt.Sprintf("func() %s { %sreturn %s }()", t.kind, b.String(), plain)
}

func (t *site) renderStmt(plain string) string {
	var b strings.Builder
	for _, v := range t.variants {
		fmt.Fprintf(&b, "if %s == %d { %s } else ", selector, v.m.id, v.text)
	}
	return b.String() + "{ " + plain + " }"
}
