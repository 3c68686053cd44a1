package image

import (
	"strings"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// covered says how a list of architectures covers a GPU.
type covered int

const (
	notSaid covered = iota // there is no list, or it has words that are not understood
	asCode
	fromPTX
	missing
)

// coverage reads a list as PyTorch's build does (TORCH_CUDA_ARCH_LIST): code for x.y runs on the same major version from
// that minor version on, x.ya on exactly that, PTX of x.y is compiled for anything from x.y on.
func coverage(kernels []string, capability cuda.Version) covered {
	best := missing
	for _, kernel := range kernels {
		name, ptx := strings.CutSuffix(kernel, "+PTX")
		exact := strings.HasSuffix(name, "a")
		name = strings.TrimRight(name, "af") // 10.0f is code for the family of 10.0: same major version
		v, err := cuda.ParseVersion(name)
		if err != nil || !strings.Contains(name, ".") {
			return notSaid
		}
		switch {
		case v == capability, !exact && v.Major == capability.Major && v.Less(capability):
			return asCode
		case ptx && !exact && v.Less(capability):
			best = fromPTX
		}
	}
	if len(kernels) == 0 {
		return notSaid
	}
	return best
}

// firstWord is the first alternative of a requirement.
func firstWord(expr string) string {
	word, _, _ := strings.Cut(strings.TrimLeft(expr, " "), " ")
	return word
}
