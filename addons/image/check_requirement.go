package image

import (
	"fmt"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// required evaluates all requirements of the image on this GPU. What is known as a set or a range (which brand, which CUDA)
// is tried with each of its ends; if they differ, the outcome is unclear.
func (s subject) required() outcome {
	result := holds
	for _, r := range s.claims.Requirements {
		switch o := s.evaluate(r); {
		case o == invalid:
			return invalid // as nvidia-container-cli, which stops there
		case o == fails, o == unclear && result == holds:
			result = o
		}
	}
	return result
}

func (s subject) evaluate(r Requirement) outcome {
	brands := s.gpu.product.BrandsUnder(s.driver)
	if s.gpu.Brand != "" {
		brands = []string{brand(s.gpu.Brand)}
	}
	if len(brands) == 0 {
		brands = []string{""}
	}
	speaks := []cuda.Version{s.lowest}
	if s.lowest != s.highest {
		speaks = append(speaks, s.highest)
	}
	var outcomes []outcome
	for _, b := range brands {
		for _, v := range speaks {
			known := values{driver: s.driver.String(), brand: b}
			if !v.IsZero() {
				known.cuda = v.String()
			}
			if !s.gpu.capability.IsZero() {
				known.arch = s.gpu.capability.String()
			}
			outcomes = append(outcomes, evaluate(r.Expr, known))
		}
	}
	for _, o := range outcomes {
		if o != outcomes[0] {
			return unclear
		}
	}
	return outcomes[0]
}

// requirement judges NVIDIA_REQUIRE_*. It is silent where the image requires nothing.
func (s subject) requirement() []Finding {
	f := Finding{Check: CheckRequirement, Verdict: OK}
	c := s.claims
	switch {
	case c.RequirementsOff:
		f.Reason = "the image turns its requirements off (NVIDIA_DISABLE_REQUIRE)"
		return []Finding{f}
	case c.BrokenVersion != "":
		f.Reason = fmt.Sprintf("NVIDIA's container tools cannot read CUDA_VERSION=%s, and the image has no %s to use instead",
			c.BrokenVersion, requireCUDA)
		f.Fix = &Fix{Text: "start it with NVIDIA_DISABLE_REQUIRE=true"}
		return []Finding{s.enforce(f)}
	case len(c.Requirements) == 0:
		return nil
	}
	switch s.required() {
	case holds:
		f.Reason = "the image's requirement of the host holds"
	case fails:
		f.Reason = fmt.Sprintf("the host does not meet the image's requirement, which begins with %q", s.firstUnmet())
		f.Fix = s.nearest()
		f = s.enforce(f)
	case invalid:
		f.Reason = "NVIDIA's container tools cannot read the image's requirement"
		f.Fix = &Fix{Text: "start it with NVIDIA_DISABLE_REQUIRE=true"}
		f = s.enforce(f)
	case unclear:
		f.Reason = "whether the host meets the image's requirement is not known"
		f.Verdict = Unknown
		if s.host.Requirements == Ignored {
			f.Verdict, f.Reason = OK, f.Reason+", and with CDI nothing checks it"
		}
	}
	return []Finding{f}
}

// enforce makes a requirement that is not met fatal only where something checks it.
func (s subject) enforce(f Finding) Finding {
	switch s.host.Requirements {
	case Enforced:
		f.Verdict, f.Reason = Fail, f.Reason+": the container would not start"
	case Ignored:
		f.Verdict, f.Reason = Warn, f.Reason+"; with CDI nothing checks it"
	default:
		f.Verdict, f.Reason = Warn, f.Reason+"; where NVIDIA's legacy hook starts containers, it would refuse"
	}
	return f
}

// firstUnmet is the beginning of the requirement that does not hold, as NVIDIA's own message shows it.
func (s subject) firstUnmet() string {
	for _, r := range s.claims.Requirements {
		if s.evaluate(r) == fails {
			return firstWord(r.Expr)
		}
	}
	return ""
}
