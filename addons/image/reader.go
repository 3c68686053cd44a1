package image

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Reader reads what images say about themselves: their index, manifests and configurations, never a layer. The zero value
// asks the registry that an image's name says, with the user's own credentials.
type Reader struct {
	// Keychain gives credentials for a registry; nil is authn.DefaultKeychain: what "docker login" or "podman login" stored.
	Keychain authn.Keychain
	// Transport makes the connections; nil is go-containerregistry's default, which dials within five seconds.
	Transport http.RoundTripper
	// Mirrors are tried before the registries that they stand for.
	Mirrors []Mirror
	// Timeout bounds the reading of one image; 0 is one minute.
	Timeout time.Duration
}

const (
	defaultTimeout = time.Minute
	mostManifest   = 4 << 20 // bytes; an index or manifest is some kilobytes
	mostConfig     = 8 << 20 // bytes; a configuration with a long history is some hundred kilobytes
	mostNesting    = 3       // an index in an index in the index of a folder
)

// Read reads an image for some architectures (Go's names), or for all that it has if none are given. ref is
//
//	vllm/vllm-openai:v0.23.0            a registry's image, as container runtimes understand it; docker:// before it is ignored
//	oci:DIR[:NAME]                      a folder in OCI layout
//	oci-archive:FILE[:NAME]             an archive of such a folder
//	docker-archive:FILE[:NAME]          what "docker save" writes
//	./DIR, ../FILE, /DIR                the same by their content
//
// An architecture that the image does not have is no error: it is missing in Variants. The error of a registry's image is a
// *ReadError; ErrNotFound, ErrDenied, ErrNotImage, ErrPacked and ErrAmbiguous tell causes apart.
func (r Reader) Read(ctx context.Context, ref string, arches ...string) (Image, error) {
	timeout := r.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %v", timeout))
	defer cancel()
	s := parseSource(ref)
	var img Image
	var err error
	switch s.kind {
	case fromRegistry:
		img, err = r.fromRegistry(ctx, s, arches)
	case fromDisk:
		img, err = readDisk(ctx, s, arches)
		if err != nil {
			err = fmt.Errorf("reading the image %s: %w", s.path, err)
		}
	}
	img.Reference = ref
	return img, err
}

// node is an index or a manifest as it was read.
type node struct {
	raw    []byte
	typ    types.MediaType
	digest string
	// config reads the configuration that a manifest names; size and digest are checked by whoever made the node.
	config func(*v1.Manifest) ([]byte, error)
	// absent says that a folder lists it and does not have it: docker save leaves out the platforms that were never pulled.
	absent bool
}

// fetch reads an index or manifest by its digest.
type fetch func(ctx context.Context, d v1.Hash) (node, error)

// collect walks from an index or manifest to the configurations that are wanted.
func collect(ctx context.Context, root node, get fetch, arches []string) (Image, error) {
	img := Image{Digest: root.digest, Platforms: []string{}, Variants: []Variant{}}
	err := img.walk(ctx, root, get, arches, mostNesting)
	return img, err
}

// wanted says whether an architecture is wanted and still missing.
func (i *Image) wanted(arch string, arches []string) bool {
	_, have := i.For(arch)
	return !have && (len(arches) == 0 || slices.Contains(arches, arch))
}

// drops forgets a platform that turned out not to be there.
func (i *Image) drops(p *v1.Platform) {
	if p != nil {
		i.Platforms = slices.DeleteFunc(i.Platforms, func(s string) bool { return s == p.String() })
	}
}

// lists notes a platform once.
func (i *Image) lists(p string) {
	if !slices.Contains(i.Platforms, p) {
		i.Platforms = append(i.Platforms, p)
	}
}
