package image

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// wood is a set of nodes by digest, without any place that they come from.
type wood map[v1.Hash]node

func (w wood) get(_ context.Context, d v1.Hash) (node, error) {
	n, ok := w[d]
	if !ok {
		return node{}, ErrNotFound
	}
	return n, nil
}

func hash(s string) v1.Hash { return v1.Hash{Algorithm: "sha256", Hex: strings.Repeat(s, 64)} }

func index(t *testing.T, entries ...v1.Descriptor) node {
	t.Helper()
	raw, err := json.Marshal(v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex, Manifests: entries})
	must(t, err)
	return node{raw: raw, typ: types.OCIImageIndex}
}

func leaf(t *testing.T, config string) node {
	t.Helper()
	raw, err := json.Marshal(v1.Manifest{Config: v1.Descriptor{MediaType: types.OCIConfigJSON, Digest: hash("f")},
		Layers: []v1.Descriptor{{Size: -5, Digest: hash("0")}, {Size: 7, Digest: hash("1")}}})
	must(t, err)
	return node{raw: raw, typ: types.OCIManifestSchema1, config: func(*v1.Manifest) ([]byte, error) { return []byte(config), nil }}
}

func entryOf(d v1.Hash, typ types.MediaType, platform string) v1.Descriptor {
	e := v1.Descriptor{MediaType: typ, Digest: d}
	if os, arch, ok := strings.Cut(platform, "/"); ok {
		e.Platform = &v1.Platform{OS: os, Architecture: arch}
	}
	return e
}

func TestWalk(t *testing.T) {
	t.Parallel()
	const arm, old = `{"os":"linux","architecture":"arm64","variant":"v8"}`, `{}`
	trees := wood{
		hash("a"): leaf(t, arm), hash("b"): leaf(t, old), hash("c"): index(t, entryOf(hash("a"), types.OCIManifestSchema1, "")),
		hash("d"): index(t, entryOf(hash("d"), types.OCIImageIndex, "")), // leads to itself
	}
	manifest := types.OCIManifestSchema1
	for _, c := range []struct {
		title               string
		root                node
		arches              []string
		platforms, variants string
		err                 error
	}{
		{"nested, platform in the configuration", index(t, entryOf(hash("c"), types.OCIImageIndex, "")), nil, "linux/arm64/v8", "arm64", nil},
		{"an old configuration", index(t, entryOf(hash("b"), manifest, "linux/amd64")), nil, "linux/amd64", "amd64", nil},
		{"the first of two for one architecture", index(t, entryOf(hash("b"), manifest, "linux/amd64"), entryOf(hash("a"), manifest, "linux/amd64")),
			[]string{"amd64"}, "linux/amd64", "amd64", nil},
		{"Windows is no choice", index(t, entryOf(hash("a"), manifest, "windows/amd64")), nil, "", "", nil},
		{"neither is something else", index(t, entryOf(hash("a"), "application/vnd.example", "linux/amd64")), nil, "", "", nil},
		{"a Windows image", leaf(t, `{"os":"windows","architecture":"amd64"}`), nil, "", "", nil},
		{"an index without end", index(t, entryOf(hash("d"), types.OCIImageIndex, "")), nil, "", "", ErrNotImage},
		{"something is missing", index(t, entryOf(hash("e"), manifest, "linux/amd64")), nil, "linux/amd64", "", ErrNotFound},
		{"schema 1", node{raw: []byte(`{}`), typ: types.DockerManifestSchema1Signed}, nil, "", "", ErrNotImage},
	} {
		img, err := collect(t.Context(), c.root, trees.get, c.arches)
		var arches []string
		for _, v := range img.Variants {
			arches = append(arches, v.Arch)
			if v.Compressed != 7 {
				t.Errorf("%s: %d bytes", c.title, v.Compressed)
			}
		}
		if !errors.Is(err, c.err) || strings.Join(img.Platforms, " ") != c.platforms || strings.Join(arches, " ") != c.variants {
			t.Errorf("%s: %q, %q, %v", c.title, img.Platforms, arches, err)
		}
	}
	for _, raw := range []string{"", "[]", "{"} {
		for _, typ := range []types.MediaType{types.OCIImageIndex, types.OCIManifestSchema1} {
			if _, err := collect(t.Context(), node{raw: []byte(raw), typ: typ}, trees.get, nil); err == nil {
				t.Errorf("%q as %s was read", raw, typ)
			}
		}
	}
	if _, err := collect(t.Context(), leaf(t, "no json"), trees.get, nil); err == nil {
		t.Error("a broken configuration was read")
	}
}

// Whatever a folder says, reading it ends, and what was read can be judged.
func FuzzReadTree(f *testing.F) {
	f.Add(`{"manifests":[]}`, `[{"Config":"config.json","Layers":["x"]}]`, `{"architecture":"amd64","config":{"Env":["CUDA_VERSION=12.4"]}}`)
	f.Add("", `[{"Config":"config.json"}]`, `{"os":"linux","architecture":"arm64","history":[{"created_by":"pip install +cu128"}]}`)
	f.Add(`{"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:x","size":1}]}`, "", "")
	h := Host{Arch: "amd64", Driver: "570.124.06", GPUs: []GPU{{Product: "B200"}, {}}}
	f.Fuzz(func(t *testing.T, index, manifest, config string) {
		tree := fstest.MapFS{"config.json": {Data: []byte(config)}}
		for name, data := range map[string]string{"index.json": index, "manifest.json": manifest} {
			if data != "" {
				tree[name] = &fstest.MapFile{Data: []byte(data)}
			}
		}
		img, err := readTree(t.Context(), tree, "", nil)
		if err != nil {
			return
		}
		if r := Evaluate(img, h); r.Reason == "" || !slices.Contains([]Verdict{OK, Warn, Unknown, Fail}, r.Verdict) {
			t.Errorf("%+v", r)
		}
	})
}
