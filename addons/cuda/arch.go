package cuda

import "slices"

// Architecture is one compute capability and how long NVIDIA's software knows it.
type Architecture struct {
	Name       string  // "Hopper"
	Capability Version // 9.0
	First      Version // the first CUDA whose compilers and libraries have code for it
	LastMajor  int     // the last major version of CUDA that supports it; 0 while that goes on
	// FirstBranch and LastBranch are the oldest and newest driver branches known to drive it; 0 where no limit is stated.
	// Long-term branches learn of new GPUs late in their life, so FirstBranch is never derived from First.
	FirstBranch, LastBranch int
}

// Architectures lists the compute capabilities of GPUs for servers and desks, from old to new. Jetson's 8.7 is not in it:
// its images and drivers are a world of their own.
func Architectures() []Architecture {
	return []Architecture{
		{"Kepler", Version{3, 5}, Version{6, 0}, 11, 0, 470},
		{"Kepler", Version{3, 7}, Version{6, 0}, 11, 0, 470},
		{"Maxwell", Version{5, 0}, Version{6, 5}, 12, 0, 580},
		{"Maxwell", Version{5, 2}, Version{6, 5}, 12, 0, 580},
		{"Pascal", Version{6, 0}, Version{8, 0}, 12, 0, 580},
		{"Pascal", Version{6, 1}, Version{8, 0}, 12, 0, 580},
		{"Volta", Version{7, 0}, Version{9, 0}, 12, 0, 580},
		{"Turing", Version{7, 5}, Version{10, 0}, 0, 0, 0},
		{"Ampere", Version{8, 0}, Version{11, 0}, 0, 0, 0},
		{"Ampere", Version{8, 6}, Version{11, 1}, 0, 0, 0},
		{"Ada", Version{8, 9}, Version{11, 8}, 0, 0, 0},
		{"Hopper", Version{9, 0}, Version{11, 8}, 0, 0, 0},
		{"Blackwell", Version{10, 0}, Version{12, 8}, 0, 570, 0},
		{"Blackwell Ultra", Version{10, 3}, Version{12, 9}, 0, 570, 0},
		{"Rubin", Version{10, 7}, Version{13, 4}, 0, 0, 0},
		{"Thor", Version{11, 0}, Version{13, 0}, 0, 0, 0}, // CUDA 12.8 and 12.9 called it 10.1
		{"Blackwell RTX", Version{12, 0}, Version{12, 8}, 0, 570, 0},
		{"Blackwell GB10", Version{12, 1}, Version{12, 9}, 0, 570, 0},
	}
}

// ArchitectureOf finds a compute capability.
func ArchitectureOf(capability Version) (Architecture, bool) {
	all := Architectures()
	i := slices.IndexFunc(all, func(a Architecture) bool { return a.Capability == capability })
	if i < 0 {
		return Architecture{}, false
	}
	return all[i], true
}

// Relative is the nearest older compute capability of the same major version for which a CUDA has code: code for sm_80 also
// runs on sm_86, never the other way, and never across majors.
func (a Architecture) Relative(v Version) (Architecture, bool) {
	var best Architecture
	for _, b := range Architectures() {
		if b.Capability.Major == a.Capability.Major && b.Capability.Less(a.Capability) && !v.Less(b.First) &&
			best.Capability.Less(b.Capability) {
			best = b
		}
	}
	return best, !best.Capability.IsZero()
}
