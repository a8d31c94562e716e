package mutants

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// source is a package, parsed and typed, with its mutants.
type source struct {
	name    string // of the package
	folder  string
	fset    *token.FileSet
	files   []*file
	info    *types.Info
	imports types.Importer
	mutants []*Mutant
}

// file is one file of a package that the build takes.
type file struct {
	path   string // absolute
	name   string // relative to the module's root
	text   []byte
	tree   *ast.File
	sites  []*site // empty in files that are not to be changed
	wanted bool
}

// load parses and types the package of c.
func load(ctx context.Context, c *Config) (*source, error) {
	s := &source{fset: token.NewFileSet()}
	names, exports, err := s.list(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		f, err := s.parse(c, name)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, f)
	}
	s.imports = importer.ForCompiler(s.fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	s.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	trees := make([]*ast.File, len(s.files))
	for i, f := range s.files {
		trees[i] = f.tree
	}
	conf := types.Config{Importer: s.imports}
	_, err = conf.Check(s.name, s.fset, trees, s.info)
	return s, err
}

// list asks the go command for the package's files and for what it has compiled of
// the packages that they import.
func (s *source) list(ctx context.Context, c *Config) (files []string, exports map[string]string, err error) {
	const format = `{{if .DepOnly}}{{.ImportPath}} {{.Export}}{{else}}{{.Name}} {{.Dir}}{{range .GoFiles}} {{.}}{{end}}{{end}}`
	cmd := c.Command(ctx, c.Root, "list", "-export", "-deps", "-f", format, c.Package)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, nil, fmt.Errorf("go list %s: %s", c.Package, bytes.TrimSpace(exit.Stderr))
	} else if err != nil {
		return nil, nil, err
	}
	exports = map[string]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if len(words) > 2 {
			s.name, s.folder, files = words[0], words[1], words[2:]
		} else if len(words) == 2 {
			exports[words[0]] = words[1]
		}
	}
	return files, exports, nil
}

// parse reads one file.
func (s *source) parse(c *Config, name string) (*file, error) {
	f := &file{path: filepath.Join(s.folder, name)}
	root, err := filepath.Abs(c.Root)
	if err == nil {
		f.name, err = filepath.Rel(root, f.path)
	}
	if err == nil {
		f.text, err = os.ReadFile(f.path)
	}
	if err == nil {
		f.tree, err = parser.ParseFile(s.fset, f.path, f.text, parser.SkipObjectResolution)
	}
	f.wanted = c.Files == nil || c.Files(filepath.ToSlash(f.name))
	return f, err
}

// offset is where a position lies in its file.
func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

// span is the text of a node.
func (f *file) span(s *source, n ast.Node) string {
	return string(f.text[s.offset(n.Pos()):s.offset(n.End())])
}
