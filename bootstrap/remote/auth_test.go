package remote_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// serveAgent serves keys on a socket like ssh-agent.
func serveAgent(t *testing.T, keys ...any) string {
	t.Helper()
	ring := agent.NewKeyring()
	for _, k := range keys {
		must(t, ring.Add(agent.AddedKey{PrivateKey: k, Comment: "from the agent"}))
	}
	path := filepath.Join(t.TempDir(), "agent")
	ln, err := net.Listen("unix", path)
	must(t, err)
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() { _ = agent.ServeAgent(ring, conn) }()
		}
	}()
	return path
}

// lockedPhrase opens testdata/locked and testdata/locked_pem. They were
// made with one round of key stretching, as 16 take seconds with -race.
const lockedPhrase = "it's secret"

// lockedKey is an encrypted key: its file, itself, and its public part.
func lockedKey(t *testing.T) (file string, key any, pub ssh.PublicKey) {
	t.Helper()
	data := readFile(t, "testdata/locked")
	key, err := ssh.ParseRawPrivateKeyWithPassphrase(data, []byte(lockedPhrase))
	must(t, err)
	file = filepath.Join(t.TempDir(), "locked")
	must(t, os.WriteFile(file, data, 0o600))
	return file, key, signer(t, key, nil).PublicKey()
}

// keyFile writes a private key.
func keyFile(t *testing.T, key any) string {
	t.Helper()
	block, err := ssh.MarshalPrivateKey(key, "comment")
	must(t, err)
	path := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
	return path
}

func edKey(t *testing.T) (*ed25519.PrivateKey, ssh.PublicKey) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	return &key, signer(t, key, err).PublicKey()
}

func TestAuthAgentAndFilesInOneHandshake(t *testing.T) {
	t.Parallel()
	key, pub := edKey(t)
	for _, inAgent := range []bool{true, false} {
		h := remotetest.New(t)
		h.Authorize(pub)
		other, _ := edKey(t)
		target := h.Target()
		target.IdentitiesOnly = false
		target.IdentityFiles = []string{keyFile(t, other)}
		target.AgentSocket = serveAgent(t, key)
		if !inAgent {
			target.IdentityFiles = append(target.IdentityFiles, keyFile(t, key))
			target.AgentSocket = serveAgent(t)
		}
		dial(t, target)
		if n := h.Counters(); n.Connections != 1 {
			t.Errorf("cost %+v", n)
		}
	}
}

func TestAuthNamedKeysComeBeforeTheAgents(t *testing.T) {
	t.Parallel()
	var many []any
	for range 8 {
		k, _ := edKey(t)
		many = append(many, k)
	}
	h := remotetest.New(t)
	target := h.Target()
	target.IdentitiesOnly = false
	target.AgentSocket = serveAgent(t, many...)
	dial(t, target)

	file, key, pub := lockedKey(t) // only the agent can use it
	h.Authorize(pub)
	named := target
	named.AgentSocket = serveAgent(t, append(many, key)...)
	named.IdentityFiles = []string{file}
	dial(t, named)
	if n := h.Counters().KeysOffered; n > 4 { // asked about and used, twice
		t.Errorf("%d keys were offered", n)
	}

	target.IdentityFiles = []string{"/nonexistent"}
	e := refused(t, target, remote.ErrAuth)
	if len(e.Tried) < 6 || !strings.Contains(e.Error(), "no such file") || !strings.Contains(e.Hint(), "MaxAuthTries") {
		t.Errorf("the error reads %q, hint %q", e, e.Hint())
	}
	if !strings.Contains(e.Error(), `agent key "from the agent" ssh-ed25519 SHA256:`) {
		t.Errorf("the error reads %q", e)
	}
}

func TestAuthIdentitiesOnly(t *testing.T) {
	t.Parallel()
	file, key, pub := lockedKey(t)
	h := remotetest.New(t)
	h.Authorize(pub)
	other, _ := edKey(t)
	target := h.Target()
	target.AgentSocket = serveAgent(t, key)
	target.IdentityFiles = []string{keyFile(t, other)}
	_ = refused(t, target, remote.ErrAuth)
	target.IdentityFiles = []string{file}
	dial(t, target)
}

func TestAuthPassphraseIsAskedOnce(t *testing.T) {
	t.Parallel()
	file, _, pub := lockedKey(t)
	var asked atomic.Int64
	var d remote.Dialer
	defer d.Close()
	errs := make(chan error)
	for range 5 {
		h := remotetest.New(t)
		h.Authorize(pub)
		target := h.Target()
		target.IdentityFiles = []string{file}
		target.Passphrase = func(_ context.Context, name string) ([]byte, error) {
			asked.Add(1)
			if name != file {
				t.Errorf("asked for %s", name)
			}
			return []byte(lockedPhrase), nil
		}
		go func() {
			c, err := d.Dial(t.Context(), target)
			if err == nil {
				err = c.Close()
			}
			errs <- err
		}()
	}
	for range 5 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

func TestAuthPassphraseNotAskedForAKeyThatTheHostRefuses(t *testing.T) {
	t.Parallel()
	file, _, _ := lockedKey(t)
	h := remotetest.New(t)
	target := h.Target()
	target.IdentityFiles = append([]string{file}, target.IdentityFiles...)
	target.Passphrase = func(context.Context, string) ([]byte, error) {
		t.Error("asked")
		return nil, nil
	}
	dial(t, target)
}

func TestAuthEncryptedKeyFailures(t *testing.T) {
	t.Parallel()
	file, _, pub := lockedKey(t)
	h := remotetest.New(t)
	h.Authorize(pub)
	target := h.Target()
	target.IdentityFiles = []string{file}
	e := refused(t, target, remote.ErrAuth)
	if !strings.Contains(e.Error(), "it is encrypted and no passphrase can be asked for") {
		t.Errorf("the error reads %q", e)
	}
	closed := errors.New("the user closed the dialog")
	target.Passphrase = func(context.Context, string) ([]byte, error) { return nil, closed }
	if e := refused(t, target, remote.ErrAuth); !errors.Is(e, closed) {
		t.Errorf("the error reads %q", e)
	}
	target.Passphrase = func(context.Context, string) ([]byte, error) { return []byte("wrong"), nil }
	if e := refused(t, target, remote.ErrAuth); !strings.Contains(e.Error(), "opening the key "+target.IdentityFiles[0]) {
		t.Errorf("the error reads %q", e)
	}
}

// TestAuthOldEncryptedKey: the PEM form does not tell the public key, so it
// is asked for before the host is.
func TestAuthOldEncryptedKey(t *testing.T) {
	t.Parallel()
	key, err := ssh.ParsePrivateKeyWithPassphrase(readFile(t, "testdata/locked_pem"), []byte(lockedPhrase))
	must(t, err)
	h := remotetest.New(t)
	h.Authorize(key.PublicKey())
	target := h.Target()
	target.IdentityFiles = []string{"testdata/locked_pem"}
	target.Passphrase = func(context.Context, string) ([]byte, error) { return []byte(lockedPhrase), nil }
	dial(t, target)
}

func TestAuthKeyWithWindowsLineEnds(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	target := h.Target()
	text := strings.ReplaceAll(string(readFile(t, target.IdentityFiles[0])), "\n", "\r\n")
	path := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	target.IdentityFiles = []string{path}
	dial(t, target)
}

func TestAuthCertificateBesideTheKey(t *testing.T) {
	t.Parallel()
	authority := edSigner(t)
	h := remotetest.New(t)
	h.Authorize(authority.PublicKey())
	key, pub := edKey(t)
	cert := &ssh.Certificate{Key: pub, CertType: ssh.UserCert, ValidPrincipals: []string{"root"}, ValidBefore: ssh.CertTimeInfinity}
	must(t, cert.SignCert(rand.Reader, authority))
	target := h.Target()
	target.IdentityFiles = []string{keyFile(t, key)}
	must(t, os.WriteFile(target.IdentityFiles[0]+"-cert.pub", ssh.MarshalAuthorizedKey(cert), 0o600))
	dial(t, target)
}

func TestAuthPassword(t *testing.T) {
	t.Parallel()
	for _, opts := range [][]remotetest.Option{
		{remotetest.Password("it's $1")},
		{remotetest.Password("it's $1"), remotetest.Interactive("Password: ")},
	} {
		h := remotetest.New(t, opts...)
		target := h.Target()
		target.IdentityFiles = []string{"/nonexistent"}
		target.Password = answer("it's $1")
		dial(t, target)
		target.Password = answer("wrong")
		e := refused(t, target, remote.ErrAuth)
		if n := h.Counters(); n.Passwords != 2 {
			t.Errorf("sent %d passwords", n.Passwords)
		}
		if strings.Contains(e.Error(), "wrong") || !strings.Contains(strings.Join(e.Tried, " "), "password") && !strings.Contains(strings.Join(e.Tried, " "), "interactive") {
			t.Errorf("the error reads %q", e)
		}
		lost := errors.New("no terminal")
		target.Password = func(context.Context) (string, error) { return "", lost }
		if e := refused(t, target, remote.ErrAuth); !errors.Is(e, lost) {
			t.Errorf("the error reads %q", e)
		}
	}
}

func TestAuthAgentThatIsGone(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	target := h.Target()
	target.AgentSocket = filepath.Join(t.TempDir(), "gone")
	dial(t, target) // the key file is enough

	target.IdentitiesOnly, target.IdentityFiles = false, []string{"/nonexistent"}
	if e := refused(t, target, remote.ErrAuth); !strings.Contains(e.Error(), "the agent at "+target.AgentSocket) {
		t.Errorf("the error reads %q", e)
	}
}
