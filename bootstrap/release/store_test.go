package release_test

import (
	"bytes"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/bootstrap/release/releasetest"
)

func TestK3sFetchesOnceAndRecordsWhatItSaw(t *testing.T) {
	t.Parallel()
	w := newWorld(t, strings.Repeat("k3s", 1<<20))
	var steps [][2]int64
	art, err := w.K3s(t.Context(), tag, "arm64", w.mirror, func(done, total int64) { steps = append(steps, [2]int64{done, total}) })
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(art.Path)
	if err != nil || !bytes.Equal(content, w.server.Files["k3s-arm64"]) {
		t.Fatalf("the cached file differs from the served one (%v)", err)
	}
	size := int64(len(content))
	if first, last := steps[0], steps[len(steps)-1]; first != [2]int64{0, size} || last != [2]int64{size, size} || len(steps) < 4 {
		t.Errorf("progress: %v", steps)
	}
	if want := w.server.URL + "/v1.36.5%2Bk3s1/k3s-arm64"; art.Origin != want {
		t.Errorf("origin %q, want %q", art.Origin, want)
	}
	if info, _ := os.Stat(w.CacheDir); info.Mode().Perm() != 0o700 {
		t.Errorf("cache folder has mode %v", info.Mode())
	}
	lock, _ := os.ReadFile(w.LockFile)
	golden(t, "lock.json", strings.ReplaceAll(string(lock), w.server.URL, "http://127.0.0.1:PORT"))

	again, err := w.K3s(t.Context(), tag, "arm64", w.mirror, nil)
	if err != nil || !again.Cached || again.Path != art.Path {
		t.Errorf("second time: %+v, %v", again, err)
	}
	if got := w.server.Asks(); !slices.Equal(got, []string{"GET sha256sum-arm64.txt", "GET k3s-arm64"}) {
		t.Errorf("requests: %q", got)
	}
}

func TestK3sAsksForTheSameFileOnceWhenManyWantIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "many")
	hold := make(chan struct{})
	w.server.Faults["sha256sum-amd64.txt"] = func(rw http.ResponseWriter, r *http.Request) { <-hold; w.server.Serve(rw, r) }
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if _, err := w.get(t); err != nil {
				t.Error(err)
			}
		})
	}
	close(hold)
	group.Wait()
	got := w.server.Asks()
	slices.Sort(got)
	if !slices.Equal(got, []string{"GET k3s", "GET sha256sum-amd64.txt"}) {
		t.Errorf("requests: %q", got)
	}
}

func TestPeekWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "peek")
	want := w.server.Files["k3s"]
	sum, size, err := w.Digest(t.Context(), tag, "amd64", w.mirror)
	if err != nil || sum != releasetest.Sum(want) || size != int64(len(want)) {
		t.Errorf("%q %d %v", sum, size, err)
	}
	if files := w.tree(t); len(files) > 0 {
		t.Errorf("it wrote %q", files)
	}
	if got := w.server.Asks(); !slices.Equal(got, []string{"GET sha256sum-amd64.txt", "HEAD k3s"}) {
		t.Errorf("requests: %q", got)
	}
}

func TestPeekAsksNothingWhenTheLockKnows(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "known")
	if _, err := w.get(t); err != nil {
		t.Fatal(err)
	}
	before := len(w.server.Asks())
	art, err := w.Peek(t.Context(), tag, "amd64", w.mirror)
	if err != nil || art.Size != int64(len(w.server.Files["k3s"])) || art.Path != "" {
		t.Errorf("%+v, %v", art, err)
	}
	if got := w.server.Asks()[before:]; len(got) > 0 {
		t.Errorf("requests: %q", got)
	}
}

func TestPeekSizeIsUnknownWhenTheServerHidesIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "hidden")
	w.server.Faults["k3s"] = status(http.StatusMethodNotAllowed)
	art, err := w.Peek(t.Context(), tag, "amd64", w.mirror)
	if err != nil || art.Size != -1 {
		t.Errorf("%+v, %v", art, err)
	}
}

func TestADigestThatChangedStopsBeforeTheDownload(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "first")
	if _, err := w.get(t); err != nil {
		t.Fatal(err)
	}
	other := newWorld(t, "second")
	other.LockFile = w.LockFile
	_, err := other.get(t)
	if !errors.Is(err, release.ErrDigestChanged) {
		t.Fatalf("got %v", err)
	}
	var hinter interface{ Hint() string }
	if !errors.As(err, &hinter) {
		t.Fatal("no hint")
	}
	text := "error: " + err.Error() + "\nhint: " + hinter.Hint() + "\n"
	golden(t, "changed.txt", maskPorts(strings.ReplaceAll(text, filepath.Dir(w.LockFile), "DIR")))
	if got := other.server.Asks(); !slices.Equal(got, []string{"GET sha256sum-amd64.txt"}) {
		t.Errorf("requests: %q", got)
	}
}

func TestARottenCacheFileIsFetchedAnew(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "rotten")
	art, err := w.get(t)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(art.Path, []byte("bit rot"), 0o600); err != nil {
		t.Fatal(err)
	}
	if art, err = w.get(t); err != nil || art.Cached {
		t.Fatalf("%+v, %v", art, err)
	}
	if content, _ := os.ReadFile(art.Path); !bytes.Equal(content, w.server.Files["k3s"]) {
		t.Error("the cache still holds the rotten file")
	}
}

func TestWithoutALockFileNothingIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "no lock")
	lock := w.LockFile
	w.LockFile = ""
	if _, err := w.get(t); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(lock); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if left, _ := filepath.Glob("*.tmp"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
