package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
)

// checkFunc judges a function, or a method if its type is exported.
func (d *docs) checkFunc(decl *ast.FuncDecl) {
	if decl.Recv == nil {
		d.judge(decl.Pos(), "function", decl.Name.Name, decl.Doc)
		return
	}
	if owner := receiver(decl.Recv.List[0].Type); ast.IsExported(owner) {
		d.judge(decl.Pos(), "method", owner+"."+decl.Name.Name, decl.Doc)
	}
}

// receiver names the type that a method belongs to.
func receiver(t ast.Expr) string {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// checkGroup judges types, constants and variables. The comment on a group of
// constants or variables documents all of it; a type wants one of its own.
func (d *docs) checkGroup(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			doc := spec.Doc
			if decl.Lparen == token.NoPos || doc == nil && spec.Assign != token.NoPos {
				doc = decl.Doc // an alias needs no more than its group says: its type is documented
			}
			d.judge(spec.Pos(), "type", spec.Name.Name, doc, spec.Comment)
			if spec.Name.IsExported() {
				d.checkMembers(spec.Name.Name, spec.Type, doc)
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				d.judge(name.Pos(), decl.Tok.String(), name.Name, decl.Doc, spec.Doc, spec.Comment)
			}
		}
	}
}

// checkMembers judges the fields of an exported struct and the methods of an
// exported interface.
func (d *docs) checkMembers(owner string, t ast.Expr, doc *ast.CommentGroup) {
	switch t := t.(type) {
	case *ast.StructType:
		d.checkFields("field", owner, t.Fields, doc)
	case *ast.InterfaceType:
		d.checkFields("method", owner, t.Methods, doc)
	}
}

// checkFields judges the members of one type. A member is documented by a
// comment in its group (members without a blank line between them) or by the
// type's comment naming it; what a group says by one line, no line need repeat.
// A type on a single line is documented by its comment as a whole. A field whose
// type has a name of its own (cpu.ID, time.Duration) is obvious: the type says
// what it holds, and in which unit.
func (d *docs) checkFields(kind, owner string, fields *ast.FieldList, doc *ast.CommentGroup) {
	single := d.line(fields.Pos()) == d.line(fields.End())
	for _, group := range d.groups(fields) {
		comments := []*ast.CommentGroup{}
		for _, f := range group {
			comments = append(comments, f.Doc, f.Comment)
		}
		for _, f := range group {
			for _, name := range f.Names {
				if obvious(f.Type) {
					continue
				}
				named := doc
				if !single {
					named = naming(doc, name.Name)
				}
				d.judge(name.Pos(), kind, owner+"."+name.Name, append(comments, named)...)
			}
		}
	}
}

// obvious tells whether a type, or that of the elements, is one with a name
// that is not of the language.
func obvious(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.StarExpr:
		return obvious(t.X)
	case *ast.ArrayType:
		return obvious(t.Elt)
	case *ast.SelectorExpr:
		return true
	case *ast.Ident:
		return types.Universe.Lookup(t.Name) == nil
	}
	return false
}

// groups splits fields where a blank line stands between two of them.
func (d *docs) groups(fields *ast.FieldList) [][]*ast.Field {
	var groups [][]*ast.Field
	end := -1
	for _, f := range fields.List {
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		if len(groups) == 0 || d.line(start) > end+1 {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], f)
		end = d.line(f.End())
	}
	return groups
}

func (d *docs) line(pos token.Pos) int { return d.src.fset.Position(pos).Line }

// naming returns doc if it mentions name as a word.
func naming(doc *ast.CommentGroup, name string) *ast.CommentGroup {
	if doc != nil && regexp.MustCompile(`\b`+name+`\b`).MatchString(doc.Text()) {
		return doc
	}
	return nil
}
