package image

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// readLayout reads an OCI layout from its index.json.
func readLayout(ctx context.Context, tree fs.FS, raw []byte, name string, arches []string) (Image, error) {
	index, err := v1.ParseIndexManifest(bytes.NewReader(raw))
	if err != nil {
		return Image{}, fmt.Errorf("parsing index.json: %w", err)
	}
	entries, err := choose(index.Manifests, name)
	if err != nil {
		return Image{}, err
	}
	get := func(_ context.Context, d v1.Hash) (node, error) {
		n, err := layoutNode(tree, d)
		if errors.Is(err, ErrNotFound) {
			return node{absent: true}, nil
		}
		return n, err
	}
	if len(entries) > 1 { // one image, with its platforms side by side in index.json
		return collect(ctx, node{raw: raw, typ: types.OCIImageIndex}, get, arches)
	}
	root, err := layoutNode(tree, entries[0].Digest)
	if err != nil {
		return Image{}, err
	}
	if root.typ == "" {
		root.typ = entries[0].MediaType
	}
	return collect(ctx, root, get, arches)
}

// choose finds the entries that are the image: those of a name, or all if they are one image's platforms.
func choose(all []v1.Descriptor, name string) ([]v1.Descriptor, error) {
	var entries []v1.Descriptor
	var names, platforms []string
	for _, d := range all {
		if d.Annotations["vnd.docker.reference.type"] != "" || !d.MediaType.IsIndex() && !d.MediaType.IsImage() {
			continue
		}
		short, full := d.Annotations["org.opencontainers.image.ref.name"], d.Annotations["io.containerd.image.name"]
		if name != "" && short != name && full != name && !strings.HasSuffix(full, "/"+name) {
			names = append(names, firstOf(full, short))
			continue
		}
		entries = append(entries, d)
		names = append(names, firstOf(full, short))
		if d.Platform != nil && d.Platform.OS != "" && !slices.Contains(platforms, d.Platform.String()) {
			platforms = append(platforms, d.Platform.String())
		}
	}
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	switch {
	case len(entries) == 0 && name == "":
		return nil, fmt.Errorf("index.json lists no image: %w", ErrNotFound)
	case len(entries) == 0:
		return nil, fmt.Errorf("%w with the name %q among %q", ErrNotFound, name, names)
	case len(entries) > 1 && name == "" && len(platforms) < len(entries):
		return nil, fmt.Errorf("%w of %q", ErrAmbiguous, names)
	case len(entries) > 1 && name != "":
		return entries[:1], nil
	}
	return entries, nil
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func layoutNode(tree fs.FS, d v1.Hash) (node, error) {
	raw, err := readBlob(tree, d, mostManifest)
	if err != nil {
		return node{}, err
	}
	return node{raw: raw, typ: types.MediaType(mediaTypeOf(raw)), digest: d.String(), config: func(m *v1.Manifest) ([]byte, error) {
		return readBlob(tree, m.Config.Digest, mostConfig)
	}}, nil
}
