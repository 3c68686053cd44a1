package cuda

import (
	"slices"
	"strings"
	"unicode"
)

// Class is the market a GPU is made for. Compatibility packages work on some classes only.
type Class string

// DataCentre boards take compatibility packages, GeForce (with Titan) boards never do, of Workstation boards (Quadro, RTX)
// NVIDIA says "select" ones do. ClassUnknown is said as such.
const (
	ClassUnknown Class = ""
	DataCentre   Class = "data-centre"
	Workstation  Class = "workstation"
	GeForce      Class = "geforce"
	Jetson       Class = "jetson"
)

// Product is what a product name tells of a GPU.
type Product struct {
	// Words name it: all of them must occur in a name, in this order. "#" stands for a digit, "%" for a digit that is not
	// zero, a last "*" for any rest of the word.
	Words      string
	Capability Version
	Class      Class
	// Brands are the names that NVIDIA's container tools may call it by, lower case without blanks; which one depends on the
	// driver. None means not known.
	Brands []string
	// Lowest is the oldest driver that NVIDIA's GPU Operator lists for it; "" where it lists none.
	Lowest string
	// Arm says that it comes in one package with an Arm processor.
	Arm bool
}

// Architecture is that of the product's compute capability.
func (p Product) Architecture() (Architecture, bool) { return ArchitectureOf(p.Capability) }

// BrandsUnder gives the brands that the product may have under a driver. Before branch 460 NVML had fewer of them: what is
// now NVIDIA was Tesla then.
func (p Product) BrandsUnder(d Driver) []string {
	if d.IsZero() || d.Branch >= 460 {
		return p.Brands
	}
	return slices.DeleteFunc(slices.Clone(p.Brands), func(b string) bool {
		return b == "nvidia" || b == "nvidiartx" || b == "quadrortx"
	})
}

// FindProduct reads a name as people, nvidia-smi, lspci and Kubernetes labels write it: "NVIDIA H100 80GB HBM3",
// "A100-SXM4-40GB", "GH100 [H100 SXM5 80GB]", "8x rtx4090", "Tesla-T4-SHARED". A virtual GPU ("GRID T4-16Q") has the compute
// capability of its board; its class and brand are those of its licence, so not known.
func FindProduct(name string) (Product, bool) {
	words := split(name)
	for _, p := range Products() {
		if inOrder(strings.Fields(p.Words), words) {
			if slices.Contains(words, "GRID") {
				p.Class, p.Brands = ClassUnknown, nil
			}
			return p, true
		}
	}
	return Product{}, false
}

// split cuts a name into words of capital letters and digits. "RTX4090" is two words, like "RTX 4090".
func split(name string) []string {
	words := strings.FieldsFunc(strings.ToUpper(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var out []string
	for _, word := range words {
		for _, series := range []string{"RTX", "GTX"} {
			if rest, ok := strings.CutPrefix(word, series); ok && rest != "" {
				out = append(out, series)
				word = rest
			}
		}
		out = append(out, word)
	}
	return out
}

// inOrder says whether every pattern matches a word, each one after the one before.
func inOrder(patterns, words []string) bool {
	for _, word := range words {
		if len(patterns) > 0 && match(patterns[0], word) {
			patterns = patterns[1:]
		}
	}
	return len(patterns) == 0
}

func match(pattern, word string) bool {
	for i := range len(pattern) {
		if pattern[i] == '*' {
			return true
		}
		if i >= len(word) || !matchByte(pattern[i], word[i]) {
			return false
		}
	}
	return len(pattern) == len(word)
}

func matchByte(p, b byte) bool {
	switch p {
	case '#':
		return '0' <= b && b <= '9'
	case '%':
		return '1' <= b && b <= '9'
	}
	return p == b
}
