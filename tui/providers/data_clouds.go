package providers

// clouds are the large ones, of which GPUs are a small part.
func clouds() []Provider {
	return []Provider{
		{
			ID: "aws", Name: "Amazon Web Services", Kinds: []Kind{VM, BareMetal}, Fit: Fits, Logins: []string{"ubuntu"},
			Driver: "the \"Deep Learning Base OSS Nvidia Driver GPU AMI (Ubuntu 22.04)\" brings it; plain images have none",
			Traps: []string{
				"Security groups are closed between machines unless a rule names the group itself.",
				"Spot machines get two minutes' notice through the metadata service.",
			},
			Source: surveyed, Read: readOn,
		},
		{
			ID: "azure", Name: "Microsoft Azure", Kinds: []Kind{VM}, Fit: Fits, Logins: []string{"azureuser"},
			Driver: "HPC images bring it",
			Traps: []string{
				"The login name is chosen when the machine is made; azureuser is the usual one.",
				"Trusted launch means Secure Boot, which refuses an unsigned driver.",
				"Spot machines get about 30 seconds' notice.",
			},
			Source: surveyed, Read: readOn,
		},
		{
			ID: "gcp", Name: "Google Cloud", Kinds: []Kind{VM, BareMetal}, Fit: Fits,
			Traps: []string{
				"The login name is chosen by the renter.",
				"Shielded VMs have Secure Boot, which refuses an unsigned driver.",
				"The network card is a gVNIC.",
				"Preempted machines get about 30 seconds' notice.",
			},
			Source: surveyed, Read: readOn,
		},
		{
			ID: "oci", Name: "Oracle Cloud", Kinds: []Kind{VM, BareMetal}, Fit: Fits, Logins: []string{"ubuntu", "opc"},
			Traps:  []string{"Ubuntu images log in as ubuntu, Oracle Linux as opc.", "No local notice before a preemptible machine ends was found."},
			Source: surveyed, Read: readOn,
		},
	}
}
