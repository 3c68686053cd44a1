package image

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// Whether an unmet requirement is fatal depends on who starts the container.
func TestRequirementsMatterWhereTheyAreChecked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		image, driver, gpu string
		enforced, not, cdi Verdict
		reason             string
	}{
		// A GeForce card with an older driver: only other brands are listed for that branch.
		{"cuda-12.8", "550.90.07", "RTX 4090", Fail, Warn, Warn, `"cuda>=12.8"`},
		{"cuda-12.8", "550.90.07", "H100", OK, OK, OK, "holds"},
		{"cuda-12.4", "535.104.12", "RTX 4090", OK, OK, OK, "holds"},
		{"cuda-12.4", "545.23.08", "RTX 4090", Fail, Warn, Warn, `"cuda>=12.4"`},
		{"framework", "535.104.12", "RTX 4090", OK, OK, OK, "holds"},
		{"tesla-only", "410.48", "GTX 1080 Ti", OK, OK, OK, "holds"}, // CUDA 10.0 by itself
		{"tesla-only", "384.81", "V100", OK, OK, OK, "holds"},        // by brand and branch
		{"tesla-only", "384.81", "GTX 1080 Ti", Fail, Warn, Warn, `"cuda>=10.0"`},
		{"framework-13", "595.71.05", "H100", Fail, Warn, Warn, "cannot read CUDA_VERSION=13.2.0.046"},
		{"broken", "550.54.15", "H100", Fail, Warn, Warn, "cannot read the image's requirement"},
		{"off", "535.104.12", "RTX 4090", OK, OK, OK, "turns its requirements off"},
		{"cuda-12.8", "550.90.07", "sm_89", Unknown, Unknown, OK, "not known"}, // which brand?
		{"cuda-12.8", "", "H100", Unknown, Unknown, OK, "not known"},
	} {
		for mode, want := range map[Enforcement]Verdict{Enforced: c.enforced, EnforcementUnknown: c.not, Ignored: c.cdi} {
			h := host(t, c.driver, c.gpu)
			h.Requirements = mode
			f, ok := by(Evaluate(variant(t, c.image), h), CheckRequirement)
			if !ok || f.Verdict != want || !strings.Contains(f.Reason, c.reason) {
				t.Errorf("%s on %s with %s, %q: %s, want %s", c.image, c.gpu, c.driver, mode, f, want)
			}
		}
	}
}

func TestPlatform(t *testing.T) {
	t.Parallel()
	img := variant(t, "cuda-12.8")
	img.Platforms = []string{"linux/amd64", "linux/ppc64le"}
	for arch, want := range map[string]Verdict{"amd64": OK, "arm64": Fail, "": Unknown} {
		h := host(t, "580.126.09", "H100")
		h.Arch = arch
		r := Evaluate(img, h)
		f, _ := by(r, CheckPlatform)
		if f.Verdict != want {
			t.Errorf("%q: %s", arch, f)
		}
		if want == Fail && (!strings.Contains(f.Reason, "exec format error") || len(r.Findings) != 1) {
			t.Errorf("%s, %d findings", f, len(r.Findings))
		}
		if want == Unknown && len(r.Findings) == 1 {
			t.Error("one variant was read, so it can be judged")
		}
	}
	if r := Evaluate(Image{Reference: "x"}, Host{Arch: "arm64"}); r.Verdict != Fail || !strings.Contains(r.Reason, "no Linux platform") {
		t.Error(r)
	}
	if r := Evaluate(Image{Reference: "x"}, Host{}); r.Verdict != Unknown {
		t.Error(r)
	}
}

func TestTheWorstGPUDecides(t *testing.T) {
	t.Parallel()
	h := Host{Name: "mixed", Arch: "amd64", Driver: "580.126.09", GPUs: []GPU{
		{Product: "NVIDIA RTX 5880 Ada Generation"}, {Product: "NVIDIA TITAN V"},
	}}
	r := Evaluate(variant(t, "cuda-13.0"), h)
	if r.Verdict != Fail || !strings.Contains(r.Reason, "Volta") || !strings.HasPrefix(r.String(), "mixed: fail: ") {
		t.Error(r)
	}
	seen := map[string]Verdict{}
	for _, f := range r.Findings {
		if f.Check == CheckCompute {
			seen[f.GPU] = f.Verdict
		}
	}
	if seen["NVIDIA RTX 5880 Ada Generation"] != OK || seen["NVIDIA TITAN V"] != Fail {
		t.Errorf("%v", seen)
	}
}

func TestWhatTheHostSaysCountsMoreThanTheTables(t *testing.T) {
	t.Parallel()
	img := variant(t, "cuda-12.8")
	h := host(t, "", "H100")
	h.CUDA = cuda.Version{Major: 12, Minor: 8} // nvidia-smi says so; no driver version
	if f, _ := by(Evaluate(img, h), CheckDriver); f.Verdict != OK {
		t.Error(f)
	}
	h.CUDA = cuda.Version{Major: 12, Minor: 4}
	if f, _ := by(Evaluate(img, h), CheckDriver); f.Verdict != Warn {
		t.Error(f)
	}
	h.CUDA = cuda.Version{Major: 11, Minor: 4}
	if f, _ := by(Evaluate(img, h), CheckDriver); f.Verdict != Unknown { // has a package, but for which branch?
		t.Error(f)
	}
	h = Host{Arch: "amd64", Driver: "550.90.07", GPUs: []GPU{{Vendor: NVIDIA, Product: "Graphics Device", Capability: cuda.Version{Major: 9},
		Class: cuda.DataCentre, Brand: "NVIDIA"}}}
	if f, _ := by(Evaluate(img, h), CheckRequirement); f.Verdict != OK {
		t.Error(f)
	}
	h.GPUs[0].Brand = "GeForce"
	if f, _ := by(Evaluate(img, h), CheckRequirement); f.Verdict != Warn {
		t.Error(f)
	}
}

func TestGPUs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		image string
		host  Host
		want  Verdict
		words string
	}{
		{"cuda-12.8", Host{Arch: "amd64", NoGPU: true}, Fail, "no GPU"},
		{"rocm", Host{Arch: "amd64", NoGPU: true}, Fail, "no GPU"},
		{"plain", Host{Arch: "amd64", NoGPU: true}, Unknown, "says nothing"},
		{"cuda-12.8", Host{Arch: "amd64", Driver: "580.126.09"}, Unknown, "capability of GPU is not known"},
		{"rocm", Host{Arch: "amd64"}, Unknown, "not known"},
		{"rocm", Host{Arch: "amd64", GPUs: []GPU{{Vendor: AMD, Product: "Radeon"}}}, Unknown, "chip"},
		{"rocm", Host{Arch: "amd64", GPUs: []GPU{{Product: "Aldebaran/MI200 [Instinct MI210]"}}}, OK, "gfx90a"},
		{"cuda-12.8", Host{Arch: "amd64", GPUs: []GPU{{Vendor: Intel, Product: "Data Center GPU Max 1550"}}}, Fail, "Max 1550"},
		{"cuda-12.8", Host{Arch: "amd64", GPUs: []GPU{{Vendor: AMD, Product: "Device 74b5"}}}, Fail, "ROCm"},
		{"cuda-12.8", Host{Arch: "amd64", Driver: "580.1", GPUs: []GPU{{Product: "NVIDIA Corporation Device 2941"}}}, Unknown, "Device 2941"},
		{"cuda-12.8", Host{Arch: "amd64", Driver: "not a driver", GPUs: []GPU{{Product: "H100"}}}, Unknown, "driver is not known"},
	} {
		if r := Evaluate(variant(t, c.image), c.host); r.Verdict != c.want || !strings.Contains(r.String(), c.words) {
			t.Errorf("%s on %+v: %s, want %s with %q", c.image, c.host, r, c.want, c.words)
		}
	}
	img := of("rocm", []string{"ROCM_PATH=/opt/rocm"})
	if r := Evaluate(img, host(t, "", "gfx942")); r.Verdict != Unknown || !strings.Contains(r.Reason, "does not say for which") {
		t.Error(r)
	}
}

func TestDisk(t *testing.T) {
	t.Parallel()
	const gib = 1 << 30
	for _, c := range []struct {
		compressed, unpacked, free int64
		want                       Verdict
		words                      string
	}{
		{4 * gib, 0, 100 * gib, OK, "4.0 GiB compressed, 100.0 GiB are free"},
		{4 * gib, 0, 10 * gib, Warn, "takes about 12.0 GiB"},
		{4 * gib, 0, 3 * gib, Fail, "only 3.0 GiB"},
		{4 * gib, 0, 0, Fail, "only 0 B"},
		{0, 4 * gib, 5 * gib, OK, "4.0 GiB unpacked"},
		{0, 4 * gib, gib + gib/2, Fail, "only 1.5 GiB"},
	} {
		img := variant(t, "cuda-12.8")
		img.Variants[0].Compressed, img.Variants[0].Unpacked = c.compressed, c.unpacked
		h := host(t, "570.133.20", "H100")
		h.Free = &c.free
		f, ok := by(Evaluate(img, h), CheckDisk)
		if !ok || f.Verdict != c.want || !strings.Contains(f.Reason, c.words) || (f.Fix == nil) != (c.want == OK) {
			t.Errorf("%+v: %s", c, f)
		}
	}
	if _, ok := by(Evaluate(variant(t, "cuda-12.8"), host(t, "570.133.20", "H100")), CheckDisk); ok {
		t.Error("the disk is judged without knowing it")
	}
}

func TestResultAsJSON(t *testing.T) {
	t.Parallel()
	img := variant(t, "cuda-12.8")
	img.Variants[0].Env = append(img.Variants[0].Env, "TOKEN=forgotten")
	r := Evaluate(img, host(t, "535.104.12", "H100"))
	data, err := json.Marshal([]any{r, img})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"verdict":"warn"`, `"driver_branch":570`, `"driver":"570.26"`, `"cuda_max":"12.2"`, `"cuda":"12.8"`, `"check":"driver"`,
	} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in %s", want, data)
		}
	}
	if strings.Contains(string(data), "forgotten") {
		t.Error("the image's environment is in the output")
	}
}
