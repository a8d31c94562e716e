package check

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// modulePath is Hearth's own import path prefix.
const modulePath = "hearth"

// source is the parsed module.
type source struct {
	fset  *token.FileSet
	files []*sourceFile
}

// sourceFile is one Go file with the facts that the rules ask for.
type sourceFile struct {
	name   string // slash-separated, relative to the module root
	folder string // of the file, "." for the root
	test   bool   // its name ends in _test.go
	ast    *ast.File
}

// main tells whether the file is of a program.
func (f *sourceFile) main() bool { return f.ast.Name.Name == "main" }

// text tells whether the file holds the text forms of its package's values.
func (f *sourceFile) text() bool { return strings.HasSuffix(f.name, "_text.go") }

// moduleRoot finds the folder at or above dir that holds the go.mod.
func moduleRoot(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod here or above: run this inside Hearth's folder")
		}
		dir = parent
	}
}

// skipped names the folders that hold no source of the module: hidden ones,
// what was built, and test data (its packages are wrong on purpose).
func skipped(name string) bool {
	return name == "testdata" || name == "build" || name != "." && strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// readSource parses every Go file below root.
func readSource(root string) (*source, error) {
	src := &source{fset: token.NewFileSet()}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && skipped(d.Name()) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		return src.add(root, name)
	})
	return src, err
}

func (src *source) add(root, name string) error {
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		return err
	}
	f, err := parser.ParseFile(src.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("%w: %v", errInput, err)
	}
	src.files = append(src.files, &sourceFile{
		name:   name,
		folder: filepath.ToSlash(filepath.Dir(name)),
		test:   strings.HasSuffix(name, "_test.go"),
		ast:    f,
	})
	return nil
}

// at says where a node is, as file:line.
func (src *source) at(pos token.Pos) string {
	p := src.fset.Position(pos)
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}
