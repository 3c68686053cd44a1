package facts

import (
	"fmt"
	"strconv"
	"strings"
)

// readFiles reads the probe's stat lines, then sums of whole files, then those
// of tokens.
func readFiles(f *Facts, s section) error {
	stats, rest, _ := strings.Cut(s.body, "# sums")
	sums, tokens, _ := strings.Cut(rest, "# tokens")
	var bad error
	for _, line := range lines(stats) {
		path, fact, err := parseStat(line)
		if err != nil {
			bad = err
			continue
		}
		f.Files[path] = fact
	}
	for _, line := range lines(sums) {
		sum, path, ok := strings.Cut(line, " ")
		path = strings.TrimLeft(path, " *")
		if fact, known := f.Files[path]; ok && known && len(sum) == 64 {
			fact.SHA256 = sum
			f.Files[path] = fact
		}
	}
	f.readTokenSums(tokens)
	return bad
}

// readTokenSums reads "sum of all, sum of the password, path". A token file of
// k3s itself gets its sum from here, without the newline at its end.
func (f *Facts) readTokenSums(text string) {
	for _, line := range lines(text) {
		w := strings.Fields(line)
		if len(w) != 3 || len(w[0]) != 64 || len(w[1]) != 64 {
			continue
		}
		fact, known := f.Files[w[2]]
		if !known {
			continue
		}
		if strings.HasPrefix(w[2], "/var/lib/rancher/") {
			fact.SHA256 = w[0]
		}
		fact.SecretSHA256 = w[1]
		f.Files[w[2]] = fact
	}
}

// parseStat reads stat's "mode|owner|size|seconds|time|path": the fraction of
// the time comes from the long form, as there is no other in busybox.
func parseStat(line string) (string, FileFact, error) {
	w := strings.SplitN(line, "|", 6)
	if len(w) != 6 || !strings.HasPrefix(w[5], "/") {
		return "", FileFact{}, fmt.Errorf("stat says %q", evidence(line))
	}
	mode, err := strconv.ParseUint(w[0], 8, 16)
	size, okSize := atoi64(w[2])
	sec, okTime := atoi64(w[3])
	if err != nil || !okSize || !okTime || sec > 1<<33 || sec < -(1<<33) {
		return "", FileFact{}, fmt.Errorf("stat says %q", evidence(line))
	}
	_, frac, _ := strings.Cut(w[4], ".")
	frac, _, _ = strings.Cut(frac, " ")
	ns := int64(0)
	if len(frac) == 9 {
		ns, _ = atoi64(frac)
	}
	fact := FileFact{Mode: uint32(mode), Owner: w[1], Size: size, MTimeNS: sec*1e9 + ns}
	return w[5], fact, nil
}
