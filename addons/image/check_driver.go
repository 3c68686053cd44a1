package image

import (
	"fmt"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// driverCheck asks whether the driver carries the image's CUDA: by itself, by minor-version compatibility, or through a
// compatibility package in the image.
func (s subject) driverCheck() []Finding {
	c := s.claims
	f := Finding{Check: CheckDriver}
	switch {
	case c.CUDA.IsZero():
		f.Verdict, f.Reason = Unknown, "the image does not say which CUDA it brings"
	case s.lowest.IsZero() && s.highest.IsZero():
		f.Verdict, f.Reason = Unknown, fmt.Sprintf("the image brings CUDA %s; the host's driver is not known", c.CUDA)
		f.Fix = s.nearest()
	case s.native(c.CUDA) == cuda.Yes:
		f.Verdict, f.Reason = OK, fmt.Sprintf("%s runs an image of CUDA %s", s.speaks(), c.CUDA)
	default:
		f = s.newer()
		f.Fix = s.nearest()
	}
	if c.AtLeast && f.Verdict != Fail {
		f.Verdict = Unknown
		f.Reason = fmt.Sprintf("the image asks for CUDA %s or newer of the host and does not say which it brings", c.CUDA)
	}
	return []Finding{f}
}

// newer judges an image whose CUDA is, or may be, newer than the driver's.
func (s subject) newer() Finding {
	c := s.claims.CUDA
	f := Finding{Check: CheckDriver, Verdict: Warn}
	if floor, ok := cuda.MinorFloor(c.Major); ok && s.reaches(floor) {
		f.Reason = fmt.Sprintf("CUDA %s on %s runs by minor-version compatibility: GPU code that must be compiled from PTX "+
			"fails (error 222), and so does what needs the newer driver", c, s.speaks())
		if s.lifted() {
			f.Reason += "; the image's own compatibility package lifts that where the container runtime puts it first"
		}
		return f
	}
	if s.native(c) == cuda.Unknown {
		f.Verdict, f.Reason = Unknown, fmt.Sprintf("whether %s carries CUDA %s is not known", s.speaks(), c)
		return f
	}
	need := fmt.Sprintf("CUDA %s needs a newer driver than %s", c, s.speaks())
	switch {
	case s.gpu.class == cuda.GeForce:
		f.Verdict, f.Reason = Fail, need+"; compatibility packages do not work on GeForce (error 804)"
	case s.claims.Compat == "":
		f.Verdict, f.Reason = Fail, need+", and the image shows no compatibility package"
	case s.forward() == cuda.No:
		f.Verdict, f.Reason = Fail, fmt.Sprintf("%s, and its compatibility package does not take branch R%d", need, s.driver.Branch)
	case s.gpu.class == cuda.Workstation:
		f.Verdict, f.Reason = Unknown, need+"; the image has a compatibility package, which works on select workstation boards only"
	case s.gpu.class != cuda.DataCentre:
		f.Verdict, f.Reason = Unknown, need+"; the image has a compatibility package, which works on data-centre GPUs only, and "+
			s.gpu.name()+" is not known to be one"
	case s.forward() == cuda.Unknown:
		f.Verdict, f.Reason = Unknown, fmt.Sprintf("%s; whether the image's compatibility package takes branch R%d is not known",
			need, s.driver.Branch)
	default:
		f.Reason = need + "; it runs only through the image's own compatibility package (" + s.claims.Compat +
			"), which the container runtime must put first"
	}
	return f
}

// lifted says whether the image's compatibility package is known to stand in for the driver.
func (s subject) lifted() bool {
	return s.claims.Compat != "" && s.gpu.class == cuda.DataCentre && s.forward() == cuda.Yes
}

// reaches says whether the driver is at least a floor. Where only its CUDA is known, the same major version is enough.
func (s subject) reaches(floor cuda.Driver) bool {
	if s.driver.IsZero() {
		return s.lowest.Major == s.claims.CUDA.Major
	}
	return s.driver.Compare(floor) >= 0
}

// forward says whether the image's compatibility package takes the driver's branch: by the table, or because the image
// itself lists the branch in its requirement although that branch does not speak its CUDA.
func (s subject) forward() cuda.Tri {
	if s.driver.IsZero() {
		return cuda.Unknown
	}
	known := cuda.Forward(s.claims.CUDA, s.driver.Branch)
	if known == cuda.Unknown && s.native(s.claims.CUDA) == cuda.No && len(s.claims.Requirements) > 0 && s.required() == holds {
		return cuda.Yes
	}
	return known
}
