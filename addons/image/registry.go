package image

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// fromRegistry reads from the first place that has the image.
func (r Reader) fromRegistry(ctx context.Context, s source, arches []string) (Image, error) {
	ref, err := name.ParseReference(s.path)
	if err != nil {
		return Image{}, fmt.Errorf("reading the image's name: %w", err)
	}
	all, err := places(r.Mirrors, ref)
	if err != nil {
		return Image{}, err
	}
	failed := &ReadError{Reference: s.path}
	for _, place := range all {
		img, err := r.ask(ctx, place, arches)
		if err == nil {
			img.From = place.label
			return img, nil
		}
		if ctx.Err() != nil {
			err = fmt.Errorf("%w: %w", context.Cause(ctx), err)
		}
		failed.Attempts = append(failed.Attempts, Attempt{place.label, err})
		if ctx.Err() != nil {
			break
		}
	}
	return Image{}, failed
}

// ask reads from one place.
func (r Reader) ask(ctx context.Context, place endpoint, arches []string) (Image, error) {
	transport := r.Transport
	if transport == nil {
		transport = remote.DefaultTransport
	}
	if place.transport != nil {
		transport = place.transport(transport)
	}
	keychain := r.Keychain
	if keychain == nil {
		keychain = authn.DefaultKeychain
	}
	puller, err := remote.NewPuller(remote.WithAuthFromKeychain(keychain), remote.WithTransport(transport), remote.WithUserAgent("gpuboot"))
	if err != nil {
		return Image{}, err
	}
	get := func(ctx context.Context, ref name.Reference) (node, error) {
		d, err := puller.Get(ctx, ref)
		if err != nil {
			return node{}, classify(err)
		}
		return remoteNode(d), nil
	}
	root, err := get(ctx, place.ref)
	if err != nil {
		return Image{}, err
	}
	return collect(ctx, root, func(ctx context.Context, d v1.Hash) (node, error) {
		return get(ctx, place.ref.Context().Digest(d.String()))
	}, arches)
}

func remoteNode(d *remote.Descriptor) node {
	typ := d.MediaType
	if !typ.IsIndex() && !typ.IsImage() { // a registry of plain files does not know
		typ = types.MediaType(mediaTypeOf(d.Manifest))
	}
	return node{raw: d.Manifest, typ: typ, digest: d.Digest.String(), config: func(*v1.Manifest) ([]byte, error) {
		img, err := d.Image()
		if err != nil {
			return nil, err
		}
		raw, err := img.RawConfigFile()
		return raw, classify(err)
	}}
}

var _ http.RoundTripper = mirrored{}
