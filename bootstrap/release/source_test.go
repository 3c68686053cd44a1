package release_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/release"
)

func TestParseSource(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	for _, value := range []string{
		"", "https://mirror.example/k3s/", "http://127.0.0.1:8080", "http://[::1]/k3s", "http://localhost/",
		"/opt/k3s/../k3s/k3s", "k3s",
		"http://mirror.example/k3s", "ftp://mirror.example", "https://user:hunter2@mirror.example", "https://",
		"https://mirror.example/?token=hunter2", "https://user:hunter2@[/", "file:///opt/k3s",
	} {
		src, err := release.ParseSource(value)
		if err != nil {
			if !errors.Is(err, release.ErrSource) {
				t.Errorf("%q: %v", value, err)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%q: the password came back: %v", value, err)
			}
			fmt.Fprintf(&out, "%q\n  %v\n", value, err)
			continue
		}
		fmt.Fprintf(&out, "%q\n  %s %s\n", value, src.Kind, src.Origin("v1.36.5+k3s1", "k3s-arm64"))
	}
	golden(t, "sources.txt", out.String())
}

func TestVersionsAreTagsNewestFirstAndHoldTheDefault(t *testing.T) {
	t.Parallel()
	found := false
	last := "v9"
	for _, v := range release.Versions() {
		if err := release.CheckTag(v.K3s); err != nil {
			t.Error(err)
		}
		if v.Date == "" || !strings.Contains(v.Source, "https://") {
			t.Errorf("%s has no date or source", v.K3s)
		}
		if v.K3s >= last { // all minors have two digits
			t.Errorf("%s stands after %s", v.K3s, last)
		}
		last = v.K3s
		found = found || v.K3s == release.Default
	}
	if !found {
		t.Errorf("the default %s is not in the table", release.Default)
	}
}

func TestTagsAreCheckedBeforeTheyBecomePaths(t *testing.T) {
	t.Parallel()
	for tag, good := range map[string]bool{
		"v1.36.5+k3s1": true, "v1.37.0-rc1+k3s1": true, "v1.34.4+k3s-0a1b2c3d": true, "v1.34.4+k3s": true,
		"": false, "latest": false, "stable": false, "1.36.5+k3s1": false, "v1.36.5": false, "v1.36": false,
		"v1.36.5-k3s1": false, "v1.36.5+k3s1/../../x": false, "v1.36.5+k3s1\n": false, "v1.36.5+rke2r1": false,
	} {
		err := release.CheckTag(tag)
		if good != (err == nil) || err != nil && !errors.Is(err, release.ErrTag) {
			t.Errorf("%q: %v", tag, err)
		}
	}
	w := newWorld(t, "")
	if _, err := w.K3s(t.Context(), tag, "riscv64", w.mirror, nil); !errors.Is(err, release.ErrArch) {
		t.Errorf("riscv64: %v", err)
	}
	if _, err := w.Peek(t.Context(), "latest", "amd64", w.mirror); !errors.Is(err, release.ErrTag) {
		t.Errorf("latest: %v", err)
	}
}
