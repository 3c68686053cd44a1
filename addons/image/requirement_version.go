package image

import (
	"cmp"
	"strconv"
	"strings"
)

// compareVersions compares dotted numbers of any length as libnvidia-container does: number by number, and what one has
// more than the other counts unless it is zeros. So 450 equals 450.0 and is less than 450.80.
func compareVersions(have, operator, want string) outcome {
	w, ok := numbers(want)
	if !ok {
		return invalid
	}
	if have == "" {
		return unclear
	}
	h, ok := numbers(have)
	if !ok {
		return invalid
	}
	order := 0
	for i := range max(len(h), len(w)) {
		if order = cmp.Compare(at(h, i), at(w, i)); order != 0 {
			break
		}
	}
	switch operator {
	case "=":
		return truth(order == 0)
	case "!=":
		return truth(order != 0)
	case "<":
		return truth(order < 0)
	case "<=":
		return truth(order <= 0)
	case ">":
		return truth(order > 0)
	default: // ">="
		return truth(order >= 0)
	}
}

func at(list []uint64, i int) uint64 {
	if i < len(list) {
		return list[i]
	}
	return 0
}

// numbers reads "450.80.02". Several dots count as one, and one at the end as none, because C's reader skips them; a dot at
// the front is an error.
func numbers(s string) ([]uint64, bool) {
	if s == "" || s[0] == '.' {
		return nil, false
	}
	var all []uint64
	for part := range strings.SplitSeq(s, ".") {
		if part == "" {
			continue
		}
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil || n == ^uint64(0) || strings.Trim(part, "0123456789") != "" {
			return nil, false
		}
		all = append(all, n)
	}
	return all, true
}
