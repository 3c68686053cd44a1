package hosts

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDiffSeesContentAndModeButNoTimes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	take := func() Snapshot {
		t.Helper()
		s := Snapshot{}
		if err := s.add(dir, "/"); err != nil {
			t.Fatal(err)
		}
		return s
	}
	write("etc/same", "1", 0o644)
	write("etc/mode", "1", 0o644)
	write("etc/content", "1", 0o644)
	write("etc/gone", "1", 0o644)
	before := take()
	if err := os.Remove(filepath.Join(dir, "etc/gone")); err != nil {
		t.Fatal(err)
	}
	write("etc/same", "1", 0o644)
	write("etc/mode", "1", 0o600)
	write("etc/content", "2", 0o644)
	write("var/log/x", "noise", 0o644)
	write("usr/new", "1", 0o644)
	var got []string
	for _, c := range before.Diff(take(), "/var/log/", "/var") {
		got = append(got, c.String()[:2]+c.Path)
	}
	want := []string{"~ /etc/content", "- /etc/gone", "~ /etc/mode", "+ /usr", "+ /usr/new"}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
