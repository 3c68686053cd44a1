package image

import (
	"slices"
	"strconv"
	"strings"
)

// Requirement is one condition that an image sets for the host, as NVIDIA's container tools collect them.
type Requirement struct {
	Name string `json:"name"` // the variable, "NVIDIA_REQUIRE_CUDA"
	Expr string `json:"expr"` // its value
}

const (
	requirePrefix  = "NVIDIA_REQUIRE_"
	requireCUDA    = requirePrefix + "CUDA"
	requireJetpack = requirePrefix + "JETPACK" // what to mount on a Jetson, no requirement
	mostRequired   = 32                        // nvidia-container-cli takes no more
)

// environment reads NAME=value; the last one of a name counts, as in a container.
func environment(env []string) map[string]string {
	values := make(map[string]string, len(env))
	for _, e := range env {
		if name, value, ok := strings.Cut(e, "="); ok {
			values[name] = value
		}
	}
	return values
}

// requirements collects what the image requires, sorted by name: the NVIDIA_REQUIRE_ variables, and for an image from
// before those (CUDA_VERSION without NVIDIA_REQUIRE_CUDA) its CUDA version. All of them must hold. disabled says that the
// image turns the check off. broken is the CUDA_VERSION of an image from before that NVIDIA's tools refuse to read.
func requirements(env map[string]string) (all []Requirement, disabled bool, broken string) {
	if off, err := strconv.ParseBool(env["NVIDIA_DISABLE_REQUIRE"]); err == nil && off {
		return nil, true, ""
	}
	for name, value := range env {
		if strings.HasPrefix(name, requirePrefix) && !strings.HasPrefix(name, requireJetpack) && value != "" {
			all = append(all, Requirement{name, value})
		}
	}
	if version := env["CUDA_VERSION"]; version != "" && env[requireCUDA] == "" {
		short, ok := majorMinor(version)
		if !ok {
			broken = version
		} else {
			all = append(all, Requirement{"CUDA_VERSION", "cuda>=" + short})
		}
	}
	slices.SortFunc(all, func(a, b Requirement) int { return strings.Compare(a.Name, b.Name) })
	return all, false, broken
}

// majorMinor reads a CUDA_VERSION as the container toolkit does: as a semantic version of one to three numbers, so that
// NVIDIA's own 12.8.0.038 is an error there.
func majorMinor(version string) (string, bool) {
	number, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), "+")
	number, _, _ = strings.Cut(number, "-")
	parts := append(strings.Split(number, "."), "0")
	if len(parts) > 4 {
		return "", false
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil {
			return "", false
		}
		parts[i] = strconv.FormatUint(n, 10)
	}
	return parts[0] + "." + parts[1], true
}
