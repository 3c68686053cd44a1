package image

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// nearest finds what would help when image, driver and GPU do not fit: the oldest driver branch that carries this image on
// this GPU, and the versions of CUDA that this driver and GPU carry. nil where neither is known.
func (s subject) nearest() *Fix {
	fix := &Fix{}
	var ways []string
	if text := s.nearestDriver(fix); text != "" {
		ways = append(ways, text)
	}
	if text := s.nearestCUDA(fix); text != "" {
		ways = append(ways, text)
	}
	if len(ways) == 0 {
		if text := s.nearestBoth(fix); text != "" {
			ways = append(ways, text)
		}
	}
	if len(ways) == 0 {
		return nil
	}
	fix.Text = strings.Join(ways, ", or ")
	return fix
}

// nearestDriver is the driver that carries the image's CUDA by itself, if a driver alone helps.
func (s subject) nearestDriver(fix *Fix) string {
	a, v := s.gpu.arch, s.claims.CUDA
	if a.Name != "" {
		_, related := a.Relative(v)
		if a.LastMajor != 0 && v.Major > a.LastMajor || v.Less(a.First) && !related {
			return ""
		}
	}
	return s.branchFor(v, fix)
}

// branchFor names the oldest branch that carries a CUDA on this GPU, and one that is maintained for longer.
func (s subject) branchFor(v cuda.Version, fix *Fix) string {
	a := s.gpu.arch
	if v.IsZero() || s.native(v) == cuda.Yes {
		return ""
	}
	usable := slices.DeleteFunc(cuda.Branches(), func(b cuda.Branch) bool {
		return b.CUDA.Less(v) || b.Branch < a.FirstBranch || a.LastBranch != 0 && b.Branch > a.LastBranch
	})
	if len(usable) == 0 {
		return ""
	}
	fix.Branch, fix.Driver = usable[0].Branch, usable[0].Lowest
	if lowest, err := cuda.ParseDriver(s.gpu.product.Lowest); err == nil && fix.Branch <= lowest.Branch {
		fix.Branch, fix.Driver = lowest.Branch, lowest.String()
	}
	branches, maintained := fmt.Sprintf("R%d or newer", fix.Branch), ""
	if a.LastBranch != 0 {
		branches = fmt.Sprintf("R%d to R%d", fix.Branch, a.LastBranch)
	}
	if i := slices.IndexFunc(usable, func(b cuda.Branch) bool { return b.Branch >= fix.Branch && b.Until != "" }); i >= 0 {
		maintained = fmt.Sprintf("; R%d is maintained until %s", usable[i].Branch, usable[i].Until)
	}
	return fmt.Sprintf("a driver of branch %s (from %s%s)", branches, fix.Driver, maintained)
}

// nearestCUDA is the range of CUDA versions that the driver and the GPU carry.
func (s subject) nearestCUDA(fix *Fix) string {
	a, highest := s.gpu.arch, s.lowest
	if a.LastMajor != 0 && highest.Major > a.LastMajor {
		highest, _ = cuda.Newest(a.LastMajor)
	}
	v := s.claims.CUDA
	if highest.IsZero() || highest.Less(a.First) || v.IsZero() || !v.Less(a.First) && !highest.Less(v) {
		return ""
	}
	fix.CUDAMin, fix.CUDAMax = a.First, highest
	switch {
	case a.First == highest:
		return fmt.Sprintf("an image built for CUDA %s", highest)
	case v.Less(a.First):
		return fmt.Sprintf("an image built for CUDA %s to %s", a.First, highest)
	}
	return fmt.Sprintf("an image built for CUDA %s or older", highest)
}

// nearestBoth is for an old driver with an old image on a new GPU: either alone does not help.
func (s subject) nearestBoth(fix *Fix) string {
	a := s.gpu.arch
	if a.Name == "" {
		return ""
	}
	text := s.branchFor(a.First, fix)
	if text == "" {
		return ""
	}
	fix.CUDAMin = a.First
	return fmt.Sprintf("an image built for CUDA %s or newer and %s", a.First, text)
}
