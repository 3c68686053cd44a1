package providers

// machines are providers of virtual machines for GPU work.
func machines() []Provider {
	return []Provider{
		{
			ID: "lambda", Name: "Lambda", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"ubuntu"},
			Driver: "preinstalled (Lambda Stack); Docker is there, the container toolkit not always",
			Traps: []string{
				"There is no stopped state: to terminate a machine wipes its NVMe disks; the regional NFS stays.",
				"The firewall opens port 22 only; other ports have to be added.",
				"Its images may be set to the cgroupfs driver.",
			},
			Source: surveyed, Read: readOn,
		},
		{
			ID: "nebius", Name: "Nebius", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"ubuntu"},
			Driver: "image family ubuntu24.04-cuda13.0, or without a driver",
			Traps: []string{
				"The login name is what cloud-init was given when the machine was made.",
				"sshd forbids TCP forwarding by default: gpuboot then needs a helper on the host to reach the API.",
				"InfiniBand comes only with machines of one GPU cluster (\"fabric\").",
				"Take a disk of 40 GB or more.",
			},
			Source: surveyed, Read: readOn,
		},
		{
			ID: "crusoe", Name: "Crusoe", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"ubuntu"},
			Driver: "images ubuntu22.04-nvidia-sxm-docker and -pcie-docker bring it; ubuntu-rocm for AMD",
			Traps: []string{
				"Only instance types with -ib or -roce have RDMA.",
				"The ephemeral NVMe disks come unformatted.",
				"Ubuntu 20.04 images were removed in November 2025.",
			},
			Source: surveyed, Read: readOn,
		},
		{
			ID: "verda", Name: "Verda (DataCrunch)", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"root"},
			Driver:     "Ubuntu 24.04 with CUDA 13, the open driver and Docker; A6000 and V100 get Ubuntu 22.04 with CUDA 12.0",
			Traps:      []string{"Spot machines exist, and no notice before they end was found."},
			Unverified: []string{"a shared filesystem (SFS) over NFS"},
			Source:     surveyed, Read: readOn,
		},
		{
			ID: "hyperstack", Name: "Hyperstack", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"ubuntu"},
			Driver:     "the image's name tells (\"R535 CUDA 12.2\"); plain images have none",
			Traps:      []string{"The public address is a floating one behind NAT, and optional."},
			Unverified: []string{"an ephemeral disk at /ephemeral"},
			Source:     surveyed, Read: readOn,
		},
		{
			ID: "scaleway", Name: "Scaleway", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"root", "ubuntu"},
			Driver: "\"GPU OS 12\" is Ubuntu 24.04 with driver and Docker",
			Traps: []string{
				"The scratch NVMe of H100 machines has to be declared and mounted.",
				"Take the block volume as large as advised.",
			},
			Source: surveyed, Read: readOn,
		},
		{
			ID: "ovh", Name: "OVHcloud", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"ubuntu"},
			Driver: "none: its guide installs cuda-drivers and kernel headers, then reboots",
			Source: surveyed, Read: readOn,
		},
	}
}

// moreMachines are the further ones.
func moreMachines() []Provider {
	return []Provider{
		{
			ID: "tensordock", Name: "TensorDock", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"user", "root"},
			Traps: []string{
				"Without a dedicated address, ports are forwarded through NAT: machines cannot reach each other by their public address.",
				"The smallest disk is 100 GB.",
			},
			Unverified: []string{"the login names", "what the image (ubuntu2404) brings of the driver"},
			Source:     surveyed, Read: readOn,
		},
		{
			ID: "digitalocean", Name: "DigitalOcean", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"root"},
			Driver: "images gpu-h100x1-base, gpu-h100x8-base and gpu-amd-base bring it",
			Traps:  []string{"Machines have 1 or 8 GPUs.", "The private network is on a second network card."},
			Source: surveyed, Read: readOn,
		},
		{
			ID: "cloudrift", Name: "CloudRift", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"riftuser"},
			Driver: "preinstalled", Source: surveyed, Read: readOn,
		},
		{
			ID: "hotaisle", Name: "Hot Aisle", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"hotaisle"},
			Driver: "ROCm: its GPUs are AMD MI300X", Source: surveyed, Read: readOn,
		},
		{
			ID: "jarvislabs", Name: "JarvisLabs", Kinds: []Kind{VM}, Fit: Partly,
			Why:    "This row is about its VM product.",
			Logins: []string{"ubuntu"}, Driver: "preinstalled", Source: surveyed, Read: readOn,
		},
		{
			ID: "vultr", Name: "Vultr", Kinds: []Kind{VM, BareMetal}, Fit: Fits, Logins: []string{"root"},
			Driver: "GPU images bring it; slices of a GPU have a vGPU guest driver",
			Traps: []string{
				"Slices (\"GRID A100D-4C\") are vGPUs: their guest driver must stay as it is, and MIG is impossible on them.",
			},
			Source: surveyed + "; NVIDIA/gpu-operator#504", Read: readOn,
		},
		{
			ID: "latitude", Name: "Latitude.sh", Kinds: []Kind{BareMetal}, Fit: Fits, Logins: []string{"ubuntu"},
			Driver: "none by default",
			Traps: []string{
				"Its Ubuntu 24.04 image refuses root over SSH; ubuntu has sudo without a password.",
				"A private VLAN is an extra that has to be ordered.",
			},
			Unverified: []string{"that images have no driver"},
			Source:     surveyed, Read: readOn,
		},
		{
			ID: "hetzner", Name: "Hetzner GEX", Kinds: []Kind{BareMetal}, Fit: Fits, Logins: []string{"root"},
			Driver: "none",
			Traps: []string{
				"The system is installed from the rescue system with installimage; the Debian image is not supported by the driver container.",
				"One GPU a machine (RTX 4000 Ada, RTX 6000 Ada or RTX PRO Blackwell).",
				"A vSwitch has an MTU of 1400.",
			},
			Unverified: []string{"that images have no driver"},
			Source:     surveyed, Read: readOn,
		},
	}
}
