package remote

import (
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
	return fmt.Errorf("%w: %s shows %s, pinned is %s", ErrHostKeyChanged, h.name(), describe(key), pin)
}
