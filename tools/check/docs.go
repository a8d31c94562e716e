package check

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// runDocs checks that every package says what it is, in the words of its
// charter, and that every exported name of a library is documented.
func runDocs(req *request) (result, error) {
	src, err := readSource(req.root)
	if err != nil {
		return result{}, err
	}
	d := docs{src: src}
	folders := map[string][]*sourceFile{}
	for _, f := range src.files {
		if !f.test {
			folders[f.folder] = append(folders[f.folder], f)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		d.checkPackage(folder, folders[folder])
	}
	return result{d.findings, fmt.Sprintf("%d packages, %d exported names", len(folders), d.names)}, nil
}

// docs collects what runDocs finds.
type docs struct {
	src      *source
	findings []finding
	names    int // exported names that were judged
}

func (d *docs) checkPackage(folder string, files []*sourceFile) {
	d.checkCharter(folder, files)
	for _, f := range files {
		if f.main() {
			continue
		}
		for _, decl := range f.ast.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				d.checkFunc(decl)
			case *ast.GenDecl:
				d.checkGroup(decl)
			}
		}
	}
}

// checkCharter wants a doc comment whose first sentence carries the charter.
func (d *docs) checkCharter(folder string, files []*sourceFile) {
	doc, name := "", files[0].ast.Name.Name
	for _, f := range files {
		if text := f.ast.Doc.Text(); text != "" && (doc == "" || strings.HasPrefix(text, "Package "+name)) {
			doc = text
		}
	}
	where := files[0].name + ":1"
	switch r := rowOf(folder); {
	case doc == "":
		d.add(where, "package %s has no doc comment", name)
	case name != "main" && !strings.HasPrefix(doc, "Package "+name+" "):
		d.add(where, "the doc comment does not start with %q", "Package "+name)
	case r != nil && r.folder == folder && r.charter != "" && !says(firstSentence(doc), r.charter):
		d.add(where, "the first sentence of the doc does not carry the charter's words, %q", r.charter)
	}
}

// sentenceEnd is a full stop that ends a sentence, not one inside a name.
var sentenceEnd = regexp.MustCompile(`\.(\s|$)`)

func firstSentence(doc string) string {
	if i := sentenceEnd.FindStringIndex(doc); i != nil {
		return doc[:i[0]]
	}
	return doc
}

// says tells whether text holds words, however the lines break.
func says(text, words string) bool {
	plain := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return strings.Contains(plain(text), plain(words))
}

// judge counts an exported name and reports it if nothing documents it.
func (d *docs) judge(pos token.Pos, kind, name string, comments ...*ast.CommentGroup) {
	if !ast.IsExported(name[strings.LastIndex(name, ".")+1:]) {
		return
	}
	d.names++
	for _, c := range comments {
		if strings.TrimSpace(c.Text()) != "" {
			return
		}
	}
	d.add(d.src.at(pos), "exported %s %s has no doc comment", kind, name)
}

func (d *docs) add(where, format string, args ...any) {
	d.findings = append(d.findings, finding{where, fmt.Sprintf(format, args...)})
}
