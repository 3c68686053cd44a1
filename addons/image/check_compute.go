package image

import (
	"fmt"
	"strings"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// compute asks whether the image can hold code for the GPU. It is silent where the image's CUDA is not known, because the
// driver check has said so already.
func (s subject) compute() []Finding {
	a, v := s.gpu.arch, s.claims.CUDA
	f := Finding{Check: CheckCompute, Verdict: OK, Reason: fmt.Sprintf("CUDA %s has code for %s", v, s.gpu.family())}
	switch {
	case v.IsZero() || s.claims.AtLeast:
		return nil
	case a.Name == "":
		f.Verdict, f.Reason = Unknown, "the compute capability of "+s.gpu.name()+" is not known"
		return []Finding{f}
	case a.LastMajor != 0 && v.Major > a.LastMajor:
		f.Verdict, f.Reason = Fail, fmt.Sprintf("CUDA %s has no code for %s: CUDA %d was the last that had", v, s.gpu.family(), a.LastMajor)
	case v.Less(a.First):
		f = s.before(f)
	default:
		f = s.listed(f)
	}
	if f.Verdict != OK && f.Fix == nil {
		f.Fix = s.nearest()
	}
	return []Finding{f}
}

// before judges a CUDA that is older than the GPU.
func (s subject) before(f Finding) Finding {
	a, v := s.gpu.arch, s.claims.CUDA
	if relative, ok := a.Relative(v); ok {
		f.Verdict = Warn
		f.Reason = fmt.Sprintf("CUDA %s is older than %s; code for %s runs on it, without what is new in it",
			v, s.gpu.family(), relative.Capability.SM())
		return f
	}
	f.Verdict = Fail
	f.Reason = fmt.Sprintf("CUDA %s is older than %s and has no code for it (error 209); its libraries bring no PTX to compile instead",
		v, s.gpu.family())
	if coverage(s.claims.Kernels, a.Capability) == fromPTX {
		if s.native(v) == cuda.No && !s.lifted() {
			f.Reason = fmt.Sprintf("on %s the image has PTX only, and %s cannot compile PTX of CUDA %s (error 222)",
				s.gpu.family(), s.speaks(), v)
			return f
		}
		f.Verdict = Warn
		f.Reason = fmt.Sprintf("CUDA %s is older than %s: the image's own code is compiled from PTX at start, libraries such as "+
			"cuDNN and NCCL may have none", v, s.gpu.family())
	}
	return f
}

// listed judges by the architectures that the image names for its own code, if it names any.
func (s subject) listed(f Finding) Finding {
	kernels := strings.Join(s.claims.Kernels, " ")
	switch coverage(s.claims.Kernels, s.gpu.capability) {
	case fromPTX:
		f.Verdict = Warn
		f.Reason = fmt.Sprintf("on %s the image's own code is compiled from PTX at start (it was built for %s)", s.gpu.family(), kernels)
		f.Fix = &Fix{Text: "an image built for " + s.gpu.capability.SM()}
		if s.native(s.claims.CUDA) == cuda.No && !s.lifted() {
			f.Verdict = Fail
			f.Reason = fmt.Sprintf("on %s the image's own code is PTX only (it was built for %s), and %s cannot compile PTX of CUDA %s "+
				"(error 222)", s.gpu.family(), kernels, s.speaks(), s.claims.CUDA)
			f.Fix = s.nearest()
		}
	case missing:
		f.Verdict = Warn
		f.Reason = fmt.Sprintf("the image's own code was built for %s, not for %s: expect \"no kernel image\" (error 209)",
			kernels, s.gpu.family())
		f.Fix = &Fix{Text: "an image built for " + s.gpu.capability.SM()}
	}
	return f
}
