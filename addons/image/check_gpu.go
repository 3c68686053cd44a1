package image

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// forCUDA says whether anything in the image's configuration speaks of NVIDIA GPUs.
func (c Claims) forCUDA() bool { return !c.CUDA.IsZero() || c.WantsGPU || len(c.Requirements) > 0 }

// vendor compares what the image is made for with what the host has.
func (s subject) vendor() Finding {
	f := Finding{Check: CheckGPU, Verdict: OK}
	var image, fix string
	var wrong Vendor
	switch c := s.claims; {
	case c.ROCm:
		image, wrong, fix = "AMD's ROCm", NVIDIA, "an image built for CUDA"
	case c.forCUDA():
		image, wrong, fix = "NVIDIA's CUDA", AMD, "an image built for ROCm"
	default:
		f.Verdict = Unknown
		f.Reason = "the image says nothing about CUDA or ROCm; what its packages bring along cannot be seen from outside"
		return f
	}
	switch {
	case s.host.NoGPU && len(s.host.GPUs) == 0:
		f.Verdict, f.Reason = Fail, fmt.Sprintf("the image is made for %s, the host has no GPU", image)
		f.Fix = &Fix{Text: "a host with such a GPU"}
	case s.gpu.vendor == VendorUnknown && s.claims.ROCm:
		f.Verdict, f.Reason = Unknown, "the image is made for AMD's ROCm; the host's GPU is not known"
	case s.gpu.vendor == wrong || s.gpu.vendor == Intel:
		f.Verdict, f.Reason = Fail, fmt.Sprintf("the image is made for %s, the host has %s", image, s.gpu.name())
		f.Fix = &Fix{Text: fix}
		if s.gpu.vendor == Intel {
			f.Fix = nil
		}
	case s.gpu.vendor == AMD:
		return s.rocm()
	default: // NVIDIA, or not known: then the checks that need it say so
		f.Reason = "the image is made for NVIDIA's CUDA"
	}
	return f
}

// rocm judges a ROCm image on an AMD GPU by the chips that it was built for.
func (s subject) rocm() Finding {
	f := Finding{Check: CheckGPU, Verdict: OK}
	targets := list(s.claims.Targets)
	switch {
	case s.gpu.target == "":
		f.Verdict, f.Reason = Unknown, "the image is made for AMD's ROCm; which chip "+s.gpu.name()+" has is not known"
	case len(s.claims.Targets) == 0:
		f.Verdict, f.Reason = Unknown, "the image is made for AMD's ROCm and does not say for which chips; this one is "+s.gpu.target
	case slices.ContainsFunc(s.claims.Targets, func(t string) bool { return baseTarget(t) == baseTarget(s.gpu.target) }):
		f.Reason = fmt.Sprintf("the image is built for %s (it lists %s); ROCm against the amdgpu driver is not judged", s.gpu.target, targets)
	default:
		f.Verdict, f.Reason = Warn, fmt.Sprintf("the image lists %s, the GPU is %s: its own GPU code may be missing", targets, s.gpu.target)
		f.Fix = &Fix{Text: "an image built for " + s.gpu.target}
	}
	return f
}

// baseTarget drops the features of a target: gfx90a:xnack- is a gfx90a.
func baseTarget(t string) string {
	base, _, _ := strings.Cut(strings.ToLower(t), ":")
	return base
}

// hardware compares driver and GPU. It is silent where nothing is known against them.
func (s subject) hardware() []Finding {
	a, d := s.gpu.arch, s.driver
	f := Finding{Check: CheckHardware, Verdict: Fail}
	switch lowest, err := cuda.ParseDriver(s.gpu.product.Lowest); {
	case d.IsZero() || a.Name == "":
		return nil
	case a.LastBranch != 0 && d.Branch > a.LastBranch:
		f.Reason = fmt.Sprintf("driver %s does not drive %s any more; branch R%d was the last", d, s.gpu.family(), a.LastBranch)
		f.Fix = &Fix{Branch: a.LastBranch, Text: fmt.Sprintf("a driver of branch R%d", a.LastBranch)}
	case d.Branch < a.FirstBranch:
		f.Reason = fmt.Sprintf("driver %s does not know %s; branch R%d was the first", d, s.gpu.family(), a.FirstBranch)
		f.Fix = &Fix{Branch: a.FirstBranch, Text: fmt.Sprintf("a driver of branch R%d or newer", a.FirstBranch)}
	case err == nil && d.Compare(lowest) < 0:
		f.Verdict = Warn
		f.Reason = fmt.Sprintf("driver %s is older than %s, the lowest that NVIDIA's GPU Operator lists for %s", d, lowest, s.gpu.name())
		f.Fix = &Fix{Branch: lowest.Branch, Driver: lowest.String(), Text: "driver " + lowest.String() + " or newer"}
	default:
		return nil
	}
	return []Finding{f}
}
