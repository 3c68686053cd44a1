package facts

// unpromised takes the promise of GPUs away.
func unpromised(w *world) { w.host("w1").GPUs = nil }

// bare is a GPU host without any driver.
func bare(f *Facts) {
	f.NVIDIA = NVIDIA{}
	delete(f.Units, "nvidia-fabricmanager.service")
	for i := range f.GPUs {
		f.GPUs[i].Driver, f.GPUs[i].Name = "", "H100 SXM5 80GB"
	}
}

func gpuCases() []ruleCase {
	name := func(n string) func(*world) {
		return on(func(f *Facts) {
			bare(f)
			for i := range f.GPUs {
				f.GPUs[i].Name = n
			}
		})
	}
	driver := func(d string, modules ...string) func(*world) {
		return on(func(f *Facts) {
			bare(f)
			for i := range f.GPUs {
				f.GPUs[i].Driver = d
			}
			f.NVIDIA.Modules = modules
		})
	}
	return []ruleCase{
		{"gpu-count", "one missing", on(func(f *Facts) { f.GPUs = f.GPUs[:7] }), Block, "", "7x NVIDIA H100"},
		{"gpu-count", "none", on(func(f *Facts) { f.GPUs = nil }), Block, "", "none"},
		{"gpu-count", "one more", on(func(f *Facts) { f.GPUs = append(f.GPUs, f.GPUs[0]) }), Info, "", "gpus: 9"},
		{"gpu-count", "virtual functions do not count", on(func(f *Facts) {
			f.GPUs = append(f.GPUs, PCIDevice{Slot: "0000:20:00.4", VendorID: VendorNVIDIA, Class: "0302", VF: true})
		}), "", "", ""},
		{"gpu-count", "a workstation card that is a display too", func(w *world) {
			w.host("w1").GPUs.Count, w.host("w1").GPUs.Product = 1, "W7900"
			w.all["w1"].GPUs, w.all["w1"].NVIDIA = nil, NVIDIA{}
			w.all["w1"].Devices = []PCIDevice{{Slot: "0000:03:00.0", VendorID: VendorAMD, DeviceID: "7448", Class: "0300", Name: "Radeon PRO W7900"}}
		}, "", "", ""},
		{"gpu-count", "not promised", func(w *world) { unpromised(w); w.all["w1"].GPUs = nil }, "", "", ""},
		{"gpu-product", "other", name("A100 SXM4 80GB"), Block, "", "8x A100"},
		{"gpu-product", "display card of another product", func(w *world) {
			w.all["w1"].GPUs, w.all["w1"].NVIDIA = nil, NVIDIA{}
			w.all["w1"].Devices = []PCIDevice{{VendorID: VendorAMD, Class: "0300", Name: "Raphael"}}
		}, Block, "", "Raphael"},
		{"gpu-product", "name unknown", name(""), Info, "", "10de:2330"},
		{"gpu-product", "name of the list of ids", name("H100 SXM5 80GB"), "", "", ""},
		{"nouveau-loaded", "nouveau", driver("nouveau", "nouveau"), Warn, "", "by nouveau"},
		{"nouveau-loaded", "nova", driver("NovaCore", "nova_core", "nova_drm"), Warn, "", "blacklist nova_core"},
		{"nouveau-loaded", "loaded, GPU free", driver("", "nouveau"), Warn, "", "loaded: nouveau"},
		{"nouveau-loaded", "nvidia's is there", nil, "", "", ""},
		{"gpu-passthrough", "promised", driver("vfio-pci"), Block, "", "0000:20:00.0"},
		{"gpu-passthrough", "not promised", func(w *world) { unpromised(w); driver("vfio-pci")(w) }, Warn, "", "vfio-pci"},
		{"gpu-passthrough", "no", nil, "", "", ""},
		{"gpu-memory", "remap failed", on(func(f *Facts) { f.NVIDIA.GPUs[2].RemapFailed = true }), Warn, "", "GPU 2: row remapping failed"},
		{"gpu-memory", "remap pending", on(func(f *Facts) { f.NVIDIA.GPUs[3].RemapPending = true }), Warn, "", "GPU 3"},
		{"gpu-memory", "errors", on(func(f *Facts) { f.NVIDIA.GPUs[1].Uncorrected = 4 }), Warn, "", "4 uncorrectable"},
		{"gpu-memory", "not counted", on(func(f *Facts) { f.NVIDIA.GPUs[1].Uncorrected = -1 }), "", "", ""},
	}
}

func driverCases() []ruleCase {
	smi := func(state, detail string) func(*world) {
		return on(func(f *Facts) { f.NVIDIA.SMI, f.NVIDIA.SMIDetail, f.NVIDIA.GPUs = state, detail, nil })
	}
	klog := func(line string) func(*world) {
		return on(func(f *Facts) { bare(f); f.NVIDIA.Loaded = true; f.Kernlog.Lines = []string{line} })
	}
	return []ruleCase{
		{"driver-not-loaded", "clean host", on(bare), Info, "", "choice of the plan"},
		{"driver-not-loaded", "installed", on(func(f *Facts) { bare(f); f.Modules.Available = append(f.Modules.Available, "nvidia") }), Warn, "", "module is on disk"},
		{"driver-not-loaded", "tools only", on(func(f *Facts) { bare(f); f.NVIDIA.Tools = []string{"/usr/bin/nvidia-smi"} }), Warn, "", "nvidia-smi exists"},
		{"driver-not-loaded", "loaded", nil, "", "", ""},
		{"driver-mismatch", "nvidia-smi", smi(SMIMismatch, "Driver/library version mismatch"), Block, "", "loaded: 570.133.20"},
		{"driver-mismatch", "kernel log", klog("API mismatch: the client has the version 570.158.01, but"), Block, "", "API mismatch"},
		{"driver-mismatch", "not promised", func(w *world) { unpromised(w); smi(SMIMismatch, "mismatch")(w) }, Warn, "", "mismatch"},
		{"driver-mismatch", "over, nvidia-smi works", on(func(f *Facts) { f.Kernlog.Lines = []string{"API mismatch: the client has"} }), "", "", ""},
		{"driver-refuses-gpu", "flavour", klog("installed in this system requires use of the NVIDIA open kernel modules."), Block, "", "-open package"},
		{"driver-refuses-gpu", "legacy", klog("supported through the NVIDIA 470.xx Legacy drivers. Please"), Block, "", "older branch"},
		{"driver-refuses-gpu", "works by now", on(func(f *Facts) { f.Kernlog.Lines = []string{"RmFetchGspRmImages: No firmware image found"} }), Info, "", "firmware"},
		{"driver-refuses-gpu", "harmless line", klog("loading NVIDIA UNIX x86_64 Kernel Module  570.133.20"), "", "", ""},
		{"nvidia-smi-failed", "slow", smi(SMITimeout, "no output"), Warn, "", "nvidia-smi -pm 1"},
		{"nvidia-smi-failed", "no library", smi(SMINoLibrary, "couldn't find libnvidia-ml"), Warn, "", "libnvidia-compute"},
		{"nvidia-smi-failed", "no program", smi(SMIMissing, "no output"), Warn, "", "nvidia-utils"},
		{"nvidia-smi-failed", "no devices", smi(SMINoDevices, "No devices were found"), Warn, "", "No devices"},
		{"nvidia-smi-failed", "no driver", smi(SMINoDriver, "couldn't communicate"), Warn, "", "communicate"},
		{"nvidia-smi-failed", "permission", smi(SMIPermission, "Insufficient Permissions"), Warn, "", "Insufficient"},
		{"nvidia-smi-failed", "unknown", smi(SMIUnknown, "Unknown Error"), Warn, "", "Unknown Error"},
		{"nvidia-smi-failed", "another rule's case", smi(SMIMismatch, "mismatch"), "", "", ""},
		{"secure-boot", "on", on(func(f *Facts) { bare(f); f.Security.SecureBoot = "yes" }), Warn, "", "Secure Boot: yes"},
		{"secure-boot", "lockdown", on(func(f *Facts) { bare(f); f.Security.Lockdown = "integrity" }), Warn, "", "integrity"},
		{"secure-boot", "driver is loaded all the same", on(func(f *Facts) { f.Security.SecureBoot = "yes" }), "", "", ""},
	}
}

func errorCases() []ruleCase {
	xid := func(x Xid) func(*world) { return on(func(f *Facts) { f.Kernlog.Xids = []Xid{x} }) }
	fabric := func(s string) func(*world) { return on(func(f *Facts) { f.NVIDIA.GPUs[5].Fabric = s }) }
	port := func(device, state, layer string) func(*world) {
		return on(func(f *Facts) {
			f.RDMA = []RDMAPort{{Device: device, Port: 1, State: state, Phys: "LinkUp", LinkLayer: layer, Software: softRDMA(device)}}
		})
	}
	return []ruleCase{
		{"gpu-lost", "Xid 79", xid(Xid{Bus: "0000:22:00", Code: 79, Text: "GPU has fallen off the bus."}), Block, "", "fallen off"},
		{"gpu-lost", "not promised", func(w *world) { unpromised(w); xid(Xid{Code: 79, Text: "fallen"})(w) }, Warn, "", "fallen"},
		{"gpu-lost", "nvidia-smi", on(func(f *Facts) { f.NVIDIA.SMI, f.NVIDIA.SMIDetail = SMILost, "GPU 1: GPU is lost" }), Block, "", "GPU is lost"},
		{"gpu-lost", "needs a reset", on(func(f *Facts) { f.NVIDIA.SMI, f.NVIDIA.SMIDetail = SMIReset, "GPU 4: GPU requires reset" }), Block, "", "before it is reset"},
		{"gpu-lost", "the fabric", on(func(f *Facts) {
			f.NVIDIA.SMI, f.NVIDIA.SMIDetail = SMILost, "Unable to determine the device handle"
			f.Kernlog.Xids = []Xid{{Code: 20034, Switch: true, Fatal: true}}
		}), Block, "", "fabric may be the cause"},
		{"gpu-lost", "another Xid", xid(Xid{Code: 48, Text: "DBE"}), "", "", ""},
		{"gpu-errors", "double bit", xid(Xid{Bus: "0000:22:00", Code: 48, Text: "double bit error"}), Warn, "", "Xid 48 of 0000:22:00 (1 times)"},
		{"gpu-errors", "fatal SXid", xid(Xid{Bus: "0000:05:00.0", Code: 20034, Switch: true, Fatal: true, Text: "LTSSM Fault Up"}), Warn, "", "SXid 20034"},
		{"gpu-errors", "SXid that is not fatal", xid(Xid{Code: 12028, Switch: true, Text: "Non-fatal"}), "", "", ""},
		{"gpu-errors", "a program's own fault", xid(Xid{Code: 31, Text: "MMU Fault"}), "", "", ""},
		{"fabric-manager", "not installed", on(func(f *Facts) { delete(f.Units, "nvidia-fabricmanager.service") }), Block, "", "is not installed, driver 570.133.20"},
		{"fabric-manager", "failed", on(func(f *Facts) {
			f.Units["nvidia-fabricmanager.service"] = Unit{Name: "nvidia-fabricmanager.service", Active: "failed", Sub: "failed"}
		}), Block, "", "failed"},
		{"fabric-manager", "not promised", func(w *world) { unpromised(w); delete(w.all["w1"].Units, "nvidia-fabricmanager.service") }, Warn, "", "802"},
		{"fabric-manager", "no switches", on(func(f *Facts) { delete(f.Units, "nvidia-fabricmanager.service"); f.Devices = f.GPUs }), "", "", ""},
		{"fabric-manager", "no driver yet", on(bare), "", "", ""},
		{"fabric-not-ready", "in progress", fabric("In Progress"), Warn, "", "GPU 5: In Progress"},
		{"fabric-not-ready", "completed with an error", fabric("Completed Insufficient resources"), Warn, "", "Insufficient"},
		{"fabric-not-ready", "no fabric", fabric(""), "", "", ""},
		{"rdma-port-down", "no subnet manager", port("mlx5_0", "INIT", "InfiniBand"), Warn, "", "mlx5_0/1 INIT"},
		{"rdma-port-down", "unused RoCE port", port("mlx5_3", "DOWN", "Ethernet"), Info, "", "mlx5_3/1 DOWN"},
		{"rdma-port-down", "software", port("rxe0", "DOWN", "Ethernet"), "", "", ""},
		{"rdma-port-down", "management plane", port("smi1", "DOWN", "InfiniBand"), "", "", ""},
		{"peermem-missing", "proprietary driver", func(w *world) {
			port("mlx5_0", "ACTIVE", "InfiniBand")(w)
			w.all["w1"].NVIDIA.Open = false
		}, Info, "", "mlx5_0/1"},
		{"peermem-missing", "open driver", port("mlx5_0", "ACTIVE", "InfiniBand"), "", "", ""},
	}
}
