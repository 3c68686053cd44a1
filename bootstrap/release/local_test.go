package release_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/bootstrap/release/releasetest"
)

// file is the source that the inventory names with a path.
func file(t *testing.T, path string) release.Source {
	t.Helper()
	src, err := release.ParseSource(path)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestALocalFolderIsARelease(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	files := releasetest.Files("local")
	dir := releasetest.Folder(t, files)
	for arch, name := range map[string]string{"amd64": "k3s", "arm64": "k3s-arm64"} {
		var last [2]int64
		art, err := w.K3s(t.Context(), tag, arch, file(t, dir), func(done, total int64) { last = [2]int64{done, total} })
		if err != nil || last != [2]int64{art.Size, art.Size} {
			t.Fatalf("%v, progress %v", err, last)
		}
		want := release.Artefact{Name: name, Version: tag, Arch: arch, SHA256: releasetest.Sum(files[name]),
			Size: int64(len(files[name])), Path: filepath.Join(dir, name), Cached: true,
			Origin: "local file " + filepath.Join(dir, name) + ", checked against sha256sum-" + arch + ".txt"}
		if art != want {
			t.Errorf("got %+v\nwant %+v", art, want)
		}
	}
	if asks := w.server.Asks(); len(asks) > 0 {
		t.Errorf("requests: %q", asks)
	}
}

func TestAnOwnBuildVouchesForItselfAndSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	path := filepath.Join(t.TempDir(), "my-k3s")
	write(t, path, releasetest.Executable("amd64", "own build"))
	planned, err := w.Peek(t.Context(), tag, "amd64", file(t, path))
	if err != nil || planned.Path != "" || planned.Origin != "local file "+path+", no published list" {
		t.Errorf("%+v, %v", planned, err)
	}
	if files := w.tree(t); len(files) > 0 {
		t.Errorf("peek wrote %q", files)
	}
	if _, err := w.K3s(t.Context(), tag, "amd64", file(t, path), nil); err != nil {
		t.Error(err)
	}
	lock, _ := os.ReadFile(w.LockFile)
	if !strings.Contains(string(lock), "no published list") {
		t.Errorf("the lock hides it:\n%s", lock)
	}

	write(t, path, releasetest.Executable("amd64", "built again"))
	for name, ask := range map[string]func() error{
		"peek": func() error { _, err := w.Peek(t.Context(), tag, "amd64", file(t, path)); return err },
		"k3s":  func() error { _, err := w.K3s(t.Context(), tag, "amd64", file(t, path), nil); return err },
	} {
		if err := ask(); !errors.Is(err, release.ErrDigestChanged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestLocalFilesThatCannotBeRightAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		class error
		files map[string][]byte
	}{
		{"nothing there", release.ErrNotFound, nil},
		{"other architecture", release.ErrArch, map[string][]byte{"k3s": releasetest.Executable("arm64", "")}},
		{"archive", release.ErrSource, map[string][]byte{"k3s": []byte("\x1f\x8b\x08 this is no executable at all")}},
		{"cut short", release.ErrSource, map[string][]byte{"k3s": releasetest.Executable("amd64", "")[:20]}},
		{"list says otherwise", release.ErrChecksum, map[string][]byte{
			"k3s": releasetest.Executable("amd64", ""), "sha256sum-amd64.txt": []byte(strings.Repeat("0", 64) + "  k3s\n")}},
		{"list of another release", release.ErrChecksum, map[string][]byte{
			"k3s": releasetest.Executable("amd64", ""), "sha256sum-amd64.txt": []byte(strings.Repeat("0", 64) + "  other\n")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "")
			_, err := w.K3s(t.Context(), tag, "amd64", file(t, releasetest.Folder(t, c.files)), nil)
			if !errors.Is(err, c.class) {
				t.Errorf("got %v", err)
			}
			if files := w.tree(t); len(files) > 0 {
				t.Errorf("it wrote %q", files)
			}
		})
	}
}

func TestACancelledHashEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "")
	path := filepath.Join(t.TempDir(), "k3s")
	write(t, path, releasetest.Executable("amd64", strings.Repeat("x", 4<<20)))
	stop := errors.New("enough")
	ctx, cancel := contextWithCause(t)
	if _, err := w.K3s(ctx, tag, "amd64", file(t, path), func(int64, int64) { cancel(stop) }); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o755); err != nil {
		t.Fatal(err)
	}
}
