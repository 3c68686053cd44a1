package release

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
)

// checksums maps file names to their SHA-256 in lower-case hex.
type checksums map[string]string

// parseChecksums reads what `sha256sum` writes: "<64 hex digits>  <name>" a line, with a star before the name of a file
// read in binary mode. A line of any other form is an error, because then this is not such a list at all but, say, the
// login page of a hotel. So is one name with two digests.
func parseChecksums(data []byte) (checksums, error) {
	list := checksums{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimRight(lines.Text(), "\r")
		if strings.TrimSpace(line) == "" {
			continue
		}
		sum, name, err := parseChecksumLine(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if old, twice := list[name]; twice && old != sum {
			return nil, fmt.Errorf("line %d: a second digest for %q", n, name)
		}
		list[name] = sum
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the list is empty")
	}
	return list, nil
}

func parseChecksumLine(line string) (sum, name string, err error) {
	const digits = 64
	if len(line) <= digits+2 || line[digits] != ' ' || line[digits+1] != ' ' && line[digits+1] != '*' {
		return "", "", fmt.Errorf("%q is not \"<sha256>  <name>\"", shorten(line))
	}
	sum, name = strings.ToLower(line[:digits]), line[digits+2:]
	if !isDigest(sum) {
		return "", "", fmt.Errorf("%q does not start with a sha256", shorten(line))
	}
	return sum, name, nil
}

// isDigest says whether s is a SHA-256 in lower-case hex, and so fit to be a file name.
func isDigest(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == 32 && s == strings.ToLower(s)
}

// shorten cuts foreign text for an error message.
func shorten(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
