package check

import (
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strconv"
	"strings"
)

// runEdges checks each import of each file against the layout.
//
// A file of a package may import its own row, the rows that its row names, and
// the standard library and modules that its row allows. The image's main, in
// the root, joins the halves: it may import every package. A test file is freer
// in what it uses as a yardstick: the whole standard library, the pure packages
// and the test libraries besides; it still may not cross from one side of the
// machine to the other. A main package below tests/metal is a guest program,
// which joins the halves as the image's main does. A file NAME_text.go turns
// values of a pure package into text and back, for programs and hosts: it may
// use the whole standard library, and the walk proves that no kernel entry
// reaches it.
func runEdges(req *request) (result, error) {
	src, err := readSource(req.root)
	if err != nil {
		return result{}, err
	}
	var res result
	if res.findings, err = strangers(req.root); err != nil {
		return result{}, err
	}
	imports := 0
	for _, f := range src.files {
		for _, spec := range f.ast.Imports {
			imports++
			if why := forbidden(f, importPath(spec)); why != "" {
				res.findings = append(res.findings, finding{src.at(spec.Pos()), why})
			}
		}
	}
	res.summary = fmt.Sprintf("%d files, %d imports", len(src.files), imports)
	return res, nil
}

// strangers are the top-level folders that the design does not name.
func strangers(root string) ([]finding, error) {
	entries, err := os.ReadDir(root)
	var found []finding
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() || skipped(name) || slices.Contains(plainFolders, name) {
			continue
		}
		if !slices.ContainsFunc(layout, func(r row) bool { return strings.Split(r.folder, "/")[0] == name }) {
			found = append(found, finding{name, "top-level folder that the layout does not know (tools/check/layout.go)"})
		}
	}
	return found, err
}

func importPath(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil { // the parser has accepted it as a string literal
		panic(err)
	}
	return path
}

// forbidden says why f may not import path, "" when it may.
func forbidden(f *sourceFile, path string) string {
	r := rowOf(f.folder)
	if r == nil && f.folder != "." {
		return fmt.Sprintf("package in a folder that the layout does not know: %s", f.folder)
	}
	if folder, ours := strings.CutPrefix(path, modulePath+"/"); ours {
		return forbiddenFolder(f, r, folder)
	}
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return forbiddenModule(f, r, path)
	}
	if r == nil || r.std == nil || f.test || f.text() || slices.Contains(r.std, path) {
		return ""
	}
	return fmt.Sprintf("%s may not import %s: of the standard library it may use %s",
		r.folder, path, strings.Join(r.std, ", "))
}

// forbiddenFolder judges an import of this module's own packages.
func forbiddenFolder(f *sourceFile, r *row, folder string) string {
	target := rowOf(folder)
	if target == nil {
		return fmt.Sprintf("import of %s, which the layout does not know", folder)
	}
	if r == nil || target.folder == r.folder {
		return ""
	}
	allowed := slices.Clone(r.imports)
	if f.test {
		allowed = append(allowed, pure...)
	}
	if f.main() {
		allowed = append(allowed, r.guests...)
	}
	if slices.Contains(allowed, target.folder) {
		return ""
	}
	if len(allowed) == 0 {
		return fmt.Sprintf("%s may not import %s: it may import no other package of Hearth", r.folder, folder)
	}
	return fmt.Sprintf("%s may not import %s: it may import %s", r.folder, folder, strings.Join(allowed, ", "))
}

// forbiddenModule judges an import from another module.
func forbiddenModule(f *sourceFile, r *row, path string) string {
	var allowed []string
	if r != nil {
		allowed = slices.Clone(r.modules)
	}
	if f.test {
		allowed = append(allowed, testModules...)
	}
	for _, m := range allowed {
		if path == m || strings.HasPrefix(path, m+"/") {
			return ""
		}
	}
	return fmt.Sprintf("%s may not import the module of %s", f.folder, path)
}
