package facts

import (
	"strings"
	"testing"
)

func TestSamplesDriverVersion(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t, "driver", "proc-version-") {
		version, open, err := parseDriverVersion(text)
		if name == "proc-version-absent.txt" {
			if err == nil {
				t.Errorf("%s: %s", name, version)
			}
			continue
		}
		if err != nil || open != strings.Contains(name, "-open-") || !driverVersion(version) {
			t.Errorf("%s: %q %v %v", name, version, open, err)
		}
	}
}

func TestSamplesModulesAndSecureBoot(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t, "driver", "proc-modules-") {
		f := newFacts()
		if err := readModules(f, ended(text)); err != nil || len(f.Modules.Loaded) < 2 {
			t.Errorf("%s: %+v %v", name, f.Modules, err)
		}
	}
	want := map[string]string{"mokutil-enabled.txt": "yes", "mokutil-no-efi.txt": "no", "mokutil-setup-mode.txt": "no"}
	for name, text := range samples(t, "driver", "mokutil-") {
		if got, err := parseSecureBoot(firstLine(text)); got != want[name] || err != nil {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
}

func TestSamplesSMITable(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t, "nvidia-smi", "csv-") {
		gpus, err := parseSMI(text)
		switch name {
		case "csv-470-compute-cap-invalid.txt", "csv-noheader-nounits.txt", "csv-fabric-state.txt":
			if err == nil {
				t.Errorf("%s was read: %+v", name, gpus)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, g := range gpus {
			if longSlot(g.Bus) == "" || (g.Fault == "" && (g.Name == "" || g.UUID == "" || !driverVersion(g.Driver))) {
				t.Errorf("%s: %+v", name, g)
			}
			if strings.ContainsAny(g.Name+g.MIG+g.Compute, "[]") {
				t.Errorf("%s: a bracket is left: %+v", name, g)
			}
		}
	}
}

func TestSamplesSMIFaults(t *testing.T) {
	t.Parallel()
	all := samples(t, "nvidia-smi", "csv-")
	for name, want := range map[string]string{"csv-gpu-is-lost.txt": SMILost, "csv-gpu-requires-reset.txt": SMIReset, "csv-h100x8.txt": SMIOK} {
		f := newFacts()
		if err := readSMI(f, ended(all[name])); err != nil || f.NVIDIA.SMI != want {
			t.Errorf("%s: %q %v", name, f.NVIDIA.SMI, err)
		}
	}
	lost := newFacts()
	if err := readSMI(lost, ended(all["csv-ecc-uncorrected.txt"])); err != nil || lost.NVIDIA.GPUs[2].Uncorrected <= 0 {
		t.Errorf("ECC: %+v %v", lost.NVIDIA.GPUs, err)
	}
}

func TestSamplesSMIRefusals(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"cannot-communicate": SMINoDriver, "command-not-found-bash": SMIMissing, "command-not-found-dash": SMIMissing,
		"device-handle-new": SMILost, "device-handle-no-fabric": SMILost, "gpu-lost-old": SMILost, "insufficient-permissions": SMIPermission,
		"mismatch-old": SMIMismatch, "mismatch-with-version": SMIMismatch, "no-devices": SMINoDevices, "no-nvml-lib": SMINoLibrary,
		"unknown-error": SMIUnknown,
	}
	for name, text := range samples(t, "nvidia-smi", "fail-") {
		key := strings.TrimSuffix(strings.TrimPrefix(name, "fail-"), ".txt")
		if w := want[key]; w != "" {
			if got := classifySMI(text, "1"); got != w {
				t.Errorf("%s: %q, want %q", name, got, w)
			}
		}
		if _, err := parseSMI(text); err == nil {
			t.Errorf("%s was read as a table", name)
		}
	}
	if got := classifySMI("", "137"); got != SMITimeout {
		t.Errorf("killed: %q", got)
	}
}

func TestSamplesLspci(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t, "lspci", "") {
		if name == "sysfs-pci-fallback.txt" || name == "lspci-missing.txt" {
			continue
		}
		for slot, n := range parseLspciNames(text) {
			if longSlot(slot) != slot || n == "" || strings.ContainsAny(n, "[]") {
				t.Errorf("%s: %s %q", name, slot, n)
			}
		}
	}
	h100 := parseLspciNames(samples(t, "lspci", "h100x8")["h100x8-hgx-ib.txt"])
	if h100["0000:1b:00.0"] != "H100 SXM5 80GB" {
		t.Errorf("%v", h100)
	}
	for _, line := range lines(samples(t, "lspci", "sysfs-")["sysfs-pci-fallback.txt"]) {
		d, err := parsePCILine(line)
		if line != "..." && err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if d.VendorID == VendorNVIDIA && !d.accelerator() {
			t.Errorf("%+v is no accelerator", d)
		}
	}
}

func TestSamplesKernlog(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t, "kernel-log", "") {
		k := parseKernlog(text)
		if wants := strings.HasPrefix(name, "xid-") || name == "sxid.txt"; wants != (len(k.Xids) > 0) {
			t.Errorf("%s: %+v", name, k.Xids)
		}
		for _, x := range k.Xids {
			if x.Code == 0 || x.Text == "" || longSlot(x.Bus+".0") == "" && longSlot(x.Bus) == "" || x.Switch != (name == "sxid.txt") {
				t.Errorf("%s: %+v", name, x)
			}
		}
		if parts := strings.Split(strings.TrimSuffix(name, ".txt"), "-"); parts[0] == "xid" && len(k.Xids) > 0 {
			if code, ok := atoi(parts[1]); ok && k.Xids[0].Code != code && !strings.Contains(name, "145-149") {
				t.Errorf("%s: first is %d", name, k.Xids[0].Code)
			}
		}
	}
}

// Lines with which the driver refuses a GPU are known, and the harmless one is
// not taken for one.
func TestSamplesDriverRefusals(t *testing.T) {
	t.Parallel()
	all := samples(t, "kernel-log", "")
	for name, text := range all {
		k := parseKernlog(text)
		found := false
		for _, r := range refusals() {
			for _, l := range k.Lines {
				found = found || strings.Contains(l, r.text)
			}
		}
		want := false
		switch name {
		case "legacy-driver-needed.txt", "open-module-required.txt", "open-module-unsupported-gpu.txt", "gsp-firmware-missing.txt",
			"nova-core-conflict.txt", "nouveau-conflict.txt", "secureboot-lockdown.txt":
			want = true
		}
		if found != want {
			t.Errorf("%s: a refusal is found: %v, in %q", name, found, k.Lines)
		}
	}
}
