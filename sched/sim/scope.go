package sim

import (
	"fmt"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// scope holds the variables of the loops around a statement, the innermost last.
type scope []variable

type variable struct {
	name  string
	value int
}

// String identifies what the variables stand for.
func (s scope) String() string {
	var b strings.Builder
	for _, v := range s {
		fmt.Fprintf(&b, "%s=%d ", v.name, v.value)
	}
	return b.String()
}

// inWord finds $NAME and ${EXPRESSION}.
var inWord = regexp.MustCompile(`\$([a-z]+|\{[^}]*\})`)

// replace puts the values of variables into words: $i, or ${i*2+1} with + - * / % and
// parentheses on whole numbers.
func (s scope) replace(words []string) ([]string, error) {
	var wrong error
	replaced := make([]string, len(words))
	for i, word := range words {
		replaced[i] = inWord.ReplaceAllStringFunc(word, func(found string) string {
			n, err := s.evaluate(strings.Trim(found, "${}"))
			if err != nil && wrong == nil {
				wrong = fmt.Errorf("%q: %w", word, err)
			}
			return strconv.Itoa(n)
		})
		if strings.Contains(replaced[i], "$") && wrong == nil {
			wrong = fmt.Errorf("%q: behind $ comes a variable, or an expression such as ${i*2+1} without spaces", word)
		}
	}
	return replaced, wrong
}

func (s scope) evaluate(text string) (int, error) {
	e, err := goparser.ParseExpr(text)
	if err != nil {
		return 0, fmt.Errorf("%q is no expression of whole numbers", text)
	}
	return s.value(e)
}

func (s scope) value(e ast.Expr) (int, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.value(e.X)
	case *ast.BasicLit:
		n, err := strconv.Atoi(e.Value)
		if err != nil {
			return 0, fmt.Errorf("%s is no whole number", e.Value)
		}
		return n, nil
	case *ast.Ident:
		for i := len(s) - 1; i >= 0; i-- {
			if s[i].name == e.Name {
				return s[i].value, nil
			}
		}
		return 0, fmt.Errorf("there is no variable %s here", e.Name)
	case *ast.BinaryExpr:
		return s.operation(e)
	}
	return 0, fmt.Errorf("want whole numbers, variables and + - * / %% ( )")
}

func (s scope) operation(e *ast.BinaryExpr) (int, error) {
	x, err := s.value(e.X)
	if err != nil {
		return 0, err
	}
	y, err := s.value(e.Y)
	if err != nil {
		return 0, err
	}
	switch e.Op {
	case token.ADD:
		return x + y, nil
	case token.SUB:
		return x - y, nil
	case token.MUL:
		return x * y, nil
	case token.QUO, token.REM:
		if y == 0 {
			return 0, fmt.Errorf("it divides by zero")
		}
		if e.Op == token.QUO {
			return x / y, nil
		}
		return x % y, nil
	}
	return 0, fmt.Errorf("want whole numbers, variables and + - * / %% ( )")
}
