// Package token reads and writes k3s's join tokens: a bare secret, or K10<hash of the CA>::<user>:<secret>, or a bootstrap
// token <id>.<secret> with or without the K10 part. It talks to nobody.
package token

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"regexp"
	"strings"
)

const (
	prefix     = "K10"
	hashLength = sha256.Size * 2
)

var bootstrapForm = regexp.MustCompile(`^([a-z0-9]{6})\.([a-z0-9]{16})$`)

// Errors of Parse; the texts are k3s's.
var (
	ErrEmpty  = errors.New("token must not be empty")
	ErrHash   = errors.New("invalid token CA hash length")
	ErrFormat = errors.New("invalid token format")
)

// Token is a parsed join token. Either User and Secret are set, or Bootstrap.
type Token struct {
	CAHash    string // "" in a short token: then the CA is not checked
	User      string // "server", "node", or "" in a short token
	Secret    string
	Bootstrap string // "id.secret"
}

// Parse reads any of the three forms.
func Parse(s string) (Token, error) {
	if s == "" {
		return Token{}, ErrEmpty
	}
	var t Token
	creds, full := strings.CutPrefix(s, prefix)
	if full {
		var ok bool
		if t.CAHash, creds, ok = strings.Cut(creds, "::"); !ok {
			return Token{}, ErrFormat
		}
		if t.CAHash != "" && len(t.CAHash) != hashLength {
			return Token{}, ErrHash
		}
	}
	if bootstrapForm.MatchString(creds) {
		t.Bootstrap = creds
		return t, nil
	}
	if !full {
		t.Secret = creds
		return t, nil
	}
	var ok bool
	if t.User, t.Secret, ok = strings.Cut(creds, ":"); !ok || t.Secret == "" {
		return Token{}, ErrFormat
	}
	return t, nil
}

// String gives the full form again; the CA's hash is left out when unknown.
func (t Token) String() string {
	if t.Bootstrap != "" {
		return prefix + t.CAHash + "::" + t.Bootstrap
	}
	return prefix + t.CAHash + "::" + t.User + ":" + t.Secret
}

// HashCA gives the hash that a token carries: SHA-256 over the PEM file of a single self-signed CA as it lies on disk.
// A bundle of several certificates is hashed by the DER of its last one, the root.
func HashCA(bundle []byte) string {
	var ders [][]byte
	for rest := bundle; ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		ders = append(ders, block.Bytes)
	}
	if len(ders) > 1 {
		bundle = ders[len(ders)-1]
	}
	sum := sha256.Sum256(bundle)
	return hex.EncodeToString(sum[:])
}

// Random gives n random bytes in hex.
func Random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return hex.EncodeToString(b)
}

// NewBootstrap makes a bootstrap token "id.secret".
func NewBootstrap() string { return Random(3) + "." + Random(8) }
