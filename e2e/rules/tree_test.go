package rules_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// root is the repository's root, seen from this package's folder.
const root = "../.."

// source is one parsed Go file.
type source struct {
	path  string // relative to the root, with slashes
	lines int
	set   *token.FileSet
	file  *ast.File
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

// under says whether the file lies in one of the folders.
func (s source) under(dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(s.path, dir+"/") })
}

func (s source) line(n ast.Node) int { return s.set.Position(n.Pos()).Line }

// tree reads every Go file of the repository once, those of the stand-in's own module too. Reading them here, in the test
// process, is also what tells `go test` that a cached result is stale.
var tree = sync.OnceValues(func() ([]source, error) {
	var all []source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (name[0] == '.' || name == "bin" || name == "testdata") {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, data, parser.ParseComments)
		rel := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		all = append(all, source{path: rel, lines: strings.Count(string(data), "\n"), set: set, file: file})
		return err
	})
	return all, err
})

// files gives the files that keep says yes to.
func files(t *testing.T, keep func(source) bool) []source {
	t.Helper()
	all, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("only %d Go files below %s: the rules look at the wrong place", len(all), root)
	}
	var kept []source
	for _, s := range all {
		if keep(s) {
			kept = append(kept, s)
		}
	}
	return kept
}
