package bootstrap

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
)

// runScript runs a script with sh in this machine, with a systemctl that does
// nothing, and returns its stdout.
func runScript(t *testing.T, script string, args ...string) string {
	t.Helper()
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "systemctl"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", append([]string{"-s", "--"}, args...)...)
	cmd.Stdin = strings.NewReader(script)
	cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func listing(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, strings.TrimPrefix(p, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

func TestUndoLeavesExactlyWhatWasThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(p string) string { return filepath.Join(dir, p) }
	put(t, at("etc/ours/config"), "new")
	put(t, at("etc/theirs"), "replaced")
	put(t, at("backup/etc/theirs"), "original")
	put(t, at("var/tree/server/db"), "k3s")
	put(t, at("var/old/images/odd [name]*.tar"), "theirs")
	put(t, at("var/old/images/new.tar"), "k3s")
	put(t, at("made/full/stays"), "somebody's")

	j := Journal{Acts: []Act{
		{Kind: ActDir, Path: at("etc/ours")},
		{Kind: ActDir, Path: at("made/full")},
		{Kind: ActFile, Path: at("etc/ours/config")},
		{Kind: ActFile, Path: at("etc/theirs"), Backup: at("backup/etc/theirs")},
		{Kind: ActTree, Path: at("var/tree")},
		{Kind: ActTree, Path: at("var/never")},
		{Kind: ActTree, Path: at("var/old"), Kept: []string{at("var/old/images"), at("var/old/images/odd [name]*.tar")}},
	}}
	script := strings.NewReplacer(backupDir, at("backup"), JournalPath, at("journal"), lockPath, at("lock")).Replace(undoScript(j))
	for range 2 { // an interrupted down is run again
		runScript(t, script)
		want := []string{"etc/theirs", "made/full/stays", "var/old/images/odd [name]*.tar"}
		if got := listing(t, dir); !slices.Equal(got, want) {
			t.Fatalf("left %q, want %q", got, want)
		}
	}
	if data, _ := os.ReadFile(at("etc/theirs")); string(data) != "original" {
		t.Errorf("the replaced file is now %q", data)
	}
	if _, err := os.Stat(at("etc/ours")); err == nil {
		t.Error("a directory that gpuboot made is still there")
	}
}

func TestBeforeSavesAndLists(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(p string) string { return filepath.Join(dir, p) }
	put(t, at("etc/registries.yaml"), "theirs")
	put(t, at("tree/images/a b.tar"), "x")
	script := strings.ReplaceAll(beforeScript, backupDir, at("backup"))
	args := []string{"-d", at("etc"), at("made"), "-f", at("etc/registries.yaml"), at("etc/absent"), "-t", at("tree"), at("no-tree")}
	b := parseBefore(runScript(t, script, args...))
	if !slices.Equal(b.madeDirs, []string{at("made")}) {
		t.Errorf("made %v", b.madeDirs)
	}
	backup := b.saved[at("etc/registries.yaml")]
	if data, err := os.ReadFile(backup); err != nil || string(data) != "theirs" || len(b.saved) != 1 {
		t.Errorf("saved %v: %q %v", b.saved, data, err)
	}
	kept := slices.Sorted(slices.Values(b.kept[at("tree")]))
	if !slices.Equal(kept, []string{at("tree/images"), at("tree/images/a b.tar")}) {
		t.Errorf("kept %q", kept)
	}
	// A second look, after the file was replaced, must not save the new one.
	put(t, at("etc/registries.yaml"), "ours")
	runScript(t, script, args...)
	if data, _ := os.ReadFile(backup); string(data) != "theirs" {
		t.Errorf("the backup became %q", data)
	}
}

func TestWhatWasThereBeforeIsNoRemains(t *testing.T) {
	t.Parallel()
	j := Journal{Acts: []Act{{Kind: ActTree, Path: "/var/lib/rancher/k3s", Kept: []string{"/var/lib/rancher/k3s/agent", "/var/lib/rancher/k3s/agent/images"}}}}
	hp := &HostPlan{Journal: j}
	f := &facts.Facts{K3s: facts.K3s{Own: []string{"/var/lib/rancher/k3s", "/var/lib/rancher/k3s/agent", "/var/lib/rancher/k3s/server/db", "link cni0"}}}
	if got := remains(hp, f); !slices.Equal(got, []string{"/var/lib/rancher/k3s/server/db", "link cni0"}) {
		t.Errorf("remains %q", got)
	}
}

// The user's own /etc/rancher/k3s is no trace of gpuboot's.
func TestAFolderThatWasThereBeforeIsNoRemains(t *testing.T) {
	t.Parallel()
	f := &facts.Facts{Files: map[string]facts.FileFact{}}
	f.K3s.Own = []string{configDir}
	hp := &HostPlan{}
	if got := remains(hp, f); len(got) > 0 {
		t.Errorf("remains %v, and gpuboot did not make it", got)
	}
	hp.Journal.Acts = []Act{{Kind: ActDir, Path: configDir}}
	if got := remains(hp, f); !slices.Equal(got, []string{configDir}) {
		t.Errorf("remains %v, and gpuboot made it", got)
	}
}
