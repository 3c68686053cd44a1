package image

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

// folder writes an OCI layout and takes the layers out of it again: nothing may miss them.
func folder(t *testing.T, write func(layout.Path)) string {
	t.Helper()
	dir := t.TempDir()
	path, err := layout.Write(dir, empty.Index)
	must(t, err)
	write(path)
	must(t, filepath.WalkDir(filepath.Join(dir, "blobs"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err == nil && !bytes.HasPrefix(data, []byte("{")) {
			err = os.Remove(name)
		}
		return err
	}))
	return dir
}

// pack makes an archive of a folder.
func pack(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "image.tar")
	f, err := os.Create(name)
	must(t, err)
	w := tar.NewWriter(f)
	must(t, w.AddFS(os.DirFS(dir)))
	must(t, w.Close())
	must(t, f.Close())
	return name
}

func named(s string) layout.Option {
	return layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": s})
}

func TestReadLayoutAndItsArchive(t *testing.T) {
	t.Parallel()
	one := folder(t, func(p layout.Path) { must(t, p.AppendImage(made(t, "amd64", "CUDA_VERSION=12.8.1"))) })
	many := folder(t, func(p layout.Path) { must(t, p.AppendIndex(madeIndex(t, "amd64", "arm64"), named("1.0"))) })
	side := folder(t, func(p layout.Path) {
		for _, arch := range []string{"amd64", "arm64"} {
			must(t, p.AppendImage(made(t, arch), layout.WithPlatform(v1.Platform{OS: "linux", Architecture: arch})))
		}
	})
	two := folder(t, func(p layout.Path) {
		must(t, p.AppendImage(made(t, "amd64"), named("first")))
		must(t, p.AppendImage(made(t, "arm64"), named("second")))
	})
	for _, c := range []struct {
		dir, name string
		arches    []string
		want      []string
		err       error
	}{
		{one, "", nil, []string{"linux/amd64"}, nil},
		{one, "", []string{"arm64"}, nil, nil},
		{many, "", []string{"arm64"}, []string{"linux/arm64"}, nil},
		{many, ":1.0", nil, []string{"linux/amd64", "linux/arm64"}, nil},
		{many, ":2.0", nil, nil, ErrNotFound},
		{side, "", nil, []string{"linux/amd64", "linux/arm64"}, nil},
		{two, "", nil, nil, ErrAmbiguous},
		{two, ":second", nil, []string{"linux/arm64"}, nil},
	} {
		tar := pack(t, c.dir)
		refs := []string{"oci:" + c.dir + c.name, "oci-archive:" + tar + c.name}
		if c.name == "" {
			refs = append(refs, c.dir, tar)
		}
		for _, ref := range refs {
			img, err := Reader{}.Read(t.Context(), ref, c.arches...)
			var got []string
			for _, v := range img.Variants {
				got = append(got, v.Platform)
				if v.Compressed == 0 || v.Layers != 3 || v.Digest == "" {
					t.Errorf("%s: %+v", ref, v)
				}
			}
			if !errors.Is(err, c.err) || !slices.Equal(got, c.want) || err == nil && img.From == "" {
				t.Errorf("%s: %q, %v; want %q, %v", ref, got, err, c.want, c.err)
			}
		}
	}
}

// "docker save" of an image with several platforms lists all and has the one that was pulled.
func TestReadSkipsPlatformsThatAreNotThere(t *testing.T) {
	t.Parallel()
	index := madeIndex(t, "amd64", "arm64")
	dir := folder(t, func(p layout.Path) { must(t, p.AppendIndex(index)) })
	manifest, err := index.IndexManifest()
	must(t, err)
	must(t, os.Remove(filepath.Join(dir, "blobs", "sha256", manifest.Manifests[1].Digest.Hex)))
	img, err := Reader{}.Read(t.Context(), dir)
	if err != nil || len(img.Variants) != 1 || !slices.Equal(img.Platforms, []string{"linux/amd64"}) {
		t.Errorf("%+v, %v", img, err)
	}
}

func TestReadNoticesAChangedBlob(t *testing.T) {
	t.Parallel()
	img := made(t, "amd64")
	dir := folder(t, func(p layout.Path) { must(t, p.AppendImage(img)) })
	config, err := img.ConfigName()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "blobs", "sha256", config.Hex), []byte(`{"architecture":"amd64"}`), 0o600))
	if _, err := (Reader{}).Read(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "has the digest") {
		t.Error(err)
	}
}

// file is one file of an archive that a test writes; hole is the size of a file of zeros that takes no room on disk.
type file struct {
	name, content, link string
	hole                int64
}

// tarFile writes an archive by hand, because archive/tar would write the zeros of a hole.
func tarFile(t *testing.T, files ...file) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "saved.tar")
	f, err := os.Create(name)
	must(t, err)
	for _, x := range files {
		header := &tar.Header{Name: x.name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(x.content)) + x.hole, Format: tar.FormatGNU}
		if x.link != "" {
			header.Typeflag, header.Linkname = tar.TypeSymlink, x.link
		}
		var block bytes.Buffer
		must(t, tar.NewWriter(&block).WriteHeader(header))
		block.WriteString(x.content)
		_, err := f.Write(block.Bytes())
		must(t, err)
		end, err := f.Seek(x.hole, 1)
		must(t, err)
		_, err = f.Seek((end+511)/512*512, 0)
		must(t, err)
	}
	_, err = f.Write(make([]byte, 1024))
	must(t, err)
	must(t, f.Close())
	return name
}

func manifestJSON(t *testing.T, images ...savedImage) string {
	t.Helper()
	data, err := json.Marshal(images)
	must(t, err)
	return string(data)
}

const savedConfig = `{"architecture":"amd64","os":"linux","config":{"Env":["CUDA_VERSION=12.4.1"]},"rootfs":{"type":"layers","diff_ids":[]}}`

// A layer of 64 GiB: reading it would take longer than the test may.
func TestReadOldDockerArchiveWithoutItsLayers(t *testing.T) {
	t.Parallel()
	const huge = 64 << 30
	name := tarFile(t, file{name: "aa/layer.tar", hole: huge}, file{name: "bb/layer.tar", link: "../aa/layer.tar"}, file{name: "cc.tar.gz", content: "x"},
		file{name: "config.json", content: savedConfig},
		file{name: "manifest.json", content: manifestJSON(t, savedImage{"config.json", []string{"team/image:1"}, []string{"aa/layer.tar", "bb/layer.tar", "cc.tar.gz"}})})
	for _, ref := range []string{name, "docker-archive:" + name, "docker-archive:" + name + ":team/image:1", "docker-archive:" + name + ":image:1"} {
		img, err := Reader{}.Read(t.Context(), ref, "amd64")
		if err != nil || len(img.Variants) != 1 {
			t.Fatalf("%s: %+v, %v", ref, img, err)
		}
		if v := img.Variants[0]; v.Unpacked != 2*huge || v.Compressed != 1 || v.Layers != 3 || v.Says().CUDA.String() != "12.4" {
			t.Errorf("%+v", v)
		}
	}
}

func TestReadDiskErrors(t *testing.T) {
	t.Parallel()
	packed := filepath.Join(t.TempDir(), "image.tar.gz")
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte("whatever"))
	must(t, err)
	must(t, z.Close())
	must(t, os.WriteFile(packed, b.Bytes(), 0o600))
	text := filepath.Join(t.TempDir(), "notes.txt")
	must(t, os.WriteFile(text, bytes.Repeat([]byte("no archive\n"), 200), 0o600))
	entry := savedImage{"config.json", []string{"a:1"}, nil}
	config := file{name: "config.json", content: savedConfig}
	for ref, want := range map[string]error{
		"./does/not/exist": ErrNotFound, packed: ErrPacked, text: ErrNotImage, t.TempDir(): ErrNotImage,
		tarFile(t, file{name: "x"}): ErrNotImage,
		tarFile(t, config, file{name: "manifest.json", content: manifestJSON(t, entry, entry)}):                                  ErrAmbiguous,
		tarFile(t, config, file{name: "manifest.json", content: "[]"}):                                                           ErrNotFound,
		tarFile(t, file{name: "manifest.json", content: manifestJSON(t, entry)}):                                                 ErrNotImage,
		tarFile(t, file{name: "index.json", content: `{"manifests":[]}`}):                                                        ErrNotFound,
		tarFile(t, file{name: "index.json", hole: mostManifest + 1}):                                                             ErrNotImage,
		"docker-archive:" + tarFile(t, config, file{name: "manifest.json", content: manifestJSON(t, entry)}) + ":b:1":            ErrNotFound,
		tarFile(t, config, file{name: "manifest.json", content: manifestJSON(t, savedImage{"config.json", nil, []string{"x"}})}): ErrNotImage,
		tarFile(t, file{name: "loop", link: "loop"}, file{name: "manifest.json", link: "loop"}):                                  ErrNotImage,
	} {
		if img, err := (Reader{}).Read(t.Context(), ref); !errors.Is(err, want) || !strings.HasPrefix(err.Error(), "reading the image ") {
			t.Errorf("%s: %+v, %v; want %v", ref, img, err, want)
		}
	}
}

// A link that leads out of a folder is not followed.
func TestReadStaysInTheFolder(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "index.json")
	must(t, os.WriteFile(outside, []byte(`{"manifests":[]}`), 0o600))
	must(t, os.Symlink(outside, filepath.Join(dir, "index.json")))
	if _, err := (Reader{}).Read(t.Context(), dir); err == nil || errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func TestParseSource(t *testing.T) {
	t.Parallel()
	for ref, want := range map[string]source{
		"ubuntu:24.04":                 {fromRegistry, "ubuntu:24.04", ""},
		"docker://nvcr.io/nvidia/cuda": {fromRegistry, "nvcr.io/nvidia/cuda", ""},
		"oci:dir":                      {fromDisk, "dir", ""},
		"oci:/a/dir:v1":                {fromDisk, "/a/dir", "v1"},
		"oci-archive:x.tar:a/b:v1":     {fromDisk, "x.tar", "a/b:v1"},
		"docker-archive:/x.tar":        {fromDisk, "/x.tar", ""},
		"./x.tar":                      {fromDisk, "./x.tar", ""},
		"/tmp/a:b":                     {fromDisk, "/tmp/a:b", ""},
	} {
		if got := parseSource(ref); got != want {
			t.Errorf("%s: %+v, want %+v", ref, got, want)
		}
	}
}
