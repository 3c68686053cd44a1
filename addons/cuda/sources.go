package cuda

// Source tells where a table comes from.
type Source struct {
	Table string // the function that gives it
	Read  string // the day it was read, 2006-01-02
	From  []string
	Note  string
}

// Sources lists the origin of every table of the package.
func Sources() []Source {
	const day = "2026-12-01"
	return []Source{
		{"Branches", day, []string{
			"https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/index.html (toolkit and driver versions, 9.0 to 13.3)",
			"https://github.com/stackhpc/ansible-slurm-appliance/pull/1033 (13.4.1 with 615.71.09; nvidia-smi of it says 13.4)",
			"https://developer.download.nvidia.com/compute/nvidia-driver/redist/redistrib_620.70.06.json (2026-11-04: cuda13.5)",
			"https://docs.nvidia.com/datacenter/tesla/drivers/620/supported-drivers-and-cuda-toolkit-versions.html (ends of life)",
		}, "565 speaks 12.7, as its nvidia-smi prints; there is no such toolkit"},
		{"MinorFloor", day, []string{
			"https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html",
		}, "11.x from 450.80.02, 12.x from 525 (its first is 525.60.13), 13.x from 580"},
		{"Architectures", day, []string{
			"https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html",
			"https://developer.nvidia.com/cuda-gpus",
			"https://docs.nvidia.com/cuda/curanddx/release_notes.html (Thor: 10.1 until CUDA 12.9, 11.0 since 13.0)",
			"https://www.mail-archive.com/gcc-patches@gcc.gnu.org/msg419655.html (Rubin: sm_107 since CUDA 13.4)",
			"https://github.com/NVIDIA/cloud-native-docs/blob/main/gpu-operator/platform-support.rst (HGX B200 from 570.133.20)",
		}, "the matrix says CUDA 11.0 for 8.6 too; its compiler learned sm_86 in 11.1"},
		{"Products", day, []string{
			"https://developer.nvidia.com/cuda-gpus",
			"https://developer.nvidia.com/cuda-legacy-gpus",
			"https://github.com/NVIDIA/cloud-native-docs/blob/main/gpu-operator/platform-support.rst (lowest drivers)",
			"https://github.com/wookayin/gpustat (NVML's newer brands came with 460)",
		}, "brands: what nvidia-smi -q and nvidia-container-cli info print in public reports; a T4 changed from Tesla to NVIDIA"},
		{"Forward", day, []string{
			"https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html (which GPUs)",
			"https://github.com/NVIDIA/nvidia-container-toolkit (cmd/nvidia-cdi-hook/cudacompat, 2026-08-21: notes of 12.9 and 13.1)",
			"https://docs.nvidia.com/deeplearning/frameworks/sglang-release-notes/rel-25-10.html (12.8)",
			"https://github.com/ComputeCanada/software-stack-config (lmod/SitePackage.lua, 2026-01-07; pull request 112: 13.3)",
		}, "13.0 is interpolated; other versions are not known unless the image lists the branch itself"},
	}
}
