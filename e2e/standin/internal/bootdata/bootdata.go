// Package bootdata is what servers of one cluster share: the authorities with their keys and the passwords. It goes to a
// joining server over TLS, and into the datastore encrypted with the cluster's token (PBKDF2 and AES-GCM, as in k3s).
package bootdata

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
)

// Errors whose texts are k3s's.
var (
	ErrOtherToken = errors.New("bootstrap data already found and encrypted with different token")
	ErrNone       = errors.New("no bootstrap data found in datastore")
)

// KeyPrefix is where the datastore keeps the encrypted data; the rest of the key is a hash of the token.
const KeyPrefix = "/bootstrap/"

// File is one shared file.
type File struct {
	Timestamp time.Time
	Content   []byte
}

// Data maps k3s's names of the files to what is in them.
type Data map[string]File

// paths gives the shared files by k3s's names for them.
func paths(d layout.Dir) map[string]string {
	return map[string]string{
		"ServerCA": d.TLS("server-ca.crt"), "ServerCAKey": d.TLS("server-ca.key"),
		"ClientCA": d.TLS("client-ca.crt"), "ClientCAKey": d.TLS("client-ca.key"),
		"RequestHeaderCA": d.TLS("request-header-ca.crt"), "RequestHeaderCAKey": d.TLS("request-header-ca.key"),
		"ETCDServerCA": d.TLS("etcd/server-ca.crt"), "ETCDServerCAKey": d.TLS("etcd/server-ca.key"),
		"ETCDPeerCA": d.TLS("etcd/peer-ca.crt"), "ETCDPeerCAKey": d.TLS("etcd/peer-ca.key"),
		"ServiceKey": d.TLS("service.key"), "PasswdFile": d.Cred("passwd"), "IPSECKey": d.Cred("ipsec.psk"),
	}
}

// Read collects the shared files of this server.
func Read(d layout.Dir) ([]byte, error) {
	data := Data{}
	for name, path := range paths(d) {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("reading bootstrap data: %w", err)
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		data[name] = File{Timestamp: info.ModTime(), Content: content}
	}
	return json.Marshal(data)
}

// Write puts shared files in place; names that this version does not know are left out.
func Write(d layout.Dir, encoded []byte) error {
	var data Data
	if err := json.Unmarshal(encoded, &data); err != nil {
		return fmt.Errorf("reading bootstrap data: %w", err)
	}
	known := paths(d)
	for name, f := range data {
		if path, ok := known[name]; ok {
			if err := os.WriteFile(path, f.Content, 0o600); err != nil {
				return fmt.Errorf("writing bootstrap data: %w", err)
			}
		}
	}
	return nil
}

// Key is the datastore key for data encrypted with this password.
func Key(password string) string {
	sum := sha256.Sum256([]byte(password))
	return KeyPrefix + hex.EncodeToString(sum[:])[:12]
}

// Encrypt seals data with the password.
func Encrypt(password string, data []byte) ([]byte, error) {
	salt := make([]byte, 8)
	_, _ = rand.Read(salt) // never fails (crypto/rand)
	gcm, err := sealer(password, hex.EncodeToString(salt))
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, gcm.NonceSize())
	_, _ = rand.Read(nonce)
	sealed := gcm.Seal(nonce, nonce, data, nil)
	return []byte(hex.EncodeToString(salt) + ":" + base64.StdEncoding.EncodeToString(sealed)), nil
}

// Decrypt opens what Encrypt sealed.
func Decrypt(password string, sealed []byte) ([]byte, error) {
	const saltLen = 16
	if len(sealed) < saltLen+1 || sealed[saltLen] != ':' {
		return nil, errors.New("bootstrap data has no salt")
	}
	raw, err := base64.StdEncoding.DecodeString(string(sealed[saltLen+1:]))
	if err != nil {
		return nil, fmt.Errorf("decoding bootstrap data: %w", err)
	}
	gcm, err := sealer(password, string(sealed[:saltLen]))
	if err != nil {
		return nil, err
	}
	if len(raw) < gcm.NonceSize() {
		return nil, errors.New("bootstrap data is too short")
	}
	return gcm.Open(nil, raw[:gcm.NonceSize()], raw[gcm.NonceSize():], nil)
}

func sealer(password, salt string) (cipher.AEAD, error) {
	key, err := pbkdf2.Key(sha1.New, password, []byte(salt), 4096, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
