package image

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// variant makes an image of an environment in testdata/env, for linux/amd64.
func variant(t *testing.T, name string) Image {
	t.Helper()
	return of(name, environmentFile(t, filepath.Join("testdata", "env", name+".json")))
}

func of(name string, env []string) Image {
	return Image{Reference: name, Platforms: []string{"linux/amd64"}, Variants: []Variant{{
		Platform: "linux/amd64", Arch: "amd64", Env: env, Compressed: 4 << 30,
	}}}
}

func environmentFile(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var env []string
	if err := json.Unmarshal(data, &env); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return env
}

func host(t *testing.T, driver, gpu string) Host {
	t.Helper()
	h, err := ParseHost(driver, gpu, "amd64")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// by gives the finding of a check.
func by(r Result, check Check) (Finding, bool) {
	for _, f := range r.Findings {
		if f.Check == check {
			return f, true
		}
	}
	return Finding{}, false
}
