package image

import (
	"slices"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

func TestClaims(t *testing.T) {
	t.Parallel()
	type labels = map[string]string
	for _, c := range []struct {
		name    string
		v       Variant
		cuda    string // "12.8", ">=9.0", ""
		from    string
		compat  string
		kernels []string
	}{
		{"version", Variant{Env: []string{"CUDA_VERSION=12.8.1"}}, "12.8", "CUDA_VERSION", "", nil},
		{"four numbers", Variant{Env: []string{"CUDA_VERSION=13.2.0.046"}}, "13.2", "CUDA_VERSION", "", nil},
		{"the version before the requirement", Variant{Env: []string{"NVIDIA_REQUIRE_CUDA=cuda>=9.0", "CUDA_VERSION=12.8.0.038"}},
			"12.8", "CUDA_VERSION", "", nil},
		{"label", Variant{Labels: labels{"com.nvidia.cuda.version": "12.6.3"}}, "12.6", "label com.nvidia.cuda.version", "", nil},
		{"requirement", Variant{Env: []string{"NVIDIA_REQUIRE_CUDA=cuda>=12.4 brand=tesla,driver>=470"}}, ">=12.4", requireCUDA, "", nil},
		{"requirement of something else", Variant{Env: []string{"NVIDIA_REQUIRE_CUDA=brand=tesla cuda>=12.4"}}, "", "", "", nil},
		{"wheels by index", Variant{History: []string{"RUN pip install torch --index-url https://x.example/whl/cu124", "RUN pip install y"}},
			"12.4", "the build history (cu124 wheels)", "", nil},
		{"wheels by version", Variant{History: []string{"RUN pip install torch==2.1+cu118 vision==1+cu121"}},
			"12.1", "the build history (cu121 wheels)", "", nil},
		{"wheels newer than the base", Variant{Env: []string{"CUDA_VERSION=12.4.1", "NV_CUDA_COMPAT_PACKAGE=cuda-compat-12-4"},
			History: []string{"RUN pip install torch==2.9+cu130"}}, "13.0", "the build history (cu130 wheels)", "", nil},
		{"wheels of the base", Variant{Env: []string{"CUDA_VERSION=12.4.1"}, History: []string{"RUN pip install torch==2.6+cu124"}},
			"12.4", "CUDA_VERSION", "", nil},
		{"wheels and a requirement", Variant{Env: []string{"NVIDIA_REQUIRE_CUDA=cuda>=12.8"}, History: []string{"RUN pip install -i x/whl/cu128 y"}},
			"12.8", "the build history (cu128 wheels)", "", nil},
		{"no wheels", Variant{History: []string{"RUN ./x +custom /whl/cuda /whl/cu12 +cu1284"}}, "", "", "", nil},
		{"nonsense", Variant{Env: []string{"CUDA_VERSION=latest"}}, "", "", "", nil},
		{"package", Variant{Env: []string{"NV_CUDA_COMPAT_PACKAGE=cuda-compat-12-4"}}, "", "", "cuda-compat-12-4", nil},
		{"path", Variant{Env: []string{"_CUDA_COMPAT_PATH=/usr/local/cuda/compat"}}, "", "", "_CUDA_COMPAT_PATH", nil},
		{"library path", Variant{Env: []string{"LD_LIBRARY_PATH=/usr/local/cuda/compat/lib:/usr/lib"}}, "", "", "LD_LIBRARY_PATH", nil},
		{"built with", Variant{History: []string{"RUN apt-get install -y cuda-cudart-13-0 cuda-compat-13-0"}}, "", "", "build history", nil},
		{"nvidia/cuda", Variant{Env: []string{"NV_CUDA_CUDART_VERSION=12.8.90-1"}}, "", "", "nvidia/cuda", nil},
		{"kernels", Variant{Env: []string{"TORCH_CUDA_ARCH_LIST=8.0;9.0 10.0+PTX"}}, "", "", "", []string{"8.0", "9.0", "10.0+PTX"}},
	} {
		got := c.v.Says()
		text := ""
		if !got.CUDA.IsZero() {
			text = map[bool]string{true: ">="}[got.AtLeast] + got.CUDA.String()
		}
		if text != c.cuda || got.CUDAFrom != c.from || !strings.Contains(got.Compat, c.compat) || (got.Compat == "") != (c.compat == "") ||
			!slices.Equal(got.Kernels, c.kernels) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

func TestCoverage(t *testing.T) {
	t.Parallel()
	v := func(major, minor int) cuda.Version { return cuda.Version{Major: major, Minor: minor} }
	for _, c := range []struct {
		kernels    string
		capability cuda.Version
		want       covered
	}{
		{"", v(9, 0), notSaid}, {"Hopper", v(9, 0), notSaid}, {"90", v(9, 0), notSaid}, {"9.0", v(9, 0), asCode},
		{"8.0", v(8, 9), asCode}, {"8.9", v(8, 6), missing}, {"8.0", v(9, 0), missing}, {"8.0+PTX", v(9, 0), fromPTX},
		{"9.0a", v(9, 0), asCode}, {"10.0a", v(10, 3), missing}, {"10.0f", v(10, 3), asCode}, {"10.0", v(10, 3), asCode},
		{"9.0+PTX", v(8, 0), missing}, {"9.0a+PTX", v(10, 0), missing}, {"7.5 8.0 12.0+PTX", v(12, 1), asCode},
		{"5.2 8.0+PTX", v(7, 5), missing}, {"9.0+PTX", v(12, 0), fromPTX},
	} {
		var kernels []string
		if c.kernels != "" {
			kernels = strings.Split(c.kernels, " ")
		}
		if got := coverage(kernels, c.capability); got != c.want {
			t.Errorf("%q for %s: %d, want %d", c.kernels, c.capability, got, c.want)
		}
	}
}

func TestParseHost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		driver, gpu, arch string
		want              string // architecture, vendor and compute capability; "" is an error
	}{
		{"570.124.06", "B200", "", "amd64 nvidia 10.0"},
		{" 570.124.06 ", "8x B200", "arm64", "arm64 nvidia 10.0"},
		{"580.126.09", "GB200", "", "arm64 nvidia 10.0"},
		{"580.126.09", "GB10", "", "arm64 nvidia 12.1"},
		{"", "RTX 4090", "", "amd64 nvidia 8.9"},
		{"", "sm_90", "", "amd64 nvidia 9.0"},
		{"", "SM_120", "", "amd64 nvidia 12.0"},
		{"", "8.6", "", "amd64 nvidia 8.6"},
		{"", "MI300X", "", "amd64 amd unknown"},
		{"", "gfx90a", "", "amd64 amd unknown"},
		{"570", "H100", "", "amd64 nvidia 9.0"},
		{"latest", "H100", "", ""},
		{"570.124.06", "Voodoo2", "", ""},
		{"570.124.06", "", "", ""},
		{"570.124.06", "9.9", "", ""},
		{"570.124.06", "sm_", "", ""},
	} {
		h, err := ParseHost(c.driver, c.gpu, c.arch)
		if err != nil {
			if c.want != "" {
				t.Errorf("%q, %q: %v", c.driver, c.gpu, err)
			}
			continue
		}
		r := h.GPUs[0].resolve()
		if got := h.Arch + " " + string(r.vendor) + " " + r.capability.String(); got != c.want {
			t.Errorf("%q, %q: %s, want %q", c.driver, c.gpu, got, c.want)
		}
	}
}

func FuzzParseHost(f *testing.F) {
	f.Add("570.124.06", "8x B200")
	f.Add("", "sm_90")
	f.Add("580", "AMD Instinct MI300X gfx942:sramecc+")
	img := Image{Variants: []Variant{{Platform: "linux/amd64", Arch: "amd64", Env: []string{"CUDA_VERSION=12.4.1"}}}}
	f.Fuzz(func(t *testing.T, driver, gpu string) {
		h, err := ParseHost(driver, gpu, "amd64")
		if err != nil {
			return
		}
		if r := Evaluate(img, h); r.Verdict == "" || r.Reason == "" {
			t.Errorf("%q, %q: %+v", driver, gpu, r)
		}
	})
}
