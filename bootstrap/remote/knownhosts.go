package remote

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // the format of hashed names in known_hosts
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/crypto/ssh"
)

// knownRow is one row of a known_hosts file. The library's own reader
// (x/crypto/ssh/knownhosts) is not used because it takes the key of a
// certificate authority for a host key and tells neither which authorities
// nor which key types it knows for a host.
type knownRow struct {
	file   string
	line   int
	marker string // "", "cert-authority" or "revoked"
	names  []string
	key    ssh.PublicKey
}

// where is file:line.
func (r knownRow) where() string { return fmt.Sprintf("%s:%d", r.file, r.line) }

// readKnown reads known_hosts files. Files that do not exist are empty,
// rows that cannot be read are skipped, as OpenSSH does.
func readKnown(files []string) ([]knownRow, error) {
	var rows []knownRow
	for _, file := range files {
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading known hosts: %w", err)
		}
		rows = append(rows, parseKnown(file, data)...)
	}
	return rows, nil
}

func parseKnown(file string, data []byte) []knownRow {
	var rows []knownRow
	for i, text := range bytes.Split(data, []byte("\n")) {
		marker, names, key, _, _, err := ssh.ParseKnownHosts(text)
		if err == nil && (marker == "" || marker == "cert-authority" || marker == "revoked") {
			rows = append(rows, knownRow{file, i + 1, marker, names, key})
		}
	}
	return rows
}

// match says whether the row is for host, which is a name or an address,
// in brackets and with ":port" when the port is not 22.
func (r knownRow) match(host string) bool {
	found := false
	for _, name := range r.names {
		pattern, negated := strings.CutPrefix(name, "!")
		if matchName(pattern, host) {
			if negated {
				return false
			}
			found = true
		}
	}
	return found
}

func matchName(pattern, host string) bool {
	if strings.HasPrefix(pattern, "|") {
		return matchHash(pattern, host)
	}
	return wildcard(strings.ToLower(pattern), strings.ToLower(host))
}

// wildcard matches "*" and "?". path.Match gives brackets and backslashes
// a meaning that they do not have here.
func wildcard(pattern, host string) bool {
	escaped := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(pattern)
	// No name holds a slash, which "*" would not match.
	ok, err := path.Match(escaped, host)
	return err == nil && ok
}

// matchHash matches "|1|SALT|HMAC".
func matchHash(pattern, host string) bool {
	parts := strings.Split(pattern, "|")
	if len(parts) != 4 || parts[1] != "1" {
		return false
	}
	salt, err1 := base64.StdEncoding.DecodeString(parts[2])
	want, err2 := base64.StdEncoding.DecodeString(parts[3])
	if err1 != nil || err2 != nil {
		return false
	}
	mac := hmac.New(sha1.New, salt)
	mac.Write([]byte(strings.ToLower(host)))
	return hmac.Equal(mac.Sum(nil), want)
}
