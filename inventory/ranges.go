package inventory

import (
	"fmt"
	"strconv"
	"strings"
)

// maxHosts bounds an inventory and the hosts that one range may stand for.
const maxHosts = 1000

// expand works out the ranges of a pattern: gpu[01-16], 10.0.0.[11-18,20]. Of
// several ranges the last counts fastest. Leading zeros are kept. Brackets with
// a colon inside are an IPv6 address and stay.
func expand(pattern string) ([]string, error) {
	out := []string{""}
	for rest := pattern; rest != ""; {
		open := strings.IndexAny(rest, "[]")
		if open < 0 {
			return appendEach(out, rest), nil
		}
		end := strings.IndexByte(rest, ']')
		if rest[open] == ']' || end < 0 {
			return nil, &valueError{"range in " + quote(pattern) + " has a bracket without its pair", ""}
		}
		inside := rest[open+1 : end]
		if strings.Contains(inside, ":") {
			out, rest = appendEach(out, rest[:end+1]), rest[end+1:]
			continue
		}
		items, err := expandRange(inside)
		if err != nil {
			return nil, err
		}
		if len(out)*len(items) > maxHosts {
			return nil, tooMany(pattern)
		}
		out, rest = product(appendEach(out, rest[:open]), items), rest[end+1:]
	}
	return out, nil
}

func tooMany(pattern string) error {
	return &valueError{fmt.Sprintf("range in %s stands for more than %d hosts", quote(pattern), maxHosts), ""}
}

func appendEach(list []string, tail string) []string { return product(list, []string{tail}) }

func product(heads, tails []string) []string {
	out := make([]string, 0, len(heads)*len(tails))
	for _, h := range heads {
		for _, t := range tails {
			out = append(out, h+t)
		}
	}
	return out
}

// expandRange reads the inside of brackets: 01-16 or 1,3,5-8.
func expandRange(inside string) ([]string, error) {
	var out []string
	for part := range strings.SplitSeq(inside, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, to, err := bounds(inside, first, last)
		if err != nil {
			return nil, err
		}
		if to-from >= maxHosts || len(out)+to-from >= maxHosts {
			return nil, tooMany("[" + inside + "]")
		}
		for n := from; n <= to; n++ {
			out = append(out, fmt.Sprintf("%0*d", len(first), n))
		}
	}
	return out, nil
}

func bounds(inside, first, last string) (from, to int, err error) {
	from, errFrom := number(first)
	to, errTo := number(last)
	whole := quote("[" + inside + "]")
	switch {
	case errFrom != nil || errTo != nil:
		return 0, 0, &valueError{"range " + whole + " is not made of numbers", "write [1-8] or [01,03,07-12]; names cannot be listed"}
	case to < from:
		return 0, 0, &valueError{"range " + whole + " counts down", "write [" + last + "-" + first + "]"}
	case len(first) != len(last) && (first[0] == '0' && len(first) > 1 || last[0] == '0'):
		return 0, 0, &valueError{"range " + whole + " has leading zeros of different width", "write both ends with as many digits"}
	}
	return from, to, nil
}

// number reads up to nine digits and nothing else, no sign.
func number(s string) (int, error) {
	if s == "" || len(s) > 9 || strings.Trim(s, "0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(s)
}
