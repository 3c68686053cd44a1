package image

// expected is one image on one host: what comes out, which check says so, and words that its reason or fix must have.
type expected struct {
	image, driver, gpu string
	want               Verdict
	check              Check // "" for the whole
	words              words
}

type words = []string

// natively: the driver speaks the image's CUDA by itself.
func natively() []expected {
	return []expected{
		{"cuda-12.4", "550.54.15", "H100", OK, "", words{"driver 550.54.15 (CUDA 12.4)"}},
		{"cuda-12.4", "580.126.09", "H100", OK, "", nil},
		{"cuda-12.4", "570.133.20", "H200", OK, "", nil},
		{"cuda-12.8", "570.133.20", "B200", OK, "", nil},
		{"cuda-12.8", "570.86.10", "RTX 5090", OK, "", nil},
		{"cuda-12.8", "580.105.08", "B200", OK, "", nil},
		{"cuda-13.0", "580.65.06", "H100", OK, "", nil},
		{"cuda-13.0", "620.70.06", "L40S", OK, "", nil},
		{"cuda-11.8", "620.70.06", "T4", OK, "", nil},
		{"framework", "570.133.20", "A100", OK, "", nil},
		{"short", "570.86.10", "RTX 4090", OK, "", nil},
		{"legacy", "470.82.01", "V100", OK, "", nil},
		{"off", "570.86.10", "H100", OK, "", nil},
	}
}

// minor: a minor version newer than the driver's, of the same major version.
func minor() []expected {
	return []expected{
		{"cuda-12.8", "535.104.12", "H100", Warn, CheckDriver, words{"minor-version", "222", "R570", "CUDA 12.2 or older"}},
		{"cuda-12.8", "525.60.13", "A100", Warn, CheckDriver, words{"minor-version"}},
		{"short", "535.154.05", "RTX 4090", Warn, CheckDriver, words{"minor-version"}},
		{"framework", "550.90.07", "L40S", Warn, CheckDriver, words{"minor-version", "compatibility package lifts"}},
		{"cuda-11.8", "450.80.02", "A100", Warn, CheckDriver, words{"minor-version", "R520", "CUDA 11.0"}},
		{"cuda-11.8", "470.256.02", "T4", Warn, CheckDriver, words{"minor-version", "CUDA 11.4 or older"}},
		{"framework-13", "580.126.09", "H100", Warn, CheckDriver, words{"minor-version", "R595"}},
		{"cuda-12.8", "565.57.01", "RTX 4090", Warn, CheckDriver, words{"CUDA 12.7"}},
		// One driver below the floor, minor-version compatibility is gone.
		{"cuda-12.8", "525.60.11", "RTX 4090", Fail, CheckDriver, words{"GeForce", "804"}},
		{"cuda-11.8", "450.51.06", "RTX 3090", Fail, CheckDriver, words{"804", "R520"}},
		{"cuda-12.4", "520.61.05", "RTX 4090", Fail, CheckDriver, words{"R550", "CUDA 11.8"}},
	}
}

// major: a newer major version: only with a compatibility package, on a GPU for data centres, over a branch that it takes.
func major() []expected {
	return []expected{
		{"cuda-13.0", "570.133.20", "H100", Warn, CheckDriver, words{"only through", "R580", "CUDA 12.8 or older"}},
		{"cuda-13.0", "535.104.12", "A100", Warn, CheckDriver, words{"only through"}},
		{"cuda-13.0", "550.54.15", "T4", Warn, CheckDriver, words{"only through"}},
		{"cuda-13.0", "570.86.10", "RTX 5090", Fail, CheckDriver, words{"804", "R580"}},
		{"cuda-13.0", "535.154.05", "RTX 4090", Fail, CheckDriver, words{"804", "CUDA 12.2 or older"}},
		{"cuda-13.0", "550.54.15", "RTX A6000", Unknown, CheckDriver, words{"select workstation"}},
		{"cuda-13.0", "560.35.03", "H100", Unknown, CheckDriver, words{"not known"}},
		{"cuda-12.4", "470.256.02", "V100", Warn, CheckDriver, words{"only through", "R550 to R580"}},
		{"cuda-12.4", "450.80.02", "A100", Fail, CheckDriver, words{"does not take branch R450"}},
		{"cuda-12.4", "470.82.01", "RTX 3090", Fail, CheckDriver, words{"804"}},
		{"framework-13", "550.90.07", "H100", Fail, CheckDriver, words{"no compatibility package", "R595"}},
		{"short", "470.82.01", "A100", Fail, CheckDriver, words{"no compatibility package", "R570", "CUDA 11.4 or older"}},
		{"legacy-10.2", "418.87.00", "V100", Fail, CheckDriver, words{"R440"}},
		{"tesla-only", "390.87", "GTX 1080 Ti", Fail, CheckDriver, words{"R410"}},
	}
}

// dropped: gPUs that a CUDA does not know any more.
func dropped() []expected {
	return []expected{
		{"cuda-13.0", "580.126.09", "V100", Fail, CheckCompute, words{"Volta (sm_70)", "CUDA 12", "CUDA 12.9 or older"}},
		{"cuda-13.0", "535.104.12", "V100", Fail, CheckCompute, words{"CUDA 12.2 or older"}},
		{"cuda-13.0", "580.126.09", "P100", Fail, CheckCompute, words{"Pascal"}},
		{"cuda-13.0", "580.126.09", "GTX 1080 Ti", Fail, CheckCompute, words{"Pascal"}},
		{"cuda-12.4", "470.256.02", "K80", Fail, CheckCompute, words{"Kepler"}},
		{"cuda-12.8", "570.133.20", "V100", OK, "", nil},
		{"cuda-12.8", "580.126.09", "P40", OK, "", nil},
		{"cuda-12.4", "595.71.05", "V100", Fail, CheckHardware, words{"R580 was the last", "R580"}},
		{"cuda-11.8", "610.43.02", "Tesla P4", Fail, CheckHardware, words{"Pascal"}},
	}
}

// young: gPUs that a CUDA does not know yet: nothing but PTX could run.
func young() []expected {
	return []expected{
		{"cuda-12.4", "570.133.20", "B200", Fail, CheckCompute, words{"209", "CUDA 12.8"}},
		{"cuda-12.4", "580.105.08", "RTX 5090", Fail, CheckCompute, words{"sm_120", "CUDA 12.8 to 13.0"}},
		{"cuda-12.4", "550.54.15", "B200", Fail, CheckHardware, words{"R570"}},
		{"cuda-11.8", "570.86.10", "RTX PRO 6000", Fail, CheckCompute, words{"CUDA 12.8"}},
		{"ptx-8.0", "535.104.12", "H100", Warn, CheckCompute, words{"PTX", "CUDA 11.8 to 12.2"}},
		{"ptx-12.6", "570.133.20", "B200", Warn, CheckCompute, words{"PTX"}},
		{"ptx-12.6", "535.104.12", "RTX 5090", Fail, CheckHardware, nil},
		{"ptx-8.0", "450.36.06", "H100", Warn, CheckCompute, words{"PTX"}},
		{"legacy-10.2", "525.125.06", "A100", Fail, CheckCompute, words{"sm_80", "CUDA 11.0 to 12.0"}},
		{"legacy", "470.82.01", "T4", Warn, CheckCompute, words{"sm_70"}},
		{"ptx-8.0", "470.82.01", "RTX 4090", Warn, CheckCompute, words{"sm_80"}},
		{"cuda-12.8", "580.126.09", "B300", Warn, CheckCompute, words{"sm_100", "CUDA 12.9"}},
		{"cuda-12.8", "580.126.09", "GB10", Warn, CheckCompute, words{"sm_120"}},
		{"cuda-13.0", "580.126.09", "GB10", OK, "", nil},
	}
}

// lists: what the image lists for its own code.
func lists() []expected {
	return []expected{
		{"kernels-12.8", "570.133.20", "A100", Warn, CheckCompute, words{"209", "sm_80"}},
		{"kernels-12.8", "570.133.20", "H100", OK, "", nil},
		{"kernels-12.8", "580.126.09", "B200", OK, "", nil},
		{"kernels-12.8", "570.86.10", "RTX 5090", Warn, CheckCompute, words{"not for Blackwell RTX"}},
		{"cuda-13.0", "620.70.06", "sm_107", Warn, CheckCompute, words{"Rubin"}},
		// PTX is compiled by a driver of the image's CUDA or newer; a compatibility package is such a driver.
		{"ptx-12.4", "550.54.15", "H100", Warn, CheckCompute, words{"from PTX at start", "sm_90"}},
		{"ptx-12.4", "535.104.12", "H100", Fail, CheckCompute, words{"PTX only", "222", "R550"}},
		{"ptx-compat", "550.54.15", "H100", Warn, CheckCompute, words{"from PTX at start"}},
		{"ptx-compat", "550.54.15", "sm_90", Fail, CheckCompute, words{"222"}}, // not known to be for data centres
		{"framework-old", "535.104.12", "A100", Unknown, CheckDriver, words{"does not say which"}},
	}
}

// rest: drivers against GPUs.
func rest() []expected {
	return []expected{
		{"cuda-12.8", "570.124.06", "B200", Warn, CheckHardware, words{"570.133.20"}},
		{"cuda-12.8", "570.133.20", "RTX PRO 6000 Blackwell Server Edition", Warn, CheckHardware, words{"575.57.08"}},

		// What is not known is said.
		{"cuda-12.8", "", "H100", Unknown, CheckDriver, words{"driver is not known", "R570"}},
		{"cuda-13.0", "585.10", "H100", OK, "", nil},
		{"framework-13", "630.10", "H100", Warn, CheckRequirement, words{"cannot read CUDA_VERSION=13.2.0.046"}},
		{"silent-gpu", "570.133.20", "H100", Unknown, CheckDriver, words{"does not say which CUDA"}},
		{"plain", "570.133.20", "H100", Unknown, CheckGPU, words{"says nothing"}},
		{"plain", "", "MI300X", Unknown, CheckGPU, words{"says nothing"}},

		// AMD.
		{"rocm", "", "MI300X", OK, "", words{"gfx942"}},
		{"rocm", "", "MI355X", Warn, CheckGPU, words{"gfx950"}},
		{"rocm", "570.133.20", "H100", Fail, CheckGPU, words{"ROCm", "CUDA"}},
		{"cuda-12.8", "", "AMD Instinct MI300X", Fail, CheckGPU, words{"ROCm"}},
	}
}
