package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/crypto/ssh"
)

// keyRing holds private keys that were read, so that many dials read and
// ask once. The zero value is empty.
type keyRing struct {
	mu    sync.Mutex
	files map[string]*keyFile
}

// keyFile is one private key, possibly not decrypted yet.
type keyFile struct {
	path string
	pub  ssh.PublicKey // nil when the file tells it only after decryption
	err  error         // why the file cannot be used

	mu     sync.Mutex
	data   []byte     // the encrypted file; nil once it is open
	signer ssh.Signer // nil until it is open
	locked error      // why it could not be opened
}

// file reads a key file once.
func (k *keyRing) file(path string) *keyFile {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f, ok := k.files[path]; ok {
		return f
	}
	if k.files == nil {
		k.files = map[string]*keyFile{}
	}
	f := readKey(path)
	k.files[path] = f
	return f
}

func readKey(path string) *keyFile {
	f := &keyFile{path: path}
	data, err := os.ReadFile(path)
	if err != nil {
		f.err = err
		return f
	}
	// Keys that went through an editor of Windows or a web form.
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	signer, err := ssh.ParsePrivateKey(data)
	var locked *ssh.PassphraseMissingError
	switch {
	case err == nil:
		f.signer, f.pub = signer, signer.PublicKey()
	case errors.As(err, &locked):
		f.data = data
		if f.pub = locked.PublicKey; f.pub == nil {
			f.pub = publicBeside(path) // PEM keys do not tell
		}
	default:
		// A public key named as identity belongs to a key in the agent.
		if pub, _, _, _, perr := ssh.ParseAuthorizedKey(data); perr == nil {
			f.pub = pub
		}
		f.err = err
	}
	return f
}

// publicBeside reads PATH.pub; nil when there is none.
func publicBeside(path string) ssh.PublicKey {
	data, err := os.ReadFile(path + ".pub")
	if err != nil {
		return nil
	}
	pub, _, _, _, err := ssh.ParseAuthorizedKey(data)
	if err != nil {
		return nil
	}
	return pub
}

// open decrypts the key. The passphrase is asked once, whoever waits for
// it: another dial that wants the same key waits for the same answer.
func (f *keyFile) open(ask func(file string) ([]byte, error)) (ssh.Signer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.signer != nil || f.locked != nil {
		return f.signer, f.locked
	}
	phrase, err := ask(f.path)
	if err == nil {
		f.signer, err = ssh.ParsePrivateKeyWithPassphrase(f.data, phrase)
	}
	if err != nil {
		err = fmt.Errorf("opening the key %s: %w", f.path, err)
		if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			f.locked = err // else another dial may ask again
		}
		return nil, err
	}
	f.data = nil
	return f.signer, nil
}

// usable says whether the key can sign without asking.
func (f *keyFile) usable() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.signer != nil
}

// lazySigner offers the public key and opens the private one only when the
// host wants it.
type lazySigner struct {
	file *keyFile
	ask  func(file string) ([]byte, error)
}

func (s *lazySigner) PublicKey() ssh.PublicKey { return s.file.pub }

func (s *lazySigner) Sign(rand io.Reader, data []byte) (*ssh.Signature, error) {
	return s.SignWithAlgorithm(rand, data, "")
}

func (s *lazySigner) SignWithAlgorithm(rand io.Reader, data []byte, algo string) (*ssh.Signature, error) {
	signer, err := s.file.open(s.ask)
	if err != nil {
		return nil, err
	}
	if as, ok := signer.(ssh.AlgorithmSigner); ok {
		return as.SignWithAlgorithm(rand, data, algo)
	}
	return signer.Sign(rand, data)
}

// withCertificate is the signer for a certificate in a file, nil when
// there is none that belongs to the key.
func withCertificate(file string, signer ssh.Signer) ssh.Signer {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	pub, _, _, _, err := ssh.ParseAuthorizedKey(data)
	if err != nil {
		return nil
	}
	cert, ok := pub.(*ssh.Certificate)
	if !ok {
		return nil
	}
	cs, err := ssh.NewCertSigner(cert, signer)
	if err != nil {
		return nil
	}
	return cs
}

// defaultIdentities are the keys that OpenSSH tries when none is named,
// without those that need a security key at hand: they come by the agent.
func defaultIdentities() []string {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil
	}
	var files []string
	for _, name := range []string{"id_rsa", "id_ecdsa", "id_ed25519"} {
		path := filepath.Join(home, ".ssh", name)
		if _, err := os.Stat(path); err == nil {
			files = append(files, path)
		}
	}
	return files
}
