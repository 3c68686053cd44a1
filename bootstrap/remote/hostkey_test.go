package remote_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

func signer(t testing.TB, key any, err error) ssh.Signer {
	t.Helper()
	must(t, err)
	s, err := ssh.NewSignerFromKey(key)
	must(t, err)
	return s
}

func rsaSigner(t testing.TB) ssh.Signer {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	return signer(t, key, err)
}

func ecdsaSigner(t testing.TB) ssh.Signer {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	return signer(t, key, err)
}

func edSigner(t testing.TB) ssh.Signer {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	return signer(t, key, err)
}

// trusting is the target with a trust file and no pin.
func trusting(t testing.TB, h *remotetest.Host) remote.Target {
	target := h.Target()
	target.HostKey = ""
	target.TrustFile = filepath.Join(t.TempDir(), "clusters", "lab", "known_hosts")
	return target
}

func knownName(target remote.Target) string {
	return knownhosts.Normalize(fmt.Sprintf("%s:%d", target.Address, target.Port))
}

// known writes a known_hosts file.
func known(t testing.TB, rows ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "known hosts")
	must(t, os.WriteFile(path, []byte(strings.Join(rows, "\n")+"\n"), 0o600))
	return path
}

func row(name string, key ssh.PublicKey) string {
	return name + " " + strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
}

func TestTrustFirstUseIsRecordedOnce(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	target := trusting(t, h)
	for range 2 {
		dial(t, target)
	}
	info, err := os.Stat(target.TrustFile)
	must(t, err)
	dir, err := os.Stat(filepath.Dir(target.TrustFile))
	must(t, err)
	if info.Mode() != 0o600 || dir.Mode().Perm() != 0o700 {
		t.Errorf("modes are %v and %v", info.Mode(), dir.Mode())
	}
	want := row(fmt.Sprintf("[127.0.0.1]:%d", target.Port), mustKey(t, h.HostKey())) + "\n"
	if got := string(readFile(t, target.TrustFile)); got != want {
		t.Errorf("the file holds %q, want %q", got, want)
	}
}

func mustKey(t testing.TB, text string) ssh.PublicKey {
	t.Helper()
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(text))
	must(t, err)
	return key
}

func TestTrustFileKeepsWhatItHas(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	target := trusting(t, h)
	must(t, os.MkdirAll(filepath.Dir(target.TrustFile), 0o700))
	must(t, os.WriteFile(target.TrustFile, []byte("# mine, without a line end"), 0o600))
	dial(t, target)
	lines := strings.Split(string(readFile(t, target.TrustFile)), "\n")
	if len(lines) != 3 || lines[0] != "# mine, without a line end" || !strings.HasPrefix(lines[1], "[127.0.0.1]:") {
		t.Errorf("the file holds %q", lines)
	}
}

func TestTrustParallelDials(t *testing.T) {
	t.Parallel()
	target := trusting(t, remotetest.New(t))
	other := trusting(t, remotetest.New(t))
	other.TrustFile = target.TrustFile
	errs := make(chan error)
	for range 10 {
		for _, target := range []remote.Target{target, other} {
			go func() {
				c, err := remote.Dial(t.Context(), target)
				if err == nil {
					err = c.Close()
				}
				errs <- err
			}()
		}
	}
	for range 20 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if n := strings.Count(string(readFile(t, target.TrustFile)), "\n"); n != 2 {
		t.Errorf("the file has %d rows:\n%s", n, readFile(t, target.TrustFile))
	}
}

func TestHostKeyChangedSaysWhatToDo(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	target := trusting(t, h)
	dial(t, target)
	old := ssh.FingerprintSHA256(mustKey(t, h.HostKey()))
	h.ChangeHostKey()
	e := refused(t, target, remote.ErrHostKeyChanged)
	for _, want := range []string{old, ssh.FingerprintSHA256(mustKey(t, h.HostKey())), target.TrustFile + ":1"} {
		if !strings.Contains(e.Error(), want) {
			t.Errorf("the error %q lacks %q", e, want)
		}
	}
	command := remote.Quote("ssh-keygen", "-f", target.TrustFile, "-R", knownName(target))
	if !strings.Contains(e.Hint(), command) {
		t.Errorf("the hint %q lacks %q", e.Hint(), command)
	}
	if got := string(readFile(t, target.TrustFile)); strings.Count(got, "\n") != 1 {
		t.Errorf("the file was changed: %q", got)
	}
}

func TestKnownHosts(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	target := h.Target()
	target.HostKey = ""
	good, bad := mustKey(t, h.HostKey()), edSigner(t).PublicKey()
	name := knownName(target)
	alias := func(t *remote.Target) { t.HostKeyAlias = "alias.example" }
	tests := []struct {
		name  string
		rows  []string
		to    func(*remote.Target)
		class error
	}{
		{"plain", []string{row(name, good)}, nil, nil},
		{"hashed", []string{row(knownhosts.HashHostname(name), good)}, nil, nil},
		{"pattern", []string{row("[127.0.0.*]:*", good)}, nil, nil},
		{"list", []string{row("other,"+name, good)}, nil, nil},
		{"negated", []string{row("!"+name+",*", good)}, nil, remote.ErrHostKeyUnknown},
		{"other port", []string{row("127.0.0.1", good)}, nil, remote.ErrHostKeyUnknown},
		{"odd rows around", []string{"garbage", "[0.0.0.0]:0 " + name, "@what x y", "host ssh-dss AAAA", row(name, good)}, nil, nil},
		{"one of two", []string{row(name, bad), row(name, good)}, nil, nil},
		{"changed", []string{row(name, bad)}, nil, remote.ErrHostKeyChanged},
		{"other kind known", []string{row(name, ecdsaSigner(t).PublicKey())}, nil, remote.ErrHostKeyChanged},
		{"revoked", []string{"@revoked " + row("*", good), row(name, good)}, nil, remote.ErrHostKeyChanged},
		{"authority is no host key", []string{"@cert-authority " + row("*", good)}, nil, remote.ErrHostKeyUnknown},
		{"alias", []string{row("alias.example", good)}, alias, nil},
		{"alias only", []string{row(name, good)}, alias, remote.ErrHostKeyUnknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			target := target
			target.KnownHosts = []string{filepath.Join(t.TempDir(), "missing"), known(t, tt.rows...)}
			if tt.to != nil {
				tt.to(&target)
			}
			if tt.class == nil {
				dial(t, target)
				return
			}
			_ = refused(t, target, tt.class)
		})
	}
}

func TestKnownKindOfKeyIsAskedForFirst(t *testing.T) {
	t.Parallel()
	keys := []ssh.Signer{edSigner(t), ecdsaSigner(t), rsaSigner(t)}
	for _, k := range keys {
		h := remotetest.New(t)
		h.SetHostKeys(keys...)
		target := h.Target()
		target.HostKey = ""
		target.KnownHosts = []string{known(t, row(knownName(target), k.PublicKey()))}
		dial(t, target)

		target.KnownHosts = []string{}
		for _, pin := range []string{string(ssh.MarshalAuthorizedKey(k.PublicKey())), ssh.FingerprintSHA256(k.PublicKey())} {
			target.HostKey = pin
			dial(t, target)
		}
	}
}

func TestPinOverridesFiles(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	target := h.Target()
	target.TrustFile = filepath.Join(t.TempDir(), "trust")
	target.KnownHosts = []string{known(t, row(knownName(target), edSigner(t).PublicKey()))}
	dial(t, target)
	if _, err := os.Stat(target.TrustFile); err == nil {
		t.Error("a pinned key was recorded")
	}
	other := edSigner(t).PublicKey()
	for _, pin := range []string{ssh.FingerprintSHA256(other), string(ssh.MarshalAuthorizedKey(other))} {
		target.HostKey = pin
		e := refused(t, target, remote.ErrHostKeyChanged)
		if !strings.Contains(e.Error(), ssh.FingerprintSHA256(other)) || !strings.Contains(e.Error(), ssh.FingerprintSHA256(mustKey(t, h.HostKey()))) {
			t.Errorf("the error reads %q", e)
		}
	}
	for _, pin := range []string{"SHA256:short", "ssh-ed25519", "MD5:00:11"} {
		target.HostKey = pin
		if _, err := remote.Dial(t.Context(), target); err == nil || !strings.Contains(err.Error(), "pinned host key") {
			t.Errorf("pin %q: %v", pin, err)
		}
	}
}

func TestHostCertificate(t *testing.T) {
	t.Parallel()
	authority, host := edSigner(t), edSigner(t)
	cert := &ssh.Certificate{
		Key: host.PublicKey(), CertType: ssh.HostCert, ValidPrincipals: []string{"127.0.0.1"}, ValidBefore: ssh.CertTimeInfinity,
	}
	must(t, cert.SignCert(rand.Reader, authority))
	cs, err := ssh.NewCertSigner(cert, host)
	must(t, err)
	h := remotetest.New(t)
	h.SetHostKeys(cs, host)
	target := h.Target()
	target.HostKey = ""
	target.KnownHosts = []string{known(t, "@cert-authority "+row("[127.0.0.1]:*", authority.PublicKey()))}
	dial(t, target)

	target.KnownHosts = []string{known(t, "@cert-authority "+row("*", edSigner(t).PublicKey()))}
	_ = refused(t, target, remote.ErrHostKeyUnknown)

	target.KnownHosts = []string{known(t, "@cert-authority "+row("*", authority.PublicKey()), "@revoked "+row("*", host.PublicKey()))}
	_ = refused(t, target, remote.ErrHostKeyChanged)
}
