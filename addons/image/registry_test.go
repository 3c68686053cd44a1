package image

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// shelf is a registry in memory that counts what is asked of it.
type shelf struct {
	host    string
	configs map[string]bool // digests

	mu    sync.Mutex
	count counts
	seen  []string // requests, "GET /v2/…?…"
}

type counts struct{ Manifests, Configs, Layers, Others int }

// newShelf starts a registry. guard, if there is one, sees each request first and says whether it answered it.
func newShelf(t *testing.T, guard func(http.ResponseWriter, *http.Request) bool) *shelf {
	t.Helper()
	s := &shelf{configs: map[string]bool{}}
	inner := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.note(r)
		if guard == nil || !guard(w, r) {
			inner.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	s.host = strings.TrimPrefix(server.URL, "http://")
	return s
}

func (s *shelf) note(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = append(s.seen, r.Method+" "+r.URL.RequestURI())
	switch {
	case strings.Contains(r.URL.Path, "/manifests/"):
		s.count.Manifests++
	case strings.Contains(r.URL.Path, "/blobs/"):
		if s.configs[r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]] {
			s.count.Configs++
		} else {
			s.count.Layers++
		}
	case r.URL.Path != "/v2/": // which asks for the protocol only
		s.count.Others++
	}
}

// reset forgets the requests so far, those that filled the registry.
func (s *shelf) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count, s.seen = counts{}, nil
}

func (s *shelf) counted() (counts, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count, strings.Join(s.seen, "\n")
}

// put stores an image or index under a name, and learns which blobs are configurations.
func (s *shelf) put(t *testing.T, repository string, what remote.Taggable) {
	t.Helper()
	ref, err := name.ParseReference(s.host + "/" + repository)
	must(t, err)
	switch x := what.(type) {
	case v1.Image:
		s.learn(t, x)
		must(t, remote.Write(ref, x))
	case v1.ImageIndex:
		index, err := x.IndexManifest()
		must(t, err)
		for _, d := range index.Manifests {
			if child, err := x.Image(d.Digest); err == nil {
				s.learn(t, child)
			}
		}
		must(t, remote.WriteIndex(ref, x))
	}
	s.reset()
}

func (s *shelf) learn(t *testing.T, img v1.Image) {
	t.Helper()
	digest, err := img.ConfigName()
	must(t, err)
	s.configs[digest.String()] = true
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// made is an image of three layers for one architecture.
func made(t *testing.T, arch string, env ...string) v1.Image {
	t.Helper()
	img, err := random.Image(512, 3)
	must(t, err)
	c, err := img.ConfigFile()
	must(t, err)
	c = c.DeepCopy()
	c.OS, c.Architecture, c.Config.Env = "linux", arch, env
	c.Config.Labels = map[string]string{"com.nvidia.cuda.version": "12.6.3"}
	c.History[0].CreatedBy = "RUN apt-get install cuda-compat-12-6"
	img, err = mutate.ConfigFile(img, c)
	must(t, err)
	return img
}

// madeIndex is an image for several architectures, with an attestation beside them as build tools add it.
func madeIndex(t *testing.T, arches ...string) v1.ImageIndex {
	t.Helper()
	index := v1.ImageIndex(empty.Index)
	for _, arch := range arches {
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: made(t, arch, "CUDA_VERSION=12.6.3", "FOR="+arch),
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: arch}}})
	}
	return mutate.AppendManifests(index, mutate.IndexAddendum{Add: made(t, "unknown"), Descriptor: v1.Descriptor{
		Platform:    &v1.Platform{OS: "unknown", Architecture: "unknown"},
		Annotations: map[string]string{"vnd.docker.reference.type": "attestation-manifest"},
	}})
}
