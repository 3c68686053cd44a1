package remote

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// defaultKnownHosts are the files that OpenSSH reads.
func defaultKnownHosts() []string {
	files := []string{"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"}
	if home, err := os.UserHomeDir(); err == nil {
		files = append([]string{filepath.Join(home, ".ssh/known_hosts"), filepath.Join(home, ".ssh/known_hosts2")}, files...)
	}
	return files
}

// certSuffix ends the name of every certificate algorithm.
const certSuffix = "-cert-v01@openssh.com"

// algorithms is the order in which host keys are asked for. A server has
// several keys and shows the first kind that the client names, so kinds
// that are already known come first: else a host known by its RSA key
// would look changed when it shows its newer one.
func (h *hostCheck) algorithms() []string {
	kinds := h.kinds()
	hasAuthority := len(h.matching("cert-authority")) > 0
	var certs, known, rest []string
	for _, algo := range hostAlgorithms() {
		switch {
		case slices.Contains(h.skip, kindOf(algo)):
		case strings.HasSuffix(algo, certSuffix):
			if hasAuthority {
				certs = append(certs, algo)
			}
		case slices.Contains(kinds, kindOf(algo)):
			known = append(known, algo)
		default:
			rest = append(rest, algo)
		}
	}
	if h.t.HostKey != "" && len(known) > 0 {
		return known // a pinned key leaves no choice
	}
	return slices.Concat(certs, known, rest)
}

// kinds are the key types that the host is known by.
func (h *hostCheck) kinds() []string {
	if key, err := pinnedKey(h.t.HostKey); err == nil {
		return []string{key.Type()}
	}
	var kinds []string
	for _, r := range h.matching("") {
		kinds = append(kinds, r.key.Type())
	}
	return kinds
}

// hostAlgorithms are the library's safe ones with the preference of
// OpenSSH: Ed25519 before ECDSA before RSA. SHA-1 is not among them.
func hostAlgorithms() []string {
	algos := ssh.SupportedAlgorithms().HostKeys
	rank := func(algo string) int {
		for i, part := range []string{"ed25519", "ecdsa", "rsa"} {
			if strings.Contains(algo, part) {
				return i
			}
		}
		return 3
	}
	slices.SortStableFunc(algos, func(a, b string) int { return rank(a) - rank(b) })
	return algos
}

// kindOf is the key type that an algorithm signs with.
func kindOf(algo string) string {
	if algo == ssh.KeyAlgoRSASHA256 || algo == ssh.KeyAlgoRSASHA512 {
		return ssh.KeyAlgoRSA
	}
	return algo
}
