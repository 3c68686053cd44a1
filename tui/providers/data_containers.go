package providers

// Where the rows were read: the backends of an orchestrator that rents from these
// providers, the templates of another, and the providers' own pages.
const (
	surveyed = "dstack backends (src/dstack/_internal/core/backends), SkyPilot templates, the provider's documentation"
	readOn   = "2026-08-23"
)

// containers are the providers whose usual product is a container.
func containers() []Provider {
	return []Provider{
		{
			ID: "runpod", Name: "RunPod", Kinds: []Kind{Container, BareMetal}, Fit: Partly,
			Why:    "Pods are containers: they share the provider's kernel and have no systemd, so they cannot run k3s; only its bare-metal products could.",
			Logins: []string{"root"},
			Driver: "the provider's, seen from inside the container",
			Traps:  []string{"SSH is on an unusual port."},
			Unverified: []string{
				"that bare-metal and instant clusters are separate products on which k3s runs",
			},
			Source: surveyed, Read: readOn,
		},
		{
			ID: "vast", Name: "Vast.ai", Kinds: []Kind{Container, VM}, Fit: Partly,
			Why:    "The default product is a container and cannot run k3s; an instance made from a VM template (\"Ubuntu 22.04 VM\") can.",
			Logins: []string{"root"},
			Driver: "containers see the provider's; the VM template brings CUDA and Docker",
			Traps: []string{
				"SSH is on a mapped port.",
				"VM instances take their SSH keys when they are made, and only then.",
			},
			Source: surveyed + "; docs.vast.ai, guides/instances/virtual-machines", Read: readOn,
		},
		{
			ID: "coreweave", Name: "CoreWeave", Kinds: []Kind{Managed, BareMetal}, Fit: Unfit,
			Why:        "It sells Kubernetes itself, on bare-metal nodes that are not meant to be reached by SSH.",
			Unverified: []string{"that no product offers SSH to the machine"},
			Source:     surveyed, Read: readOn,
		},
	}
}
