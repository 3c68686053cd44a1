package image

import "strings"

// rocmOf says whether an image is made for AMD's ROCm, and for which chips.
func rocmOf(env map[string]string) (rocm bool, targets []string) {
	for _, name := range []string{"ROCM_PATH", "ROCM_VERSION", "ROCM_HOME", "PYTORCH_ROCM_ARCH", "HIP_PLATFORM"} {
		rocm = rocm || env[name] != ""
	}
	for dir := range strings.SplitSeq(env["PATH"]+":"+env["LD_LIBRARY_PATH"], ":") {
		rocm = rocm || dir == "/opt/rocm" || strings.HasPrefix(dir, "/opt/rocm/") || strings.HasPrefix(dir, "/opt/rocm-")
	}
	targets = strings.FieldsFunc(env["PYTORCH_ROCM_ARCH"], func(r rune) bool { return r == ';' || r == ' ' || r == ',' })
	return rocm, targets
}

// target names the chip of an AMD GPU as compilers do. Source: AMD GPU specifications,
// https://rocm.docs.amd.com/en/latest/reference/gpu-specs.html, read 2026-12-01.
func target(product string) (string, bool) {
	product = strings.ToLower(product)
	if i := strings.Index(product, "gfx"); i >= 0 {
		word, _, _ := strings.Cut(product[i:], " ")
		return strings.Trim(word, "[]():,"), true
	}
	for _, row := range []struct{ name, target string }{
		{"mi355x", "gfx950"}, {"mi350x", "gfx950"}, {"mi325x", "gfx942"}, {"mi300x", "gfx942"}, {"mi300a", "gfx942"},
		{"mi250x", "gfx90a"}, {"mi250", "gfx90a"}, {"mi210", "gfx90a"}, {"mi200", "gfx90a"}, {"mi100", "gfx908"},
	} {
		if strings.Contains(product, row.name) {
			return row.target, true
		}
	}
	return "", false
}
