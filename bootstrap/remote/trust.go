package remote

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// recordKey adds a row to the trust file unless one for the same name is
// there, and returns the rows that the file then has. The lock makes it
// safe among dials of this process and others on the machine.
func recordKey(file, name string, key ssh.PublicKey) ([]knownRow, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, fmt.Errorf("recording the host key: %w", err)
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("recording the host key: %w", err)
	}
	rows, err := recordLocked(f, name, key)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, fmt.Errorf("recording the host key in %s: %w", file, err)
	}
	return rows, nil
}

func recordLocked(f *os.File, name string, key ssh.PublicKey) ([]knownRow, error) {
	if err := lockFile(f); err != nil { // until f is closed
		return nil, err
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	rows := parseKnown(f.Name(), data)
	if slices.ContainsFunc(rows, func(r knownRow) bool { return r.marker == "" && r.match(name) }) {
		return rows, nil
	}
	line := knownhosts.Line([]string{name}, key) + "\n"
	if len(data) > 0 && data[len(data)-1] != '\n' {
		line = "\n" + line
	}
	if _, err := f.WriteString(line); err != nil {
		return nil, err
	}
	if err := f.Sync(); err != nil {
		return nil, err
	}
	return parseKnown(f.Name(), append(data, line...)), nil
}
