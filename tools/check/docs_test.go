package check

import "testing"

func TestDocumentedPackagePasses(t *testing.T) {
	tree(t, "cpu/a.go", `// Package cpu says what
// a CPU is: ids. More.
package cpu

// ID is one CPU.
type ID int

// Methods come in groups.
const (
	A ID = iota
	B
)

// Pair is on one line.
type Pair struct{ X, Y int }

// Shape names Wide in its comment.
type Shape struct {
	Wide int

	Tall int // a comment in the group
	Deep int

	Obvious ID
	Many    []*ID

	hidden int
}

// String is documented.
func (ID) String() string { return "" }

type inner struct{ Field int }

func (inner) Method() {}

func helper() {}
`, "cpu/a_test.go", "package cpu\n\nfunc Undocumented() {}\n")
	check(t, "docs", 0, "check docs: ok (1 packages, 11 exported names")
}

func TestUndocumentedNamesAreFound(t *testing.T) {
	tree(t, "cpu/a.go", `// Package cpu is what a CPU is.
package cpu

type T struct {
	Known int // said

	Unknown int
}

func (t *T) M() {}

func F() {}

const C = 1

var (
	V = 1
	// W is documented.
	W = 2
)

//go:noinline
func Directive() {}

// I is an interface.
type I interface {
	Do()
}
`)
	check(t, "docs", 1,
		"cpu/a.go:4: exported type T",
		"cpu/a.go:7: exported field T.Unknown",
		"cpu/a.go:10: exported method T.M",
		"cpu/a.go:12: exported function F",
		"cpu/a.go:14: exported const C",
		"cpu/a.go:17: exported var V",
		"cpu/a.go:23: exported function Directive",
		"cpu/a.go:27: exported method I.Do",
		"FAIL, 8 findings",
	)
}

func TestPackageDocCarriesTheCharter(t *testing.T) {
	tree(t,
		"cpu/a.go", "package cpu\n",
		"smp/a.go", "// Package smp is nice. It makes CPUs obey.\npackage smp\n",
		"boot/a.go", "// From reset to a known machine.\npackage boot\n",
		"tools/hearth/main.go", "// Hearth is the one\n// command-line tool.\npackage main\n",
	)
	check(t, "docs", 1,
		"cpu/a.go:1: package cpu has no doc comment",
		`smp/a.go:1: the first sentence of the doc does not carry the charter's words, "makes CPUs obey"`,
		`boot/a.go:1: the doc comment does not start with "Package boot"`,
		"FAIL, 3 findings",
	)
}
