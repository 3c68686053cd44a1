package bootstrap

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
)

// summary is what people want to know of a host at one glance.
func summary(f *facts.Facts) map[string]string {
	out := map[string]string{
		"os":     f.OS.PrettyName,
		"arch":   f.Arch,
		"kernel": f.Kernel,
		"cpus":   fmt.Sprint(f.CPUs),
		"memory": fmt.Sprintf("%.0f GiB", float64(f.MemoryBytes)/(1<<30)),
		"gpus":   gpuSummary(f.GPUs),
	}
	if f.NVIDIA.DriverVersion != "" {
		out["driver"] = f.NVIDIA.DriverVersion
	}
	if f.K3s.Version != "" {
		out["k3s"] = f.K3s.Version
	}
	return out
}

// gpuSummary counts GPUs by name: "8x NVIDIA H100".
func gpuSummary(gpus []facts.PCIDevice) string {
	if len(gpus) == 0 {
		return "none"
	}
	count := map[string]int{}
	for _, g := range gpus {
		name := g.Name
		if name == "" {
			name = g.VendorID + ":" + g.DeviceID
		}
		count[name]++
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		parts = append(parts, fmt.Sprintf("%dx %s", count[name], name))
	}
	return strings.Join(parts, ", ")
}
