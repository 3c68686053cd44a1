package image

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
)

func TestMirrors(t *testing.T) {
	t.Parallel()
	upstream, mirror := newShelf(t, nil), newShelf(t, nil)
	img := made(t, "amd64", "CUDA_VERSION=12.8.1")
	upstream.put(t, "team/image:1", img)
	upstream.put(t, "team/only-here:1", img)
	mirror.put(t, "team/image:1", img)
	mirror.put(t, "cache/image:1", img)
	for _, c := range []struct {
		title   string
		image   string
		mirrors []Mirror
		from    *shelf // nil: an error
		asked   string // a request that the mirror saw
	}{
		{"the mirror first", "team/image:1", []Mirror{{Registry: upstream.host, Endpoints: []string{"http://" + mirror.host}}}, mirror,
			"GET /v2/team/image/manifests/1?ns="},
		{"with /v2", "team/image:1", []Mirror{{Registry: upstream.host, Endpoints: []string{"http://" + mirror.host + "/v2/"}}}, mirror,
			"GET /v2/team/image/manifests/1?ns="},
		{"the registry where the mirror has nothing", "team/only-here:1",
			[]Mirror{{Registry: upstream.host, Endpoints: []string{"http://" + mirror.host}}}, upstream, "GET /v2/team/only-here/manifests/1?ns="},
		{"unless only the mirror may be asked", "team/only-here:1",
			[]Mirror{{Registry: upstream.host, Endpoints: []string{"http://" + mirror.host}, Only: true}}, nil, ""},
		{"rewritten", "team/image:1", []Mirror{{Registry: "*", Endpoints: []string{mirror.host},
			Rewrites: []Rewrite{{"^none/", "x/"}, {"^team/(.*)", "cache/$1"}}}}, mirror, "GET /v2/cache/image/manifests/1?ns="},
		{"another registry's", "team/image:1", []Mirror{{Registry: "ghcr.io", Endpoints: []string{"http://" + mirror.host}}}, upstream, ""},
		{"its own before any", "team/image:1", []Mirror{{Registry: "*", Endpoints: []string{"http://127.0.0.1:1"}},
			{Registry: upstream.host, Endpoints: []string{"http://" + mirror.host}}}, mirror, ""},
	} {
		mirror.reset()
		read, err := Reader{Keychain: anonymous{}, Mirrors: c.mirrors}.Read(t.Context(), upstream.host+"/"+c.image)
		if c.from == nil {
			if !errors.Is(err, ErrNotFound) {
				t.Errorf("%s: %+v, %v", c.title, read, err)
			}
			continue
		}
		if err != nil || read.From != c.from.host || len(read.Variants) != 1 {
			t.Errorf("%s: from %s, %v", c.title, read.From, err)
		}
		if _, seen := mirror.counted(); !strings.Contains(seen, c.asked) {
			t.Errorf("%s: %s, not %s", c.title, seen, c.asked)
		}
	}
}

// A mirror below a path, such as https://artifacts.example/api/docker/remote, has no /v2 of its own in front.
func TestMirrorBelowAPath(t *testing.T) {
	t.Parallel()
	s := newShelf(t, func(w http.ResponseWriter, r *http.Request) bool {
		rest, ok := strings.CutPrefix(r.URL.Path, "/api/remote/")
		if ok {
			r.URL.Path = "/v2/" + rest
		}
		return false
	})
	s.put(t, "library/image:1", made(t, "amd64"))
	read, err := Reader{Keychain: anonymous{}, Mirrors: []Mirror{
		{Registry: "docker.io", Endpoints: []string{"http://" + s.host + "/api/remote"}, Only: true},
	}}.Read(t.Context(), "image:1")
	_, seen := s.counted()
	if err != nil || len(read.Variants) != 1 || !strings.Contains(seen, "GET /api/remote/library/image/manifests/1?ns=docker.io") {
		t.Errorf("%+v, %v\n%s", read, err, seen)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	ref, err := name.ParseReference("nvcr.io/nvidia/cuda@sha256:" + strings.Repeat("0", 64))
	must(t, err)
	all, err := places([]Mirror{{Registry: "nvcr.io", Endpoints: []string{"mirror.example", "http://10.0.0.1:5000/v2"}}}, ref)
	if err != nil || len(all) != 3 {
		t.Fatalf("%+v, %v", all, err)
	}
	for i, want := range []string{"https mirror.example/nvidia/cuda@sha256:00", "http 10.0.0.1:5000/nvidia/cuda@sha256:00", "https nvcr.io/nvidia/cuda@sha256:00"} {
		if got := all[i].ref.Context().Scheme() + " " + all[i].ref.Name(); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	for _, bad := range []Mirror{
		{Registry: "nvcr.io", Endpoints: []string{"ftp://x"}}, {Registry: "nvcr.io", Endpoints: []string{"http://"}},
		{Registry: "nvcr.io", Endpoints: []string{"https://x y"}},
		{Registry: "nvcr.io", Endpoints: []string{"https://x"}, Rewrites: []Rewrite{{"(", ""}}},
	} {
		if all, err := places([]Mirror{bad}, ref); err == nil || !strings.Contains(err.Error(), "mirror") {
			t.Errorf("%+v: %+v, %v", bad, all, err)
		}
	}
}
