package image

import (
	"fmt"
	"strings"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// Host is what an image is judged against. Everything may be missing; what is missing and matters makes the answer unknown.
type Host struct {
	Name string // for the answer; "" where there is no host
	Arch string // Go's name, "amd64"
	// Driver is the version of the NVIDIA driver, "570.124.06".
	Driver string
	// CUDA is the highest version that the driver speaks, as nvidia-smi prints it; zero takes it from the driver's branch.
	CUDA cuda.Version
	// GPUs are the different kinds of GPU on the host, one entry a kind. None with NoGPU false means not known.
	GPUs  []GPU
	NoGPU bool
	// Free is the room in bytes where the container runtime keeps images; nil means not known, and then disk is not judged.
	Free *int64
	// Requirements says what happens to NVIDIA_REQUIRE_* on this host.
	Requirements Enforcement
}

// Enforcement says whether something on a host checks NVIDIA_REQUIRE_* before a container starts.
type Enforcement string

// EnforcementUnknown is the zero value. Enforced: NVIDIA's legacy hook (nvidia-container-cli) or its csv mode does. Ignored:
// containers get their GPUs through CDI, the default of the GPU Operator since 25.10, and then nobody checks.
const (
	EnforcementUnknown Enforcement = ""
	Enforced           Enforcement = "enforced"
	Ignored            Enforcement = "ignored"
)

// Vendor of a GPU.
type Vendor string

// The vendors that are told apart. VendorUnknown takes the vendor from the product's name.
const (
	VendorUnknown Vendor = ""
	NVIDIA        Vendor = "nvidia"
	AMD           Vendor = "amd"
	Intel         Vendor = "intel"
)

// GPU is one kind of GPU. Product is enough for the kinds that package cuda knows; the other fields override what it knows.
type GPU struct {
	Vendor     Vendor
	Product    string       // as nvidia-smi, lspci or a node label names it: "NVIDIA H100 80GB HBM3"
	Capability cuda.Version // compute capability
	Class      cuda.Class
	Brand      string // as nvidia-smi -q prints it: "GeForce", "NVIDIA RTX"
}

// ParseHost makes a host of what a user types where there is none: a driver version ("570.124.06", or "" for not known), a
// GPU ("B200", "RTX 4090", "sm_90", "MI300X") and an architecture. An empty architecture is arm64 for a GPU that comes in
// one package with an Arm processor, else amd64. The error says which of them was not understood.
func ParseHost(driver, gpu, arch string) (Host, error) {
	h := Host{Arch: arch, Driver: strings.TrimSpace(driver)}
	if h.Driver != "" {
		if _, err := cuda.ParseDriver(h.Driver); err != nil {
			return Host{}, err
		}
	}
	g, err := parseGPU(gpu)
	if err != nil {
		return Host{}, err
	}
	h.GPUs = []GPU{g}
	if h.Arch == "" {
		h.Arch = "amd64"
		if g.resolve().product.Arm {
			h.Arch = "arm64"
		}
	}
	return h, nil
}

func parseGPU(text string) (GPU, error) {
	text = strings.TrimSpace(text)
	if digits, ok := strings.CutPrefix(strings.ToLower(text), "sm_"); ok && len(digits) > 1 && strings.Trim(digits, "0123456789") == "" {
		text = digits[:len(digits)-1] + "." + digits[len(digits)-1:]
	}
	if strings.Contains(text, ".") && numeric(text) {
		v, err := cuda.ParseVersion(text)
		if _, known := cuda.ArchitectureOf(v); err != nil || !known {
			return GPU{}, fmt.Errorf("reading the GPU %q: no compute capability of that number is known", text)
		}
		return GPU{Vendor: NVIDIA, Capability: v}, nil
	}
	g := GPU{Product: text}
	r := g.resolve()
	if r.capability.IsZero() && r.target == "" {
		return GPU{}, fmt.Errorf("reading the GPU %q: no such product is known; its compute capability (\"9.0\") works too", text)
	}
	g.Vendor = r.vendor
	return g, nil
}
