package rules_test

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

const (
	maxFile     = 300 // lines; half of the files have about 90
	maxFunction = 80  // lines; nine of ten have at most 40
)

func everything(source) bool { return true }

// product is the code that ships, below the command line.
func product(s source) bool {
	return !s.test() && s.under("inventory", "bootstrap", "addons", "tui") &&
		!s.under("bootstrap/remote/remotetest", "bootstrap/release/releasetest")
}

func TestFilesAndFunctionsStayShort(t *testing.T) {
	t.Parallel()
	for _, s := range files(t, everything) {
		if s.lines > maxFile {
			t.Errorf("%s has %d lines, at most %d: split it by what it talks about", s.path, s.lines, maxFile)
		}
		for _, decl := range s.file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				if n := s.set.Position(f.End()).Line - s.line(f) + 1; n > maxFunction {
					t.Errorf("%s:%d: %s has %d lines, at most %d", s.path, s.line(f), f.Name.Name, n, maxFunction)
				}
			}
		}
	}
}

// Exported names are a promise, and the comment is what is promised.
func TestExportedNamesAreDocumented(t *testing.T) {
	t.Parallel()
	packages := map[string]bool{} // folder: has a package comment
	for _, s := range files(t, func(s source) bool { return !s.test() && !s.under("e2e/standin") }) {
		dir := s.path[:strings.LastIndex(s.path, "/")+1]
		packages[dir] = packages[dir] || s.file.Doc != nil
		if s.file.Name.Name == "main" {
			continue
		}
		for _, decl := range s.file.Decls {
			for _, bare := range undocumented(decl) {
				t.Errorf("%s:%d: exported %s has no comment", s.path, s.line(bare), bare.Name)
			}
		}
	}
	for dir, documented := range packages {
		if !documented {
			t.Errorf("%s: no file has a package comment", dir)
		}
	}
}

// undocumented gives the exported names of a declaration that have no comment. A comment above a group speaks for all
// constants or variables in it, not for types.
func undocumented(decl ast.Decl) []*ast.Ident {
	var bare []*ast.Ident
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil {
			bare = append(bare, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && s.Doc == nil && (d.Doc == nil || d.Lparen.IsValid()) {
					bare = append(bare, s.Name)
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil && !mentioned(d, name.Name) {
						bare = append(bare, name)
					}
				}
			}
		}
	}
	return bare
}

// mentioned says whether a comment in a group speaks of a name: "KindRunStarted and KindRunFinished frame one command".
func mentioned(group *ast.GenDecl, name string) bool {
	for _, spec := range group.Specs {
		if s, ok := spec.(*ast.ValueSpec); ok && regexp.MustCompile(`\b`+name+`\b`).MatchString(s.Doc.Text()) {
			return true
		}
	}
	return false
}

// exportedReceiver says whether a function is no method, or the method of an exported type. Methods that only satisfy an
// interface of the standard library need no words.
func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	switch f.Name.Name {
	case "Error", "Unwrap", "Is", "As", "String", "Len", "Less", "Swap":
		return false
	}
	typ := f.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// A context made below the command line outlives its caller: nobody can cancel it. Where that is the point (tidying up
// after a cancelled run), a comment "background: why" on the line or the one above says so.
func TestContextsComeFromTheCaller(t *testing.T) {
	t.Parallel()
	reason := regexp.MustCompile(`background: \w`)
	for _, s := range files(t, product) {
		explained := map[int]bool{}
		for _, group := range s.file.Comments {
			if reason.MatchString(group.Text()) {
				end := s.set.Position(group.End()).Line
				explained[end], explained[end+1] = true, true
			}
		}
		for _, call := range calls(s, "context", "Background", "TODO") {
			if !explained[s.line(call)] {
				t.Errorf("%s:%d: a context of its own; take the caller's, or write \"background: why\"", s.path, s.line(call))
			}
		}
	}
}

// A sleep cannot be cancelled and waits for nothing in particular.
func TestNothingSleeps(t *testing.T) {
	t.Parallel()
	for _, s := range files(t, func(s source) bool { return product(s) || !s.test() && s.under("cmd") }) {
		for _, call := range calls(s, "time", "Sleep") {
			t.Errorf("%s:%d: time.Sleep; wait for a condition, with a deadline and a name", s.path, s.line(call))
		}
	}
}

// calls finds uses of names of a package, whatever the file calls that package.
func calls(s source, path string, names ...string) []ast.Node {
	local := ""
	for _, imp := range s.file.Imports {
		if imp.Path.Value == `"`+path+`"` {
			local = path
			if imp.Name != nil {
				local = imp.Name.Name
			}
		}
	}
	var found []ast.Node
	if local == "" {
		return nil
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == local {
			for _, name := range names {
				if sel.Sel.Name == name {
					found = append(found, sel)
				}
			}
		}
		return true
	})
	return found
}
