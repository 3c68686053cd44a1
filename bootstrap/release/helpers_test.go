package release_test

import (
	"context"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/bootstrap/release/releasetest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const tag = "v1.36.5+k3s1"

// world is a store with a fixed date, no real waiting, and a mirror to fetch from.
type world struct {
	*release.Store
	server *releasetest.Server
	mirror release.Source
	waits  []time.Duration
}

func newWorld(t *testing.T, payload string) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{server: releasetest.NewServer(t, releasetest.Files(payload))}
	w.Store = &release.Store{
		CacheDir: filepath.Join(dir, "cache"),
		LockFile: filepath.Join(dir, "gpu.yaml.lock"),
		Client:   w.server.Client(),
		Now:      func() time.Time { return time.Date(2026, 12, 1, 23, 0, 0, 0, time.UTC) },
		Wait: func(ctx context.Context, d time.Duration) error {
			w.waits = append(w.waits, d)
			return ctx.Err()
		},
	}
	var err error
	if w.mirror, err = release.ParseSource(w.server.URL); err != nil {
		t.Fatal(err)
	}
	return w
}

// get fetches the amd64 executable from the mirror.
func (w *world) get(t *testing.T) (release.Artefact, error) {
	t.Helper()
	return w.K3s(t.Context(), tag, "amd64", w.mirror, nil)
}

// tree lists all files under the store's folder.
func (w *world) tree(t *testing.T) []string {
	t.Helper()
	root := filepath.Dir(w.LockFile)
	var names []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(root, path)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// golden compares text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs (rewrite with -update)\n--- got\n%s--- want\n%s", path, got, want)
	}
}

// maskPorts makes the address of a loopback server the same on every run.
func maskPorts(text string) string {
	return regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(text, "127.0.0.1:PORT")
}

func contextWithCause(t *testing.T) (context.Context, context.CancelCauseFunc) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	t.Cleanup(func() { cancel(nil) })
	return ctx, cancel
}
