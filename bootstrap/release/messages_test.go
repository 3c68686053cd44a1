package release_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/bootstrap/release/releasetest"
)

// trouble is one way for a fetch to fail, with the class that callers tell it by.
type trouble struct {
	name  string
	class error
	tries int // requests for the file that goes wrong; 0: not counted
	make  func(t *testing.T, w *world)
}

func troubles() []trouble {
	fault := func(file string, h http.HandlerFunc) func(*testing.T, *world) {
		return func(_ *testing.T, w *world) { w.server.Faults[file] = h }
	}
	text := func(body string) http.HandlerFunc {
		return func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, body) }
	}
	const list, file = "sha256sum-amd64.txt", "k3s"
	return []trouble{
		{"no such release", release.ErrNotFound, 1, fault(list, http.NotFound)},
		{"list without the file", release.ErrChecksum, 1, fault(list, text(strings.Repeat("a", 64)+"  k3s-arm64\n"))},
		{"list is a login page", release.ErrChecksum, 1, fault(list, text("<html>\n<body>Welcome</body>\n"))},
		{"empty list", release.ErrChecksum, 1, fault(list, text("\n"))},
		{"wrong content", release.ErrChecksum, 0, fault(file, text("something else"))},
		{"forbidden", release.ErrDenied, 0, fault(file, status(http.StatusForbidden))},
		{"server broken", release.ErrServer, 0, fault(file, status(http.StatusBadGateway))},
		{"teapot", release.ErrServer, 0, fault(file, status(http.StatusTeapot))},
		{"cut every time", release.ErrOffline, 0, func(_ *testing.T, w *world) { w.server.Faults[file] = cutAlways }},
		{"server gone", release.ErrOffline, 0, func(_ *testing.T, w *world) { w.server.Close() }},
		{"unknown certificate", release.ErrUntrusted, 0, func(t *testing.T, w *world) {
			safe := releasetest.NewTLSServer(t, w.server.Files)
			w.mirror = release.Source{Kind: release.Mirror, URL: safe.URL}
			w.Client = &http.Client{} // knows only the system's authorities
		}},
	}
}

func TestFailuresHaveAClassAndAStableText(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for _, trouble := range troubles() {
		w := newWorld(t, "the real file")
		trouble.make(t, w)
		_, err := w.get(t)
		if !errors.Is(err, trouble.class) {
			t.Errorf("%s: got %v", trouble.name, err)
			continue
		}
		if n := len(w.server.Asks()); trouble.tries > 0 && n != trouble.tries {
			t.Errorf("%s: %d requests, want %d", trouble.name, n, trouble.tries)
		}
		var hinter interface{ Hint() string }
		if !errors.As(err, &hinter) {
			t.Errorf("%s: no hint", trouble.name)
			continue
		}
		fmt.Fprintf(&all, "# %s\nerror: %v\nhint: %s\n\n", trouble.name, err, hinter.Hint())
		if files := w.tree(t); len(files) > 0 && !strings.HasSuffix(files[0], ".part") {
			t.Errorf("%s: left behind %q", trouble.name, files)
		}
	}
	golden(t, "messages.txt", maskPorts(all.String()))
}

// cutAlways sends three bytes of many and cuts the connection.
func cutAlways(rw http.ResponseWriter, _ *http.Request) {
	rw.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(rw, "k3s")
	_ = http.NewResponseController(rw).Flush()
	panic(http.ErrAbortHandler)
}

func TestOnlyTemporaryFailuresAreTriedAgain(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]int{502: 5, 429: 5, 408: 5, 403: 1, 404: 1, 418: 1} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "again")
			w.server.Faults["sha256sum-amd64.txt"] = status(code)
			_, err := w.get(t)
			if got := len(w.server.Asks()); got != want || err == nil {
				t.Errorf("%d requests, want %d (%v)", got, want, err)
			}
		})
	}
}

func TestACancelledWaitEndsTheFetch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "bye")
	w.server.Faults["sha256sum-amd64.txt"] = status(http.StatusBadGateway)
	stop := errors.New("enough")
	w.Wait = nil
	ctx, cancel := contextWithCause(t)
	w.server.Faults["sha256sum-amd64.txt"] = func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(http.StatusBadGateway)
		cancel(stop)
	}
	if _, err := w.K3s(ctx, tag, "amd64", w.mirror, nil); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}
