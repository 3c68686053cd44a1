package image

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// anonymous keeps the tests away from the credentials of whoever runs them.
type anonymous struct{}

func (anonymous) Resolve(authn.Resource) (authn.Authenticator, error) { return authn.Anonymous, nil }

// The promise of check-image: the index, and for each platform one manifest and one configuration. Never a layer.
func TestReadAsksForAsLittleAsPossible(t *testing.T) {
	t.Parallel()
	s := newShelf(t, nil)
	s.put(t, "one/platform:1", made(t, "amd64", "CUDA_VERSION=12.8.1"))
	s.put(t, "many/platforms:1", madeIndex(t, "amd64", "arm64", "ppc64le"))
	for _, c := range []struct {
		repository string
		arches     []string
		want       counts
		variants   []string
	}{
		{"one/platform:1", []string{"amd64"}, counts{Manifests: 1, Configs: 1}, []string{"linux/amd64"}},
		{"one/platform:1", []string{"arm64"}, counts{Manifests: 1, Configs: 1}, nil},
		{"many/platforms:1", []string{"amd64"}, counts{Manifests: 2, Configs: 1}, []string{"linux/amd64"}},
		{"many/platforms:1", []string{"arm64", "amd64"}, counts{Manifests: 3, Configs: 2}, []string{"linux/amd64", "linux/arm64"}},
		{"many/platforms:1", []string{"riscv64"}, counts{Manifests: 1}, nil},
		{"many/platforms:1", nil, counts{Manifests: 4, Configs: 3}, []string{"linux/amd64", "linux/arm64", "linux/ppc64le"}},
	} {
		s.reset()
		img, err := Reader{Keychain: anonymous{}}.Read(t.Context(), s.host+"/"+c.repository, c.arches...)
		if err != nil {
			t.Fatal(err)
		}
		var variants []string
		for _, v := range img.Variants {
			variants = append(variants, v.Platform)
			if v.Layers != 3 || v.Compressed == 0 || v.Unpacked != 0 || !strings.HasPrefix(v.Digest, "sha256:") {
				t.Errorf("%+v", v)
			}
		}
		if got, seen := s.counted(); got != c.want || !slices.Equal(variants, c.variants) {
			t.Errorf("%s for %q: %+v, want %+v; %q, want %q\n%s", c.repository, c.arches, got, c.want, variants, c.variants, seen)
		}
	}
}

func TestReadTellsWhatTheImageSays(t *testing.T) {
	t.Parallel()
	s := newShelf(t, nil)
	s.put(t, "many/platforms:1", madeIndex(t, "amd64", "arm64"))
	img, err := Reader{Keychain: anonymous{}}.Read(t.Context(), "docker://"+s.host+"/many/platforms:1", "arm64")
	if err != nil {
		t.Fatal(err)
	}
	if img.From != s.host || !slices.Equal(img.Platforms, []string{"linux/amd64", "linux/arm64"}) || !strings.HasPrefix(img.Digest, "sha256:") {
		t.Errorf("%+v", img)
	}
	v, ok := img.For("arm64")
	if !ok || !slices.Contains(v.Env, "FOR=arm64") || v.Labels["com.nvidia.cuda.version"] != "12.6.3" || !strings.Contains(v.Says().Compat, "history") {
		t.Errorf("%+v", v)
	}
	byDigest, err := Reader{Keychain: anonymous{}}.Read(t.Context(), s.host+"/many/platforms@"+v.Digest)
	if err != nil || len(byDigest.Variants) != 1 || byDigest.Digest != v.Digest {
		t.Errorf("%+v, %v", byDigest, err)
	}
}

type basic struct{ user, password string }

func (b basic) Resolve(authn.Resource) (authn.Authenticator, error) {
	return authn.FromConfig(authn.AuthConfig{Username: b.user, Password: b.password}), nil
}

func TestReadWithCredentials(t *testing.T) {
	t.Parallel()
	locked := false
	s := newShelf(t, func(w http.ResponseWriter, r *http.Request) bool {
		user, password, _ := r.BasicAuth()
		if !locked || user == "me" && password == "secret" {
			return false
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		http.Error(w, "who are you?", http.StatusUnauthorized)
		return true
	})
	s.put(t, "private/image:1", made(t, "amd64"))
	locked = true
	if _, err := (Reader{Keychain: basic{"me", "secret"}}).Read(t.Context(), s.host+"/private/image:1"); err != nil {
		t.Error(err)
	}
	_, err := Reader{Keychain: basic{"me", "wrong-password"}}.Read(t.Context(), s.host+"/private/image:1")
	var failed *ReadError
	if !errors.As(err, &failed) || !errors.Is(err, ErrDenied) || failed.Hint() != "docker login "+s.host {
		t.Errorf("%v, hint %q", err, failed.Hint())
	}
	if strings.Contains(err.Error(), "wrong-password") {
		t.Error(err)
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	s := newShelf(t, nil)
	chart := mutate.ConfigMediaType(made(t, "amd64"), "application/vnd.cncf.helm.config.v1+json")
	s.put(t, "a/chart:1", chart)
	for ref, want := range map[string]error{s.host + "/no/image:1": ErrNotFound, s.host + "/a/chart:1": ErrNotImage} {
		_, err := Reader{Keychain: anonymous{}}.Read(t.Context(), ref)
		var failed *ReadError
		if !errors.Is(err, want) || !errors.As(err, &failed) || failed.Hint() != "" {
			t.Errorf("%s: %v, want %v", ref, err, want)
		}
	}
	for _, ref := range []string{"", "UPPER/case", "a b", "docker://"} {
		if _, err := (Reader{}).Read(t.Context(), ref); err == nil {
			t.Errorf("%q was read", ref)
		}
	}
}

func TestReadEndsInTime(t *testing.T) {
	t.Parallel()
	s := newShelf(t, func(_ http.ResponseWriter, r *http.Request) bool {
		<-r.Context().Done()
		return true
	})
	_, err := Reader{Keychain: anonymous{}, Timeout: 20 * time.Millisecond}.Read(t.Context(), s.host+"/slow/image:1")
	if err == nil || !strings.Contains(err.Error(), "no answer within 20ms") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Reader{Keychain: anonymous{}}).Read(ctx, s.host+"/slow/image:1"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A configuration that claims to be huge is not fetched.
func TestReadRefusesAHugeConfiguration(t *testing.T) {
	t.Parallel()
	img := &Image{}
	raw := []byte(`{"schemaVersion":2,"config":{"mediaType":"` + string(types.OCIConfigJSON) + `","size":99999999,"digest":"sha256:` +
		strings.Repeat("0", 64) + `"},"layers":[]}`)
	err := img.read(node{raw: raw, typ: types.OCIManifestSchema1, config: func(*v1.Manifest) ([]byte, error) {
		t.Error("fetched")
		return nil, nil
	}}, nil, nil)
	if !errors.Is(err, ErrNotImage) {
		t.Error(err)
	}
}

func TestSizesOfUnpackedLayers(t *testing.T) {
	t.Parallel()
	s := newShelf(t, nil)
	img, err := mutate.Append(made(t, "amd64"), mutate.Addendum{Layer: static.NewLayer([]byte("0123456789"), types.OCIUncompressedLayer)})
	must(t, err)
	s.put(t, "un/packed:1", img)
	read, err := Reader{Keychain: anonymous{}}.Read(t.Context(), s.host+"/un/packed:1")
	if err != nil || read.Variants[0].Unpacked != 10 || read.Variants[0].Compressed == 0 || read.Variants[0].Layers != 4 {
		t.Errorf("%+v, %v", read, err)
	}
}
