package facts

import (
	"slices"
	"strings"
	"unicode"
)

// matchesProduct says whether a GPU is of the product the inventory promises.
// Words are compared whole, so A10 is not A100 and L40 is not L40S; "H100 SXM"
// is also H100 SXM5, and RTX4090 is RTX 4090. driver says that the name is the
// driver's: other sources write form and memory differently, so then only the
// model counts.
func matchesProduct(want, name string, driver bool) bool {
	have := productWords(name)
	for _, w := range productWords(want) {
		if !driver && !modelWord(w) {
			continue
		}
		if !hasWord(have, w) {
			return false
		}
	}
	return true
}

// productWords are the words of a product name in lower case. The list of PCI
// ids writes H100L for what NVIDIA sells as H100 NVL.
func productWords(name string) []string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if i := slices.Index(words, "h100l"); i >= 0 {
		words = append(words[:i:i], append([]string{"h100", "nvl"}, words[i+1:]...)...)
	}
	return words
}

// modelWord says whether a word tells the model, such as h100 or 4090: it has a
// digit, and is not a size or a form.
func modelWord(w string) bool {
	if !strings.ContainsFunc(w, unicode.IsDigit) {
		return false
	}
	return !strings.HasSuffix(w, "gb") && !strings.HasPrefix(w, "hbm") && !strings.HasPrefix(w, "sxm")
}

// hasWord says whether a word is there, alone, as two words written together, or
// as a word of letters that goes on in digits.
func hasWord(have []string, w string) bool {
	for i, h := range have {
		if h == w || (i+1 < len(have) && h+have[i+1] == w) {
			return true
		}
		rest, ok := strings.CutPrefix(h, w)
		if ok && !strings.ContainsFunc(w, unicode.IsDigit) && !strings.ContainsFunc(rest, unicode.IsLetter) {
			return true
		}
	}
	return false
}
