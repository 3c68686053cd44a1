package cuda

import "testing"

// Names as nvidia-smi, lspci, node labels and people write them.
func TestFindProduct(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, capability string
		class            Class
	}{
		{"NVIDIA H100 80GB HBM3", "9.0", DataCentre},
		{"NVIDIA-H100-80GB-HBM3-SHARED", "9.0", DataCentre},
		{"NVIDIA H100 NVL", "9.0", DataCentre},
		{"NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)", "9.0", DataCentre},
		{"GH100 [H100L 94GB]", "9.0", DataCentre},
		{"NVIDIA H200", "9.0", DataCentre},
		{"NVIDIA GH200 96GB HBM3", "9.0", DataCentre},
		{"A100-SXM4-40GB", "8.0", DataCentre},
		{"NVIDIA A100-SXM4-80GB MIG 1g.10gb", "8.0", DataCentre},
		{"NVIDIA A10G", "8.6", DataCentre},
		{"NVIDIA A2", "8.6", DataCentre},
		{"Tesla T4", "7.5", DataCentre},
		{"Tesla-V100-SXM2-16GB", "7.0", DataCentre},
		{"GV100GL [Tesla V100 PCIe 32GB]", "7.0", DataCentre},
		{"Tesla P100-PCIE-16GB", "6.0", DataCentre},
		{"Tesla K80", "3.7", DataCentre},
		{"NVIDIA L40S", "8.9", DataCentre},
		{"AD104GL [L4]", "8.9", DataCentre},
		{"NVIDIA B200", "10.0", DataCentre},
		{"8x B200", "10.0", DataCentre},
		{"b300", "10.3", DataCentre},
		{"NVIDIA GB200", "10.0", DataCentre},
		{"NVIDIA GB10", "12.1", ClassUnknown},
		{"NVIDIA GeForce RTX 4090", "8.9", GeForce},
		{"NVIDIA GeForce RTX 4090 D", "8.9", GeForce},
		{"rtx4090", "8.9", GeForce},
		{"NVIDIA GeForce RTX 3070 Laptop GPU", "8.6", GeForce},
		{"NVIDIA GeForce RTX 2080 Ti", "7.5", GeForce},
		{"GeForce GTX 1080 Ti", "6.1", GeForce},
		{"RTX 5090", "12.0", GeForce},
		{"NVIDIA TITAN V", "7.0", GeForce},
		{"TITAN Xp", "6.1", GeForce},
		{"Quadro RTX 4000", "7.5", Workstation},
		{"Quadro P4000", "6.1", Workstation},
		{"NVIDIA RTX A6000", "8.6", Workstation},
		{"NVIDIA RTX A2000 8GB Laptop GPU", "8.6", Workstation},
		{"GA104GL [RTX A4000]", "8.6", Workstation},
		{"NVIDIA RTX 6000 Ada Generation", "8.9", Workstation},
		{"NVIDIA RTX 5880 Ada Generation", "8.9", Workstation},
		{"NVIDIA RTX 4000 SFF Ada Generation", "8.9", Workstation},
		{"NVIDIA RTX PRO 6000 Blackwell Server Edition", "12.0", DataCentre},
		{"NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "12.0", Workstation},
		{"RTX PRO 6000", "12.0", ClassUnknown},
		{"NVIDIA RTX PRO 4000 Blackwell", "12.0", Workstation},
		{"GRID T4-16Q", "7.5", ClassUnknown},
		{"NVIDIA Corporation AD102 [10de:2684]", "8.9", ClassUnknown},
		{"Orin (nvgpu)", "8.7", Jetson},
		// Not said, so not guessed: "RTX 4000" is a Quadro of 2018 or a workstation board of 2023.
		{"RTX 4000", "", ""}, {"NVIDIA Corporation Device 2941", "", ""}, {"AMD Instinct MI300X", "", ""}, {"", "", ""},
		{"GPU", "", ""}, {"T4000", "", ""}, {"Matrox G200eW3", "", ""},
	} {
		p, ok := FindProduct(c.name)
		if ok != (c.capability != "") || ok && p.Capability.String() != c.capability || p.Class != c.class {
			t.Errorf("%q: %q, compute capability %s, class %q; want %q, %q", c.name, p.Words, p.Capability, p.Class, c.capability, c.class)
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, s := range []string{"NVIDIA H100 80GB HBM3", "8x rtx4090", "570.124.06", "12.8.0.038", "RTX", "\xff", "ⅷ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if p, ok := FindProduct(s); ok && p.Capability.IsZero() {
			t.Errorf("%q is a product without compute capability", s)
		}
		if d, err := ParseDriver(s); err == nil {
			if again, err := ParseDriver(d.String()); err != nil || again.Compare(d) != 0 {
				t.Errorf("%q became %q: %v", s, d, err)
			}
			if low, high := d.Native(); !high.IsZero() && high.Less(low) {
				t.Errorf("%q speaks CUDA %s to %s", s, low, high)
			}
		}
		if v, err := ParseVersion(s); err == nil && !v.IsZero() {
			if again, err := ParseVersion(v.String()); err != nil || again != v {
				t.Errorf("%q became %q: %v", s, v, err)
			}
		}
	})
}
