// Command images writes the container images of gpuboot's tests into one archive for k3s's folder agent/images: a static
// busybox, once as the sandbox image and once as gpuboot.test/busybox:1. Nothing is pulled.
//
//	images [-busybox /bin/busybox] OUT.tar
package main

import (
	"archive/tar"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/config"
)

// TestImage is what pods of the tests run: busybox with its commands in /bin.
const TestImage = "gpuboot.test/busybox:1"

func main() {
	busybox := flag.String("busybox", "/bin/busybox", "a static busybox (Debian's busybox-static)")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: images [-busybox FILE] OUT.tar")
		os.Exit(2)
	}
	if err := write(*busybox, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func write(busybox, out string) error {
	program, err := os.ReadFile(busybox)
	if err != nil {
		return err
	}
	pause, err := image(program, []string{"/bin/busybox", "sh", "-c", "trap exit TERM INT; while :; do sleep 86400 & wait $!; done"})
	if err != nil {
		return err
	}
	test, err := image(program, []string{"/bin/sh"})
	if err != nil {
		return err
	}
	images := map[name.Tag]v1.Image{}
	for ref, img := range map[string]v1.Image{"docker.io/" + config.DefaultPauseImage: pause, TestImage: test} {
		tag, err := name.NewTag(ref)
		if err != nil {
			return err
		}
		images[tag] = img
	}
	return tarball.MultiWriteToFile(out, images)
}

// commands are the busybox commands that get a name of their own in /bin.
func commands() []string {
	return []string{"sh", "cat", "cut", "date", "df", "echo", "env", "false", "grep", "head", "hostname", "httpd", "ip", "kill",
		"ls", "mount", "nc", "nslookup", "ping", "ps", "sed", "sleep", "stat", "tail", "tee", "test", "touch", "tr", "true",
		"ulimit", "uname", "wc", "wget"}
}

func files() [][2]string {
	return [][2]string{{"etc/passwd", "root:x:0:0:root:/:/bin/sh\n"}, {"etc/group", "root:x:0:\n"}}
}

func image(busybox []byte, command []string) (v1.Image, error) {
	data, err := layer(busybox)
	if err != nil {
		return nil, err
	}
	l, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil })
	if err != nil {
		return nil, err
	}
	img, err := mutate.AppendLayers(empty.Image, l)
	if err != nil {
		return nil, err
	}
	conf, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	conf = conf.DeepCopy()
	conf.OS, conf.Architecture = "linux", runtime.GOARCH
	conf.Config.Entrypoint = command
	if len(command) == 1 {
		conf.Config.Entrypoint, conf.Config.Cmd = nil, command
	}
	conf.Config.Env = []string{"PATH=/bin"}
	return mutate.ConfigFile(img, conf)
}

// layer is the same bytes for the same busybox.
func layer(busybox []byte) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	put := func(h tar.Header, body []byte) error {
		h.ModTime, h.Size = time.Unix(0, 0), int64(len(body))
		if err := w.WriteHeader(&h); err != nil {
			return err
		}
		_, err := w.Write(body)
		return err
	}
	for _, dir := range []string{"bin/", "etc/", "proc/", "sys/", "dev/", "tmp/", "var/", "www/"} {
		if err := put(tar.Header{Name: dir, Typeflag: tar.TypeDir, Mode: 0o755}, nil); err != nil {
			return nil, err
		}
	}
	if err := put(tar.Header{Name: "bin/busybox", Typeflag: tar.TypeReg, Mode: 0o755}, busybox); err != nil {
		return nil, err
	}
	for _, f := range files() {
		if err := put(tar.Header{Name: f[0], Typeflag: tar.TypeReg, Mode: 0o644}, []byte(f[1])); err != nil {
			return nil, err
		}
	}
	for _, c := range commands() {
		if err := put(tar.Header{Name: "bin/" + c, Typeflag: tar.TypeSymlink, Linkname: "busybox", Mode: 0o777}, nil); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), w.Close()
}
