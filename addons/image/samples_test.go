package image

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// samples are environments of real images, which lie beside the repository where it is developed.
const samples = "../../../shared/samples/image-env"

func TestSamples(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat(samples); err != nil {
		t.Skipf("SKIPPED, real images' environments are not here: %v", err)
	}
	for name, want := range map[string]string{ // on an H100 with driver 550.90.07 (CUDA 12.4), amd64
		"cuda-11.8.0-base-earlier":        "ok 11.8",
		"cuda-11.8.0-base":                "ok 11.8",
		"cuda-12.1.1-runtime":             "ok 12.1",
		"cuda-12.4.1-devel-pytorch-2.6.0": "ok 12.4",
		"cuda-12.8-short":                 "warn 12.8",
		"cuda-12.8.1-runtime":             "warn 12.8",
		"ngc-pytorch-20.06":               "unknown 9.0",
		"ngc-pytorch-25.01":               "warn 12.8",
		"ngc-pytorch-26.03-arm64":         "fail 13.2",
		"ngc-tritonserver-24.09":          "unknown unknown",
		"ngc-tritonserver-25.02":          "warn 12.8",
		"no-cuda":                         "unknown unknown",
		"ollama":                          "unknown unknown",
		"rocm-pytorch":                    "fail unknown",
		"vllm-openai-0.23-cuda13":         "warn 13.0",
		"vllm-openai-0.9-cuda12.8":        "warn 12.8",
	} {
		img := of(name, environmentFile(t, filepath.Join(samples, name+".json")))
		r := Evaluate(img, host(t, "550.90.07", "H100"))
		if got := string(r.Verdict) + " " + r.Claims.CUDA.String(); got != want {
			t.Errorf("%s: %s, want %s: %s", name, got, want, r)
		}
	}
	files, err := os.ReadDir(samples)
	if err != nil || len(files) < 16 {
		t.Fatalf("%d samples: %v", len(files), err)
	}
	for _, file := range files { // all of them, on one host of every kind, without a crash and with a reason
		img := of(file.Name(), environmentFile(t, filepath.Join(samples, file.Name())))
		for _, gpu := range []string{"T4", "V100", "RTX 4090", "B200", "RTX 5090", "GB10", "MI300X"} {
			for _, driver := range []string{"", "450.80.02", "535.104.12", "570.124.06", "580.126.09", "620.70.06"} {
				if r := Evaluate(img, host(t, driver, gpu)); r.Reason == "" || strings.Contains(r.String(), "unknown)") {
					t.Errorf("%s on %s with %q: %s", file.Name(), gpu, driver, r)
				}
			}
		}
	}
}
