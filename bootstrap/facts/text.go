package facts

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// tail is the last n bytes of s at most, cut between runes.
func tail(s string, n int) string {
	s = strings.TrimSpace(s)
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}

// firstLine is the first line of s with anything in it.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// lines are the lines of s with anything in them, without blanks around.
func lines(s string) []string {
	var out []string
	for line := range strings.SplitSeq(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// pair is one "key=value" line.
type pair struct{ key, value string }

// pairs are the "key=value" lines of s in order; other lines are left out.
func pairs(s string) []pair {
	var out []pair
	for _, line := range lines(s) {
		if k, v, ok := strings.Cut(line, "="); ok {
			out = append(out, pair{k, v})
		}
	}
	return out
}

// values is pairs as a map, where each key comes once.
func values(s string) map[string]string {
	out := map[string]string{}
	for _, p := range pairs(s) {
		out[p.key] = p.value
	}
	return out
}

// atoi64 reads a whole decimal number and nothing around it.
func atoi64(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// atoi is atoi64 for what fits an int.
func atoi(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// rate reads the number in front of "Gb/sec"; 0 where there is none.
func rate(s string) float64 {
	number, _, ok := strings.Cut(s, " Gb/sec")
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || n < 0 || n > 1e6 {
		return 0
	}
	return n
}
