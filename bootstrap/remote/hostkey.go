package remote

import (
	"bytes"
	"fmt"
	"net"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// hostCheck decides whether the key that a host shows is the right one.
type hostCheck struct {
	t    Target
	name string // what the host is looked up and recorded as
	rows []knownRow

	seen  bool          // a key was shown
	shown ssh.PublicKey // the last one
	err   error         // why it was not good
	hint  string        // what to do then

	skip  []string     // kinds of key that are not asked for any more
	first *keyMismatch // what the first of them was
}

func newHostCheck(t Target) (*hostCheck, error) {
	h := &hostCheck{t: t, name: knownhosts.Normalize(t.addr())}
	if t.HostKeyAlias != "" {
		h.name = t.HostKeyAlias
	}
	if t.HostKey != "" {
		return h, checkPin(t.HostKey)
	}
	files := t.KnownHosts
	if files == nil {
		files = defaultKnownHosts()
	}
	if t.TrustFile != "" {
		files = append(slices.Clone(files), t.TrustFile)
	}
	rows, err := readKnown(files)
	h.rows = rows
	return h, err
}

// matching gives the rows for this host with a marker.
func (h *hostCheck) matching(marker string) []knownRow {
	var rows []knownRow
	for _, r := range h.rows {
		if r.marker == marker && r.match(h.name) {
			rows = append(rows, r)
		}
	}
	return rows
}

// check is the callback of the handshake.
func (h *hostCheck) check(_ string, _ net.Addr, key ssh.PublicKey) error {
	h.seen, h.shown, h.hint = true, key, ""
	h.err = h.verify(key)
	return h.err
}

func (h *hostCheck) verify(key ssh.PublicKey) error {
	if h.t.HostKey != "" {
		return h.verifyPin(key)
	}
	if cert, ok := key.(*ssh.Certificate); ok {
		if h.verifyCert(cert) {
			return nil
		}
		key = cert.Key // OpenSSH falls back to the key inside, and so do we
	}
	for _, r := range h.matching("revoked") {
		if sameKey(r.key, key) {
			h.hint = "ask the owner of the host; the key is marked as stolen or retired"
			return fmt.Errorf("%w: the key %s is revoked in %s", ErrHostKeyChanged, describe(key), r.where())
		}
	}
	known := h.matching("")
	for _, r := range known {
		if sameKey(r.key, key) {
			return nil
		}
	}
	if len(known) > 0 {
		return h.changed(known, key)
	}
	return h.trust(key)
}

// changed explains a key that is not the recorded one.
func (h *hostCheck) changed(known []knownRow, key ssh.PublicKey) error {
	var old []string
	var files []string
	for _, r := range known {
		old = append(old, fmt.Sprintf("%s (%s)", describe(r.key), r.where()))
		if !slices.Contains(files, r.file) {
			files = append(files, r.file)
		}
	}
	var remove []string
	for _, f := range files {
		remove = append(remove, Quote("ssh-keygen", "-f", f, "-R", h.name))
	}
	h.hint = "if the host was rented anew or installed again, compare the new fingerprint with the provider's and forget the old key: " +
		strings.Join(remove, " && ")
	return fmt.Errorf("%w: %s shows %s, recorded is %s", ErrHostKeyChanged, h.name, describe(key), strings.Join(old, ", "))
}

// verifyCert accepts a certificate of an authority that the files name for
// this host.
func (h *hostCheck) verifyCert(cert *ssh.Certificate) bool {
	checker := ssh.CertChecker{
		IsHostAuthority: func(auth ssh.PublicKey, _ string) bool {
			return slices.ContainsFunc(h.matching("cert-authority"), func(r knownRow) bool { return sameKey(r.key, auth) })
		},
		IsRevoked: func(c *ssh.Certificate) bool {
			return slices.ContainsFunc(h.matching("revoked"), func(r knownRow) bool {
				return sameKey(r.key, c.Key) || sameKey(r.key, c.SignatureKey)
			})
		},
	}
	principal := h.t.Address
	if h.t.HostKeyAlias != "" {
		principal = h.t.HostKeyAlias
	}
	return checker.CheckHostKey(net.JoinHostPort(principal, "0"), nil, cert) == nil
}

// trust records a key seen for the first time.
func (h *hostCheck) trust(key ssh.PublicKey) error {
	if h.t.TrustFile == "" {
		h.hint = "compare the fingerprint with the provider's, then log in once by hand: " +
			Quote("ssh", "-p", fmt.Sprint(h.t.port()), h.t.user()+"@"+h.t.Address)
		return fmt.Errorf("%w: %s shows %s", ErrHostKeyUnknown, h.name, describe(key))
	}
	if h.t.TrustOnly {
		return nil
	}
	rows, err := recordKey(h.t.TrustFile, h.name, key)
	if err != nil {
		return err
	}
	// Somebody else may have recorded a key since the files were read.
	known := rows[:0:0]
	for _, r := range rows {
		if r.marker == "" && r.match(h.name) {
			known = append(known, r)
		}
	}
	if !slices.ContainsFunc(known, func(r knownRow) bool { return sameKey(r.key, key) }) {
		return h.changed(known, key)
	}
	return nil
}

func sameKey(a, b ssh.PublicKey) bool { return bytes.Equal(a.Marshal(), b.Marshal()) }

// describe is type and fingerprint.
func describe(key ssh.PublicKey) string { return key.Type() + " " + ssh.FingerprintSHA256(key) }
