package app_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/gpuboot/gpuboot/cmd/gpuboot/app"
)

// cudaImage writes an image of a CUDA version as an OCI layout.
func cudaImage(t *testing.T, version string) string {
	t.Helper()
	img, err := mutate.ConfigFile(empty.Image, &v1.ConfigFile{Architecture: "amd64", OS: "linux",
		Config: v1.Config{Env: []string{"CUDA_VERSION=" + version, "NVIDIA_VISIBLE_DEVICES=all"}}})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "image")
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		t.Fatal(err)
	}
	if err := path.AppendImage(img); err != nil {
		t.Fatal(err)
	}
	return "oci:" + dir
}

// run runs a command line without a terminal.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	home := t.TempDir()
	env := app.Env{In: strings.NewReader(""), Out: &out, Err: &errs, Now: time.Now,
		Getenv: func(key string) string { return map[string]string{"HOME": home}[key] }}
	code = app.Run(t.Context(), env, args)
	return code, out.String(), errs.String()
}

func TestCheckImageSaysWhatWouldRun(t *testing.T) {
	t.Parallel()
	new13 := cudaImage(t, "13.0.1")
	code, out, errs := run(t, "check-image", "--driver", "580.95.05", "--gpu", "H100", new13)
	if code != 0 || !strings.Contains(out, "ok") {
		t.Errorf("a fitting driver: exit code %d\n%s%s", code, out, errs)
	}
	code, out, errs = run(t, "check-image", "--driver", "535.104.05", "--gpu", "RTX 4090", new13)
	if code != 4 || !strings.Contains(out, "fail") || !strings.Contains(out, "580") {
		t.Errorf("an old driver: exit code %d\n%s%s", code, out, errs)
	}
	code, out, _ = run(t, "check-image", "--driver", "535.104.05", "--gpu", "RTX 4090", "--output", "json", new13)
	var r struct {
		Verdict, Reason string
		Fix             struct {
			Branch int `json:"driver_branch"`
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 4 || r.Verdict != "fail" || r.Fix.Branch != 580 {
		t.Errorf("as JSON: exit code %d, %v\n%s", code, err, out)
	}
}

func TestCheckImageRefusesWhatItCannotMean(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"check-image"},
		{"check-image", "--gpu", "no such thing", "oci:/nowhere"},
		{"check-image", "--inventory", "i.yaml", "--gpu", "H100", "oci:/nowhere"},
	} {
		if code, _, errs := run(t, args...); code != 2 {
			t.Errorf("%v: exit code %d\n%s", args, code, errs)
		}
	}
}
