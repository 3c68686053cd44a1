package image

import (
	"strings"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// resolved is a GPU with everything that the tables know of it.
type resolved struct {
	GPU
	vendor     Vendor
	product    cuda.Product
	capability cuda.Version
	arch       cuda.Architecture // its Name is "" where the capability is not known
	class      cuda.Class
	target     string // of an AMD GPU: "gfx942"
}

func (g GPU) resolve() resolved {
	r := resolved{GPU: g, vendor: g.Vendor, capability: g.Capability, class: g.Class}
	if g.Vendor == AMD || g.Vendor == VendorUnknown {
		r.target, _ = target(g.Product)
	}
	if product, ok := cuda.FindProduct(g.Product); ok && (g.Vendor == NVIDIA || g.Vendor == VendorUnknown) {
		r.product = product
		if r.capability.IsZero() {
			r.capability = product.Capability
		}
		if r.class == cuda.ClassUnknown {
			r.class = product.Class
		}
	}
	r.arch, _ = cuda.ArchitectureOf(r.capability)
	if r.vendor == VendorUnknown {
		r.vendor = vendorOf(g.Product, r)
	}
	return r
}

// brand writes a brand as requirements do: "NVIDIA RTX" is nvidiartx.
func brand(s string) string { return strings.ToLower(strings.ReplaceAll(s, " ", "")) }

func vendorOf(product string, r resolved) Vendor {
	product = strings.ToLower(product)
	switch {
	case !r.capability.IsZero(), strings.Contains(product, "nvidia"), strings.Contains(product, "geforce"):
		return NVIDIA
	case r.target != "", strings.Contains(product, "instinct"), strings.Contains(product, "radeon"):
		return AMD
	case strings.Contains(product, "intel"):
		return Intel
	}
	return VendorUnknown
}

// name is how the answer calls the GPU.
func (r resolved) name() string {
	switch {
	case r.Product != "":
		return r.Product
	case !r.capability.IsZero():
		return "GPU of compute capability " + r.capability.String()
	case r.vendor != VendorUnknown:
		return string(r.vendor) + " GPU"
	}
	return "GPU"
}

// family is the architecture with its number, for sentences: "Hopper (sm_90)".
func (r resolved) family() string {
	if r.arch.Name == "" {
		return r.name()
	}
	return r.arch.Name + " (" + r.capability.SM() + ")"
}
