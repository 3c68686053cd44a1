package cuda

import "slices"

// Tri is an answer that may be missing.
type Tri int8

// No, Unknown and Yes are ordered: the smaller of two is "and", the larger is "or", as in Kleene's logic.
const (
	No      Tri = -1
	Unknown Tri = 0
	Yes     Tri = 1
)

// forward says on which driver branches a compatibility package runs: cuda-compat-12-9 is a user-space driver of
// branch 575 that works over the kernel part of an older one.
type forward struct {
	cuda     Version
	branches []int
	not      []int
	complete bool // every branch that is not in branches is refused
}

func forwards() []forward {
	return []forward{
		// NVIDIA's release notes of its CUDA 12.8 containers. About 470 and 525 the sources disagree, so they are not here.
		{Version{12, 8}, []int{535, 550}, []int{418, 440, 450, 460, 510, 520, 530, 545, 555, 560}, false},
		// Read in the note .note.cuda.fwd_compatibility of libcuda.so.575.57.08, which the container toolkit goes by.
		{Version{12, 9}, []int{535, 550, 560, 565, 570, 575}, nil, true},
		// Not read: the branches that both the release before and the one after take.
		{Version{13, 0}, []int{535, 550, 570, 575}, nil, false},
		// As 12.9, of libcuda.so.590.44.01.
		{Version{13, 1}, []int{535, 550, 570, 575, 580, 590}, nil, true},
		// A national computing centre's table: 535 had ended before 13.3 came.
		{Version{13, 3}, []int{580, 595}, []int{535}, false},
	}
}

// lastForward is the newest CUDA whose compatibility package still took an old branch: a branch is served until it ends.
func lastForward() map[int]Version {
	return map[int]Version{
		418: {11, 6}, 440: {11, 4}, 450: {12, 2}, 460: {11, 6}, 470: {12, 6}, 510: {12, 1}, 515: {12, 1}, 525: {12, 3},
	}
}

// Forward says whether the compatibility package of a CUDA version works over a driver branch, on a GPU for data centres.
func Forward(v Version, branch int) Tri {
	all := forwards()
	if i := slices.IndexFunc(all, func(f forward) bool { return f.cuda == v }); i >= 0 {
		switch f := all[i]; {
		case slices.Contains(f.branches, branch):
			return Yes
		case f.complete, slices.Contains(f.not, branch):
			return No
		}
		return Unknown
	}
	last, ok := lastForward()[branch]
	switch {
	case !ok:
		return Unknown
	case last.Less(v):
		return No
	}
	return Yes
}
