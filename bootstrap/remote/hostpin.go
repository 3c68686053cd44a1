package remote

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
)

// checkPin refuses a pin that no key can match.
func checkPin(pin string) error {
	if strings.HasPrefix(pin, "SHA256:") {
		if len(pin) != len("SHA256:")+43 {
			return fmt.Errorf("the pinned host key %q is not a whole SHA256 fingerprint (43 characters)", pin)
		}
		return nil
	}
	if _, err := pinnedKey(pin); err != nil {
		return fmt.Errorf(`the pinned host key is neither "type base64" nor "SHA256:…": %w`, err)
	}
	return nil
}

func pinnedKey(pin string) (ssh.PublicKey, error) {
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(pin))
	return key, err
}

func (h *hostCheck) verifyPin(key ssh.PublicKey) error {
	if cert, ok := key.(*ssh.Certificate); ok {
		key = cert.Key
	}
	pin := h.t.HostKey
	if ssh.FingerprintSHA256(key) == pin {
		return nil
	}
	if want, err := pinnedKey(pin); err == nil {
		if sameKey(want, key) {
			return nil
		}
		pin = describe(want)
	}
	h.hint = "compare the new fingerprint with the provider's and put it into hostKey of the inventory"
	return fmt.Errorf("%w: %s shows %s, pinned is %s", ErrHostKeyChanged, h.name, describe(key), pin)
}

// nextKind prepares another handshake when a pinned fingerprint did not
// match. A fingerprint does not tell its kind of key, and a host has
// several: each is looked at before the pin is said to differ.
func (h *hostCheck) nextKind() bool {
	if !strings.HasPrefix(h.t.HostKey, "SHA256:") || h.shown == nil || h.err == nil {
		return false
	}
	if h.first == nil {
		h.first = &keyMismatch{h.err, h.hint}
	}
	h.skip = append(h.skip, h.shown.Type())
	h.seen, h.shown, h.err = false, nil, nil
	return len(h.algorithms()) > 0
}

// keyMismatch is the first key that did not match a pinned fingerprint.
type keyMismatch struct {
	err  error
	hint string
}

// mismatch gives the error of the first key back when the host has no
// further kind of key.
func (h *hostCheck) mismatch(err error) error {
	var e *ConnectError
	if h.first == nil || !errors.As(err, &e) {
		return err
	}
	if h.err == nil && !errors.Is(e.Class, ErrNegotiation) {
		return err
	}
	e.Class, e.Err, e.hint, e.final = ErrHostKeyChanged, h.first.err, h.first.hint, true
	return e
}
