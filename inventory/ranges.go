package inventory

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// maxHosts bounds the hosts of an inventory, and those one range may stand for.
const maxHosts = 1000

// maxDigits bounds the numbers in a range, which also bounds what leading zeros
// can blow up.
const maxDigits = 9

// expand works out the ranges of a pattern: gpu[01-16], 10.0.0.[11-18,20]. Of
// several ranges the last counts fastest. Leading zeros are kept. Brackets
// around an IP address are not a range and stay.
func expand(pattern string) ([]string, error) {
	out := []string{""}
	for rest := pattern; rest != ""; {
		open := strings.IndexAny(rest, "[]")
		if open < 0 {
			return appendEach(out, rest), nil
		}
		end := strings.IndexByte(rest, ']')
		if rest[open] == ']' || end < 0 {
			return nil, refused("range in "+quote(pattern)+" has a bracket without its pair", "")
		}
		inside := rest[open+1 : end]
		if _, err := netip.ParseAddr(inside); err == nil || strings.Contains(inside, ":") {
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
	return refused(fmt.Sprintf("range in %s stands for more than %d hosts", quote(pattern), maxHosts), "")
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
	whole := quote("[" + inside + "]")
	if len(first) > maxDigits || len(last) > maxDigits {
		return 0, 0, refused(fmt.Sprintf("range %s has a number of more than %d digits", whole, maxDigits), "")
	}
	from, okFrom := number(first)
	to, okTo := number(last)
	switch {
	case !okFrom || !okTo:
		return 0, 0, refused("range "+whole+" is not made of numbers", "write [1-8] or [01,03,07-12]; names cannot be listed")
	case to < from:
		return 0, 0, refused("range "+whole+" counts down", "write ["+last+"-"+first+"]")
	case len(first) != len(last) && (first[0] == '0' && len(first) > 1 || last[0] == '0'):
		return 0, 0, refused("range "+whole+" has leading zeros of different width", "write both ends with as many digits")
	}
	return from, to, nil
}

// number reads digits and nothing else, no sign.
func number(s string) (int, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}
