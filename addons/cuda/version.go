package cuda

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Version is a version of CUDA, "12.8", or a compute capability, "9.0". The zero value means not known.
type Version struct{ Major, Minor int }

// ParseVersion reads "12.8", "12.8.1", NVIDIA's own "12.8.0.038", "v11.6" or "13". What follows the second number is
// dropped: compatibility is a matter of major and minor.
func ParseVersion(s string) (Version, error) {
	parts := strings.Split(strings.TrimPrefix(strings.TrimSpace(s), "v"), ".")
	var numbers [2]int
	for i, part := range parts[:min(len(parts), 2)] {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return Version{}, fmt.Errorf("reading the version %q: not two numbers with a dot between them", s)
		}
		numbers[i] = int(n)
	}
	return Version{numbers[0], numbers[1]}, nil
}

// IsZero says whether the version is not known.
func (v Version) IsZero() bool { return v == Version{} }

// Compare orders versions as cmp.Compare does.
func (v Version) Compare(o Version) int {
	return cmp.Or(cmp.Compare(v.Major, o.Major), cmp.Compare(v.Minor, o.Minor))
}

// Less says whether v is older than o.
func (v Version) Less(o Version) bool { return v.Compare(o) < 0 }

func (v Version) String() string {
	if v.IsZero() {
		return "unknown"
	}
	return fmt.Sprintf("%d.%d", v.Major, v.Minor)
}

// SM is a compute capability as compilers and error messages write it: "sm_90".
func (v Version) SM() string { return fmt.Sprintf("sm_%d%d", v.Major, v.Minor) }

// MarshalText gives "12.8", and nothing for a version that is not known.
func (v Version) MarshalText() ([]byte, error) {
	if v.IsZero() {
		return nil, nil
	}
	return []byte(v.String()), nil
}

// UnmarshalText reads what MarshalText gives.
func (v *Version) UnmarshalText(text []byte) error {
	*v = Version{}
	if len(text) == 0 {
		return nil
	}
	parsed, err := ParseVersion(string(text))
	*v = parsed
	return err
}
