package release_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/bootstrap/release/releasetest"
)

// once lets the first request go wrong and serves the others.
func once(w *world, wrong http.HandlerFunc) http.HandlerFunc {
	var n atomic.Int32
	return func(rw http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			wrong(rw, r)
			return
		}
		w.server.Serve(rw, r)
	}
}

// half sends the first half of the file and then cuts the connection.
func half(w *world) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		data := w.server.Files["k3s"]
		rw.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = rw.Write(data[:len(data)/2])
		_ = http.NewResponseController(rw).Flush()
		panic(http.ErrAbortHandler)
	}
}

func TestACutDownloadContinuesWhereItStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, strings.Repeat("cut", 1000))
	w.server.Faults["k3s"] = once(w, half(w))
	if _, err := w.get(t); err != nil {
		t.Fatal(err)
	}
	resume := fmt.Sprintf("GET k3s bytes=%d-", len(w.server.Files["k3s"])/2)
	if got := w.server.Asks(); !slices.Equal(got, []string{"GET sha256sum-amd64.txt", "GET k3s", resume}) {
		t.Errorf("requests: %q", got)
	}
	if !slices.Equal(w.waits, []time.Duration{time.Second}) {
		t.Errorf("waits: %v", w.waits)
	}
}

func TestACutDownloadStartsAgainWhereTheServerKnowsNoRanges(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"ignores range": func(rw http.ResponseWriter, r *http.Request) {},
		"416": func(rw http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				rw.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
			}
		},
		"other place": func(rw http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Range") != "" {
				rw.Header().Set("Content-Range", "bytes 0-1/2")
				rw.WriteHeader(http.StatusPartialContent)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, strings.Repeat("cut", 1000))
			cut := half(w)
			var n atomic.Int32
			w.server.Faults["k3s"] = func(rw http.ResponseWriter, r *http.Request) {
				if n.Add(1) == 1 {
					cut(rw, r)
				}
				answer(rw, r)
				_, _ = rw.Write(w.server.Files["k3s"])
			}
			if _, err := w.get(t); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestTheNextRunContinuesACancelledDownload(t *testing.T) {
	t.Parallel()
	w := newWorld(t, strings.Repeat("stop", 1<<20))
	w.server.Faults["k3s"] = once(w, func(rw http.ResponseWriter, r *http.Request) {
		data := w.server.Files["k3s"]
		rw.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = rw.Write(data[:len(data)/2])
		_ = http.NewResponseController(rw).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	_, err := w.K3s(ctx, tag, "amd64", w.mirror, func(done, _ int64) {
		if done > 0 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	sum := releasetest.Sum(w.server.Files["k3s"])
	if got := w.tree(t); !slices.Equal(got, []string{"cache/sha256/" + sum + ".part"}) {
		t.Fatalf("left behind: %q", got)
	}
	if _, err := w.get(t); err != nil {
		t.Fatal(err)
	}
	if got := w.server.Asks(); !strings.HasPrefix(got[len(got)-1], "GET k3s bytes=") {
		t.Errorf("requests: %q", got)
	}
	if got := w.tree(t); !slices.Equal(got, []string{"cache/sha256/" + sum, "gpu.yaml.lock"}) {
		t.Errorf("left behind: %q", got)
	}
}

func TestARottenPartIsThrownAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "part")
	sum := releasetest.Sum(w.server.Files["k3s"])
	dir := filepath.Join(w.CacheDir, "sha256")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, rot := range map[string][]byte{sum + ".part": []byte("rot"), "old.tmp": nil} {
		if err := os.WriteFile(filepath.Join(dir, name), rot, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(dir, "old.tmp"), old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := w.get(t); err != nil {
		t.Fatal(err)
	}
	if got := w.tree(t); !slices.Equal(got, []string{"cache/sha256/" + sum, "gpu.yaml.lock"}) {
		t.Errorf("left behind: %q", got)
	}
}

func TestACancelledLeaderDoesNotFailTheOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "leader")
	asked := make(chan struct{})
	w.server.Faults["sha256sum-amd64.txt"] = once(w, func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	})
	leader, cancel := context.WithCancel(t.Context())
	led := make(chan error)
	go func() {
		_, err := w.K3s(leader, tag, "amd64", w.mirror, nil)
		led <- err
	}()
	<-asked
	followed := make(chan error)
	go func() {
		_, err := w.get(t)
		followed <- err
	}()
	cancel()
	if err := <-led; !errors.Is(err, context.Canceled) {
		t.Errorf("leader: %v", err)
	}
	if err := <-followed; err != nil {
		t.Errorf("follower: %v", err)
	}
}

func TestASilentServerIsCutAndAskedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "silent")
	w.Stall = time.Second // long enough for a busy machine, short enough to wait for
	w.server.Faults["k3s"] = once(w, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	if _, err := w.get(t); err != nil {
		t.Fatal(err)
	}
	if len(w.waits) == 0 {
		t.Errorf("waits: %v", w.waits)
	}
}

func TestRedirectsAreFollowedButNeverToAnOpenLine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "redirect")
	front := releasetest.NewServer(t, nil)
	move := func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, w.server.URL+r.URL.EscapedPath(), http.StatusFound)
	}
	front.Faults["k3s"], front.Faults["sha256sum-amd64.txt"] = move, move
	src := release.Source{Kind: release.Mirror, URL: front.URL}
	art, err := w.K3s(t.Context(), tag, "amd64", src, nil)
	if err != nil {
		t.Fatal(err)
	}
	if content, _ := os.ReadFile(art.Path); !bytes.Equal(content, w.server.Files["k3s"]) {
		t.Error("not the redirected file")
	}

	safe := releasetest.NewTLSServer(t, nil)
	safe.Faults["sha256sum-arm64.txt"] = move
	w.Client = safe.Client()
	src = release.Source{Kind: release.Mirror, URL: safe.URL}
	if _, err := w.K3s(t.Context(), tag, "arm64", src, nil); !errors.Is(err, release.ErrServer) {
		t.Errorf("got %v", err)
	}
}

func TestOpenNoticesAFileThatChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "open")
	art, err := w.get(t)
	if err != nil {
		t.Fatal(err)
	}
	if err := readAll(art); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(art.Path, []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := readAll(art); !errors.Is(err, release.ErrChecksum) {
		t.Errorf("got %v", err)
	}
}

func readAll(art release.Artefact) error {
	r, err := art.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = new(bytes.Buffer).ReadFrom(r)
	return err
}
