package app_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
)

var update = flag.Bool("update", false, "write the generated documentation")

// TestFindingsAreDocumented holds docs/findings.md to the rules in the source.
func TestFindingsAreDocumented(t *testing.T) {
	t.Parallel()
	generated(t, "findings.md", findingsPage())
}

func generated(t *testing.T, name, want string) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "docs", name)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what the source says (%v): go test ./cmd/gpuboot/app -run Documented -update", path, err)
	}
}

func findingsPage() string {
	var b strings.Builder
	b.WriteString("# Findings\n\nWhat `gpuboot preflight` looks for, generated from the source. `block` means that nothing is written as long as it is so;\n" +
		"the severity is the worst that a rule gives, many are milder on hosts where they matter less.\n\n")
	for _, r := range facts.Rules() {
		fmt.Fprintf(&b, "## %s\n\n%s. %s.\n", r.ID, strings.ToUpper(string(r.Severity[:1]))+string(r.Severity[1:]), sentence(r.Meaning))
		if r.Fix != "" {
			fmt.Fprintf(&b, "\nFix: %s\n", r.Fix)
		}
		if r.GpubootFixes {
			b.WriteString("\ngpuboot does this by itself.\n")
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// sentence begins with a capital and has no full stop at its end.
func sentence(s string) string {
	s = strings.TrimRight(s, ".")
	return strings.ToUpper(s[:1]) + s[1:]
}
