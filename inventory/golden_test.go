package inventory

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with the file, or writes it with -update.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run go test -update, and read the diff)", err)
	}
	if got != string(want) {
		t.Errorf("%s differs\n--- got\n%s\n--- want\n%s", file, got, want)
	}
}

// each runs f on every YAML file of a folder under testdata.
func each(t *testing.T, folder string, f func(t *testing.T, name string, data []byte, golden string)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files in testdata/%s: %v", folder, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		t.Run(strings.TrimSuffix(name, ".yaml"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f(t, name, data, strings.TrimSuffix(file, ".yaml")+".golden")
		})
	}
}

func TestParseTellsEveryProblem(t *testing.T) {
	t.Parallel()
	each(t, "err", func(t *testing.T, name string, data []byte, file string) {
		inv, err := Parse(name, data)
		var problems Problems
		if !errors.As(err, &problems) || inv != nil {
			t.Fatalf("got %v and error %v, want Problems only", inv, err)
		}
		golden(t, file, problems.Pretty())
		for _, form := range []string{problems.Error(), problems.Pretty()} {
			if strings.Contains(form, "hunter2") {
				t.Errorf("a secret is shown:\n%s", form)
			}
		}
	})
}

func TestParseGivesEffectiveValues(t *testing.T) {
	t.Parallel()
	each(t, "ok", func(t *testing.T, name string, data []byte, file string) {
		inv, err := Parse(name, data)
		if err != nil {
			t.Fatal(err)
		}
		out, err := json.MarshalIndent(inv, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, file, string(out)+"\n")
	})
}
