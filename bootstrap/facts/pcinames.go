package facts

// pciName names accelerators for hosts whose own list of PCI ids is missing or
// older than the card. It is only the last resort: nvidia-smi and lspci come
// first. Names and ids are those of pci.ids (2023.04.10, and for what came later
// those that lspci of newer hosts prints, seen by 2026-12-01); 2941, 3182 and
// 31c2 are from the device lists of NVIDIA's mig-parted.
func pciName(vendor, device string) string {
	switch vendor {
	case VendorNVIDIA:
		return nvidiaName(device)
	case VendorAMD:
		return amdName(device)
	}
	return ""
}

func nvidiaName(device string) string {
	switch device {
	case "15f8":
		return "Tesla P100 PCIe 16GB"
	case "15f9":
		return "Tesla P100 SXM2 16GB"
	case "1db1":
		return "Tesla V100 SXM2 16GB"
	case "1db4":
		return "Tesla V100 PCIe 16GB"
	case "1db5":
		return "Tesla V100 SXM2 32GB"
	case "1db6":
		return "Tesla V100 PCIe 32GB"
	case "1eb8":
		return "Tesla T4"
	case "20b0":
		return "A100 SXM4 40GB"
	case "20b2":
		return "A100 SXM4 80GB"
	case "20b5":
		return "A100 PCIe 80GB"
	case "20b7":
		return "A30 PCIe"
	case "20f1":
		return "A100 PCIe 40GB"
	case "2230":
		return "RTX A6000"
	case "2235":
		return "A40"
	case "2236":
		return "A10"
	case "2237":
		return "A10G"
	}
	return newerNVIDIAName(device)
}

// newerNVIDIAName has Hopper, Ada and Blackwell.
func newerNVIDIAName(device string) string {
	switch device {
	case "2321":
		return "H100L 94GB"
	case "2330":
		return "H100 SXM5 80GB"
	case "2331":
		return "H100 PCIe"
	case "2335":
		return "H200 SXM 141GB"
	case "233b":
		return "H200 NVL"
	case "2342":
		return "GH200 120GB / 480GB"
	case "2684":
		return "GeForce RTX 4090"
	case "26b1":
		return "RTX 6000 Ada Generation"
	case "26b5":
		return "L40"
	case "26b9":
		return "L40S"
	case "27b8":
		return "L4"
	case "2901":
		return "B200"
	case "2941":
		return "GB200"
	case "2b85":
		return "GeForce RTX 5090"
	case "2bb1":
		return "RTX PRO 6000 Blackwell Workstation Edition"
	case "2bb5":
		return "RTX PRO 6000 Blackwell Server Edition"
	case "3182":
		return "B300"
	case "31c2":
		return "GB300"
	}
	return ""
}

func amdName(device string) string {
	switch device {
	case "7408":
		return "Instinct MI250X"
	case "740c":
		return "Instinct MI250X/MI250"
	case "740f":
		return "Instinct MI210"
	case "74a1":
		return "Instinct MI300X"
	case "74b5":
		return "Instinct MI300X VF"
	}
	return ""
}
