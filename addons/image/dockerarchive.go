package image

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// savedImage is an entry of manifest.json in what "docker save" wrote before it wrote OCI layouts.
type savedImage struct {
	Config   string
	RepoTags []string
	Layers   []string
}

// readDockerArchive reads such an archive. It holds one platform, and mostly unpacked layers.
func readDockerArchive(tree fs.FS, raw []byte, name string, arches []string) (Image, error) {
	var all []savedImage
	if err := json.Unmarshal(raw, &all); err != nil {
		return Image{}, fmt.Errorf("parsing manifest.json: %w", err)
	}
	saved, err := chooseSaved(all, name)
	if err != nil {
		return Image{}, err
	}
	config, err := readFile(tree, saved.Config, mostConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return Image{}, fmt.Errorf("its configuration is not in it: %w", ErrNotImage)
	}
	if err != nil {
		return Image{}, err
	}
	v, err := parseConfig(config, nil)
	if err != nil {
		return Image{}, err
	}
	v.Layers = len(saved.Layers)
	for _, layer := range saved.Layers {
		size, err := sizeOf(tree, layer)
		if err != nil {
			return Image{}, err
		}
		if strings.HasSuffix(layer, ".gz") {
			v.Compressed += size
		} else {
			v.Unpacked += size
		}
	}
	img := Image{Platforms: []string{}, Variants: []Variant{}}
	img.take(v, arches)
	return img, nil
}

func chooseSaved(all []savedImage, name string) (savedImage, error) {
	var tags []string
	for _, s := range all {
		tags = append(tags, s.RepoTags...)
		if name != "" && slices.ContainsFunc(s.RepoTags, func(tag string) bool { return tag == name || strings.HasSuffix(tag, "/"+name) }) {
			return s, nil
		}
	}
	switch {
	case name != "":
		return savedImage{}, fmt.Errorf("%w with the name %q among %q", ErrNotFound, name, tags)
	case len(all) == 0:
		return savedImage{}, fmt.Errorf("manifest.json lists no image: %w", ErrNotFound)
	case len(all) > 1:
		return savedImage{}, fmt.Errorf("%w of %q", ErrAmbiguous, tags)
	}
	return all[0], nil
}

// sizeOf looks at a file without reading it.
func sizeOf(tree fs.FS, name string) (int64, error) {
	f, err := tree.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("a layer is not in it: %w", ErrNotImage)
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
