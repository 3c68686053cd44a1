package image

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// readDisk reads a folder or an archive. Both are a tree of files; what is in it says which kind of image it holds.
func readDisk(ctx context.Context, s source, arches []string) (Image, error) {
	info, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Image{}, fmt.Errorf("%w: %w", ErrNotFound, err)
	case err != nil:
		return Image{}, err
	}
	var tree fs.FS
	if info.IsDir() {
		root, err := os.OpenRoot(s.path) // links that lead out of the folder are not followed
		if err != nil {
			return Image{}, err
		}
		defer root.Close()
		tree = root.FS()
	} else {
		archive, err := openArchive(ctx, s.path)
		if err != nil {
			return Image{}, err
		}
		defer archive.Close()
		tree = archive
	}
	img, err := readTree(ctx, tree, s.name, arches)
	img.From = s.path
	return img, err
}

// readTree prefers the OCI layout: what "docker save" writes today has both.
func readTree(ctx context.Context, tree fs.FS, name string, arches []string) (Image, error) {
	raw, err := readFile(tree, "index.json", mostManifest)
	if err == nil {
		return readLayout(ctx, tree, raw, name, arches)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return Image{}, err
	}
	raw, err = readFile(tree, "manifest.json", mostManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return Image{}, fmt.Errorf("neither index.json nor manifest.json is in it: %w", ErrNotImage)
	}
	if err != nil {
		return Image{}, err
	}
	return readDockerArchive(tree, raw, name, arches)
}

// readFile reads a file of a tree that is not larger than it may be.
func readFile(tree fs.FS, name string, most int64) ([]byte, error) {
	f, err := tree.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%s has more than the %s that are read: %w", name, humanSize(most), ErrNotImage)
	}
	return data, nil
}

// readBlob reads a blob of an OCI layout and checks its digest.
func readBlob(tree fs.FS, d v1.Hash, most int64) ([]byte, error) {
	data, err := readFile(tree, "blobs/"+d.Algorithm+"/"+d.Hex, most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	if err != nil {
		return nil, err
	}
	if got, _, err := v1.SHA256(bytes.NewReader(data)); err != nil || got != d {
		return nil, fmt.Errorf("the blob %s has the digest %s", d, got)
	}
	return data, nil
}

// mediaTypeOf reads the type that a manifest or index gives itself; older ones give none.
func mediaTypeOf(raw []byte) string {
	var m struct {
		MediaType string `json:"mediaType"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return ""
	}
	return m.MediaType
}
