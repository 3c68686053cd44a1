package image

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func (i *Image) walk(ctx context.Context, n node, get fetch, arches []string, depth int) error {
	if !n.typ.IsIndex() {
		return i.read(n, nil, arches)
	}
	if depth == 0 {
		return fmt.Errorf("an index is nested too deep: %w", ErrNotImage)
	}
	index, err := v1.ParseIndexManifest(bytes.NewReader(n.raw))
	if err != nil {
		return fmt.Errorf("parsing the index: %w", err)
	}
	for _, d := range index.Manifests {
		if !i.follow(d, arches) {
			continue
		}
		child, err := get(ctx, d.Digest)
		if err != nil {
			return err
		}
		if child.absent {
			i.drops(d.Platform)
			continue
		}
		if child.typ == "" {
			child.typ = d.MediaType
		}
		if child.typ.IsIndex() {
			err = i.walk(ctx, child, get, arches, depth-1)
		} else {
			err = i.read(child, d.Platform, arches)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// follow notes the platform of an entry of an index and says whether the entry has to be read. An entry without a platform
// has to be, to learn it.
func (i *Image) follow(d v1.Descriptor, arches []string) bool {
	if d.Annotations["vnd.docker.reference.type"] != "" || !d.MediaType.IsIndex() && !d.MediaType.IsImage() {
		return false // an attestation, a signature
	}
	p := d.Platform
	if p == nil || p.OS == "" {
		return true
	}
	if p.OS != "linux" || p.Architecture == "unknown" {
		return false
	}
	i.lists(p.String())
	return i.wanted(p.Architecture, arches)
}

// read takes one manifest and its configuration.
func (i *Image) read(n node, platform *v1.Platform, arches []string) error {
	if n.typ == types.DockerManifestSchema1 || n.typ == types.DockerManifestSchema1Signed {
		return fmt.Errorf("a manifest of Docker's schema 1, which no container runtime reads any more: %w", ErrNotImage)
	}
	m, err := v1.ParseManifest(bytes.NewReader(n.raw))
	if err != nil {
		return fmt.Errorf("parsing the manifest: %w", err)
	}
	switch m.Config.MediaType {
	case types.DockerConfigJSON, types.OCIConfigJSON, "":
	default:
		return fmt.Errorf("it is a %q: %w", m.Config.MediaType, ErrNotImage)
	}
	if m.Config.Size > mostConfig {
		return fmt.Errorf("its configuration has %s, more than the %s that are read: %w",
			humanSize(m.Config.Size), humanSize(mostConfig), ErrNotImage)
	}
	raw, err := n.config(m)
	if err != nil {
		return fmt.Errorf("reading the configuration: %w", err)
	}
	v, err := parseConfig(raw, platform)
	if err != nil {
		return err
	}
	v.Digest, v.Layers = n.digest, len(m.Layers)
	for _, layer := range m.Layers {
		v.count(layer)
	}
	i.take(v, arches)
	return nil
}

// take adds a variant if its architecture is wanted.
func (i *Image) take(v Variant, arches []string) {
	if !strings.HasPrefix(v.Platform, "linux/") {
		return
	}
	i.lists(v.Platform)
	if i.wanted(v.Arch, arches) {
		i.Variants = append(i.Variants, v)
	}
}

// count adds a layer's size to the right sum.
func (v *Variant) count(layer v1.Descriptor) {
	switch layer.MediaType {
	case types.OCIUncompressedLayer, types.OCIUncompressedRestrictedLayer, types.DockerUncompressedLayer:
		v.Unpacked += max(0, layer.Size)
	default:
		v.Compressed += max(0, layer.Size)
	}
}

// parseConfig reads a configuration. platform is what an index says of it, for old images whose configuration does not.
func parseConfig(raw []byte, platform *v1.Platform) (Variant, error) {
	c, err := v1.ParseConfigFile(bytes.NewReader(raw))
	if err != nil {
		return Variant{}, fmt.Errorf("parsing the configuration: %w", err)
	}
	p := v1.Platform{OS: c.OS, Architecture: c.Architecture, Variant: c.Variant}
	if p.Architecture == "" && platform != nil {
		p = *platform
	}
	if p.OS == "" {
		p.OS = "linux"
	}
	v := Variant{Platform: p.String(), Arch: p.Architecture, Env: c.Config.Env, Labels: c.Config.Labels}
	for _, h := range c.History {
		v.History = append(v.History, h.CreatedBy)
	}
	return v, nil
}
