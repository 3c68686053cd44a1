package cuda

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Driver is the version of an NVIDIA driver, "570.124.06". Its first number is the branch; a branch speaks one version
// of CUDA for all its life. The zero value means not known.
type Driver struct {
	Branch, Minor, Patch int
	text                 string
}

// ParseDriver reads "570.124.06", "525.60" or "580". The branch has three digits.
func ParseDriver(s string) (Driver, error) {
	s = strings.TrimSpace(s)
	parts := strings.Split(s, ".")
	var numbers [3]int
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil || i >= len(numbers) {
			return Driver{}, fmt.Errorf("reading the driver version %q: not of the form 570.124.06", s)
		}
		numbers[i] = int(n)
	}
	if numbers[0] < 100 || numbers[0] > 999 {
		return Driver{}, fmt.Errorf("reading the driver version %q: a branch such as 570 comes first", s)
	}
	return Driver{numbers[0], numbers[1], numbers[2], s}, nil
}

// IsZero says whether the driver is not known.
func (d Driver) IsZero() bool { return d.Branch == 0 }

// Compare orders drivers as cmp.Compare does.
func (d Driver) Compare(o Driver) int {
	return cmp.Or(cmp.Compare(d.Branch, o.Branch), cmp.Compare(d.Minor, o.Minor), cmp.Compare(d.Patch, o.Patch))
}

// String is the version as it was read, with its zeros.
func (d Driver) String() string { return d.text }

// Native is the range of CUDA versions that a driver may speak by itself, without any compatibility mode. For a branch of
// the table both ends are the same. Between two branches of the table it lies between theirs; beyond the newest one max is
// zero, which is no limit known; below the oldest one min is zero.
func (d Driver) Native() (lowest, highest Version) {
	for _, b := range Branches() {
		switch {
		case b.Branch == d.Branch:
			return b.CUDA, b.CUDA
		case b.Branch > d.Branch:
			return lowest, b.CUDA
		}
		lowest = b.CUDA
	}
	return lowest, Version{}
}

// BranchFor is the oldest branch of the table that speaks a version of CUDA by itself.
func BranchFor(v Version) (Branch, bool) {
	all := Branches()
	i := slices.IndexFunc(all, func(b Branch) bool { return !b.CUDA.Less(v) })
	if i < 0 {
		return Branch{}, false
	}
	return all[i], true
}

// Newest is the newest CUDA of a major version that the table knows, so that "CUDA 12.9 or older" can be said of 12.
func Newest(major int) (Version, bool) {
	var newest Version
	for _, b := range Branches() {
		if b.CUDA.Major == major && newest.Less(b.CUDA) {
			newest = b.CUDA
		}
	}
	return newest, !newest.IsZero()
}

// MinorFloor is the oldest driver on which programs of a CUDA major version run by minor-version compatibility, even if
// their minor version is newer than the driver's. There is none before CUDA 11, and none known for majors not listed.
func MinorFloor(major int) (Driver, bool) {
	floor, ok := map[int]string{11: "450.80.02", 12: "525.60.13", 13: "580"}[major]
	if !ok {
		return Driver{}, false
	}
	d, err := ParseDriver(floor)
	return d, err == nil
}
