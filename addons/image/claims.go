package image

import (
	"strings"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// Claims is what a variant's configuration tells about the GPU software in it. An empty field means that it tells nothing.
type Claims struct {
	CUDA cuda.Version `json:"cuda,omitzero"`
	// CUDAFrom says where CUDA was read.
	CUDAFrom string `json:"cuda_from,omitempty"`
	// AtLeast says that CUDA is only a lower bound: NVIDIA's framework images require "cuda>=9.0" whatever is in them.
	AtLeast bool `json:"cuda_at_least,omitempty"`
	// Compat is the evidence that the image brings a user-space driver of its own for older hosts (cuda-compat).
	Compat string `json:"compat,omitempty"`
	// Kernels are the architectures that its own GPU code was built for, "8.0" or "12.0+PTX" (TORCH_CUDA_ARCH_LIST).
	Kernels []string `json:"kernels,omitempty"`
	// ROCm says that it is made for AMD GPUs, Targets for which ("gfx942").
	ROCm    bool     `json:"rocm,omitempty"`
	Targets []string `json:"targets,omitempty"`
	// WantsGPU says that it asks the container runtime for NVIDIA GPUs.
	WantsGPU     bool          `json:"wants_gpu,omitempty"`
	Requirements []Requirement `json:"requirements,omitempty"`
	// RequirementsOff says that the image disables them, BrokenVersion is a CUDA_VERSION that NVIDIA's tools can't read.
	RequirementsOff bool   `json:"requirements_off,omitempty"`
	BrokenVersion   string `json:"broken_version,omitempty"`
}

// Says reads the claims of a variant.
func (v Variant) Says() Claims {
	env := environment(v.Env)
	history := strings.Join(v.History, "\n")
	var c Claims
	c.Requirements, c.RequirementsOff, c.BrokenVersion = requirements(env)
	c.CUDA, c.CUDAFrom, c.AtLeast = versionOf(env, v.Labels)
	c.Compat = compatOf(env, history)
	if wheel, name := wheels(history); c.CUDA.Less(wheel) || c.AtLeast && wheel == c.CUDA {
		if c.CUDAFrom == "CUDA_VERSION" {
			c.Compat = "" // the package is as old as the base image, so older than these wheels
		}
		c.CUDA, c.CUDAFrom, c.AtLeast = wheel, "the build history ("+name+" wheels)", false
	}
	c.Kernels = strings.FieldsFunc(env["TORCH_CUDA_ARCH_LIST"], func(r rune) bool { return r == ' ' || r == ';' || r == ',' })
	c.WantsGPU = wants(env["NVIDIA_VISIBLE_DEVICES"]) || env["CUDA_VERSION"] != ""
	c.ROCm, c.Targets = rocmOf(env)
	return c
}

func wants(devices string) bool { return devices != "" && devices != "void" && devices != "none" }

// versionOf finds the CUDA of an image. CUDA_VERSION comes first: it names what was installed, while a requirement is what
// the author asks of the host.
func versionOf(env, labels map[string]string) (v cuda.Version, from string, atLeast bool) {
	for _, source := range []struct{ name, value string }{
		{"CUDA_VERSION", env["CUDA_VERSION"]}, {"label com.nvidia.cuda.version", labels["com.nvidia.cuda.version"]},
	} {
		if v, err := cuda.ParseVersion(source.value); err == nil && !v.IsZero() {
			return v, source.name, false
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(env[requireCUDA]), " ")
	if text, ok := strings.CutPrefix(first, "cuda>="); ok && numeric(text) {
		if v, err := cuda.ParseVersion(text); err == nil && !v.IsZero() {
			return v, requireCUDA, true
		}
	}
	return cuda.Version{}, "", false
}

func numeric(s string) bool { return s != "" && strings.Trim(s, "0123456789.") == "" }

// wheels finds the newest CUDA of Python wheels that a build command names: "…/whl/cu128" or "torch==2.6.0+cu124".
func wheels(history string) (newest cuda.Version, name string) {
	for _, mark := range []string{"/whl/cu", "+cu"} {
		for i, text := range strings.Split(history, mark) {
			if i == 0 || len(text) < 3 || !numeric(text[:3]) || len(text) > 3 && numeric(text[3:4]) {
				continue
			}
			v, err := cuda.ParseVersion(text[:2] + "." + text[2:3])
			if err == nil && newest.Less(v) {
				newest, name = v, "cu"+text[:3]
			}
		}
	}
	return newest, name
}

// compatOf finds the evidence for a compatibility package.
func compatOf(env map[string]string, history string) string {
	switch {
	case env["NV_CUDA_COMPAT_PACKAGE"] != "":
		return "NV_CUDA_COMPAT_PACKAGE=" + env["NV_CUDA_COMPAT_PACKAGE"]
	case env["_CUDA_COMPAT_PATH"] != "":
		return "_CUDA_COMPAT_PATH=" + env["_CUDA_COMPAT_PATH"]
	case strings.Contains(env["LD_LIBRARY_PATH"], "cuda/compat"):
		return "cuda/compat in LD_LIBRARY_PATH"
	case strings.Contains(history, "cuda-compat-"):
		return "cuda-compat in the build history"
	case env["NV_CUDA_CUDART_VERSION"] != "":
		return "built on nvidia/cuda, which brings it" // since 12.6 without naming it in a variable
	}
	return ""
}
