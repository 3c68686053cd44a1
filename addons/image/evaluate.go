package image

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// Evaluate judges an image for a host. It reads nothing and depends on nothing but its arguments.
func Evaluate(img Image, h Host) Result {
	r := Result{Image: img.Reference, Host: h.Name}
	v, finding := platform(img, h)
	r.add(finding)
	if v == nil {
		return r
	}
	claims := v.Says()
	r.Platform, r.Digest, r.Compressed, r.Claims = v.Platform, v.Digest, v.Compressed, &claims
	for _, f := range judgeGPUs(h, claims) {
		r.add(f)
	}
	if f, ok := disk(*v, h); ok {
		r.add(f)
	}
	if r.Verdict == OK {
		r.Reason = tell(r.Findings)
	}
	return r
}

// tell chooses the reason of a good answer: "there is a linux/amd64" is not what was asked.
func tell(findings []Finding) string {
	for _, check := range []Check{CheckDriver, CheckGPU} {
		if i := slices.IndexFunc(findings, func(f Finding) bool { return f.Check == check }); i >= 0 {
			return findings[i].Reason
		}
	}
	return findings[0].Reason
}

// platform chooses the variant for the host.
func platform(img Image, h Host) (*Variant, Finding) {
	f := Finding{Check: CheckPlatform}
	if h.Arch == "" {
		f.Verdict, f.Reason = Unknown, "the host's architecture is not known; the image has "+list(img.Platforms)
		if len(img.Variants) != 1 {
			return nil, f
		}
		return &img.Variants[0], f
	}
	if v, ok := img.For(h.Arch); ok {
		f.Verdict, f.Reason = OK, "the image has "+v.Platform
		return &v, f
	}
	f.Verdict = Fail
	f.Reason = fmt.Sprintf("the image has %s, the host is linux/%s: its programs would end with \"exec format error\"",
		list(img.Platforms), h.Arch)
	f.Fix = &Fix{Text: "an image built for linux/" + h.Arch}
	return nil, f
}

func list(words []string) string {
	if len(words) == 0 {
		return "no Linux platform"
	}
	return strings.Join(words, ", ")
}

// judgeGPUs makes the findings about GPUs, kind by kind.
func judgeGPUs(h Host, c Claims) []Finding {
	kinds := h.GPUs
	if len(kinds) == 0 {
		kinds = []GPU{{}}
	}
	var all []Finding
	for _, g := range kinds {
		s := newSubject(h, c, g)
		vendor := s.vendor()
		findings := []Finding{vendor}
		if vendor.Verdict == OK && s.gpu.vendor != AMD {
			findings = slices.Concat(findings, s.driverCheck(), s.compute(), s.hardware(), s.requirement())
		}
		if len(h.GPUs) > 0 {
			for i := range findings {
				findings[i].GPU = s.gpu.name()
			}
		}
		all = append(all, findings...)
	}
	return all
}

// subject is one kind of GPU, its driver and an image.
type subject struct {
	host   Host
	claims Claims
	gpu    resolved
	driver cuda.Driver
	// lowest and highest bound the CUDA that the driver speaks; zero is not known.
	lowest, highest cuda.Version
}

func newSubject(h Host, c Claims, g GPU) subject {
	s := subject{host: h, claims: c, gpu: g.resolve()}
	if d, err := cuda.ParseDriver(h.Driver); err == nil {
		s.driver = d
		s.lowest, s.highest = d.Native()
	}
	if !h.CUDA.IsZero() {
		s.lowest, s.highest = h.CUDA, h.CUDA
	}
	return s
}

// native says whether the driver speaks a CUDA version by itself.
func (s subject) native(v cuda.Version) cuda.Tri {
	switch {
	case s.lowest.IsZero() && s.highest.IsZero():
		return cuda.Unknown
	case !s.lowest.Less(v):
		return cuda.Yes
	case !s.highest.IsZero() && s.highest.Less(v):
		return cuda.No
	}
	return cuda.Unknown
}

// speaks names the driver and its CUDA, for sentences.
func (s subject) speaks() string {
	name := "the driver"
	if !s.driver.IsZero() {
		name = "driver " + s.driver.String()
	}
	switch {
	case s.lowest == s.highest:
		return fmt.Sprintf("%s (CUDA %s)", name, s.lowest)
	case s.highest.IsZero():
		return fmt.Sprintf("%s (CUDA %s or newer)", name, s.lowest)
	}
	return fmt.Sprintf("%s (CUDA %s at most)", name, s.highest)
}
