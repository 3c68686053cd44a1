package facts

import "testing"

func TestMatchesProduct(t *testing.T) {
	t.Parallel()
	tests := []struct {
		want, name string
		driver, ok bool
	}{
		{"H100", "NVIDIA H100 80GB HBM3", true, true},
		{"h100 80gb", "NVIDIA H100 80GB HBM3", true, true},
		{"H100 NVL", "NVIDIA H100 80GB HBM3", true, false},
		{"H100 80GB HBM3", "H100 SXM5 80GB", false, true}, // names of the list of PCI ids differ
		{"H100 NVL", "H100L 94GB", true, true},
		{"H100", "GH100", true, false},
		{"H100 SXM", "H100 SXM5 80GB", true, true},
		{"A10", "NVIDIA A100-SXM4-80GB", true, false},
		{"A100", "NVIDIA A100-SXM4-80GB", true, true},
		{"L40", "NVIDIA L40S", true, false},
		{"L4", "NVIDIA L40S", true, false},
		{"RTX4090", "NVIDIA GeForce RTX 4090", true, true},
		{"RTX 4090", "GeForce RTX 4090", false, true},
		{"4090", "GeForce RTX 5090", false, false},
		{"MI300X", "Instinct MI300X VF", false, true},
		{"GH200", "GH200 120GB / 480GB", false, true},
		{"RTX PRO 6000", "NVIDIA RTX PRO 6000 Blackwell Server Edition", true, true},
	}
	for _, tt := range tests {
		if got := matchesProduct(tt.want, tt.name, tt.driver); got != tt.ok {
			t.Errorf("%q is %q (driver %v): %v", tt.name, tt.want, tt.driver, got)
		}
	}
}

func TestPCINamesAreKnownForCommonCards(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{"10de:2330": "H100 SXM5 80GB", "10de:1eb8": "Tesla T4", "10de:2901": "B200", "1002:74a1": "Instinct MI300X", "8086:0bd5": "", "10de:ffff": ""} {
		if got := pciName(id[:4], id[5:]); got != want {
			t.Errorf("%s is %q", id, got)
		}
	}
}

func TestLongSlot(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"17:00.0": "0000:17:00.0", "00000000:1B:00.0": "0000:1b:00.0", "0000000F:01:00.0": "000f:01:00.0",
		"0000:03:00": "0000:03:00", "": "", "::": "", "zz:00.0": "", "[N/A]": "", "10000:01:00.0": "10000:01:00.0"} {
		if got := longSlot(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}
