package remote_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// realPassword is the password of the accounts of a realHost; realShadow
// is its hash as in /etc/shadow.
const (
	realPassword = `-it's "$1" & ü%`
	realShadow   = `$6$gpubootsalt$.MeSHukcRjBieCM6VWG0qacdY0w1bu6PbC2oNHaoWhDmwnsK3XFu1jJXW.ZyYeeijIKTTn0UrJ/rL4CIEDhPt0`
)

// realHost is the sshd of this machine, one process for each connection,
// in a mount namespace where /etc/passwd, shadow and sudoers are our own.
type realHost struct {
	dir  string
	port int
}

// realAccounts are the logins of a realHost, with shell and sudoers rule.
var realAccounts = []struct{ name, shell, rule string }{
	{"free", "/bin/bash", "free ALL=(ALL) NOPASSWD: ALL"},
	{"asked", "/bin/bash", "asked ALL=(ALL) ALL"},
	{"denied", "/bin/sh", ""},
	{"fishy", "/usr/bin/fish", "Defaults:fishy use_pty\nfishy ALL=(ALL) ALL"},
	{"cshell", "/bin/tcsh", "cshell ALL=(ALL) ALL"},
	{"tty", "/bin/sh", "Defaults:tty requiretty\ntty ALL=(ALL) NOPASSWD: ALL"},
	{"ttyasked", "/bin/bash", "Defaults:ttyasked requiretty\nttyasked ALL=(ALL) ALL"},
	{"shonly", "/bin/sh", "shonly ALL=(ALL) ALL\nshonly ALL=(ALL) NOPASSWD: /bin/sh"},
	{"nologin", "/usr/sbin/nologin", ""},
}

// newRealHost skips, and says so, where there is no sshd or no right to
// make a mount namespace.
func newRealHost(t testing.TB, config string) *realHost {
	t.Helper()
	for _, tool := range []string{"/usr/sbin/sshd", "unshare", "mount", "sudo"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: the test against a real sshd needs %s", tool)
		}
	}
	if out, err := exec.Command("unshare", "-m", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: the test against a real sshd needs a mount namespace: %s", out)
	}
	h := &realHost{dir: t.TempDir()}
	must(t, os.Chmod(filepath.Dir(h.dir), 0o755)) // the accounts need their home folders
	must(t, os.Chmod(h.dir, 0o755))
	h.writeConfig(t, config)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	h.port = ln.Addr().(*net.TCPAddr).Port
	var work sync.WaitGroup
	work.Go(func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			work.Go(func() { h.serve(t, conn.(*net.TCPConn)) })
		}
	})
	t.Cleanup(func() {
		_ = ln.Close()
		work.Wait()
	})
	return h
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (h *realHost) path(name string) string { return filepath.Join(h.dir, name) }

func (h *realHost) writeConfig(t testing.TB, config string) {
	t.Helper()
	passwd := "root:x:0:0:root:/root:/bin/bash\nsshd:x:105:65534::/run/sshd:/usr/sbin/nologin\n"
	shadow := "root:*:19000:0:99999:7:::\nsshd:!:19000::::::\n"
	sudoers := "Defaults env_reset\nroot ALL=(ALL) ALL\n"
	for i, a := range realAccounts {
		home := h.path("home-" + a.name)
		must(t, os.Mkdir(home, 0o755))
		must(t, os.Chown(home, 4200+i, 4200))
		passwd += fmt.Sprintf("%s:x:%d:4200::%s:%s\n", a.name, 4200+i, home, a.shell)
		shadow += fmt.Sprintf("%s:%s:19000:0:99999:7:::\n", a.name, realShadow)
		sudoers += a.rule + "\n"
	}
	must(t, os.WriteFile(h.path("home-asked/.bashrc"), []byte("echo noise on stdout; echo noise on stderr >&2\n"), 0o644))
	write := func(name, text string, mode os.FileMode) {
		must(t, os.WriteFile(h.path(name), []byte(text), mode))
		must(t, os.Chmod(h.path(name), mode))
	}
	write("passwd", passwd, 0o644)
	write("shadow", shadow, 0o640)
	write("sudoers", sudoers, 0o440)
	write("id", newKeyFile(t), 0o600)
	write("host_ed25519", newKeyFile(t), 0o600)
	signer, err := ssh.ParsePrivateKey(readFile(t, h.path("id")))
	must(t, err)
	write("authorized", string(ssh.MarshalAuthorizedKey(signer.PublicKey())), 0o644)
	write("sshd_config", "HostKey "+h.path("host_ed25519")+"\nAuthorizedKeysFile "+h.path("authorized")+
		"\nStrictModes no\nUsePAM yes\nPermitRootLogin prohibit-password\nPrintMotd no\nMaxSessions 10\n"+
		"Subsystem sftp internal-sftp\n"+config+"\n", 0o644)
	write("start", `set -e
for f in passwd shadow sudoers; do mount --bind "$1/$f" "/etc/$f"; done
mount -t tmpfs none /run
mkdir /run/sshd
exec /usr/sbin/sshd -i -e -f "$1/sshd_config" 2>"$1/log.$$"
`, 0o644)
}

// serve runs sshd on one connection.
func (h *realHost) serve(t testing.TB, conn *net.TCPConn) {
	f, err := conn.File()
	_ = conn.Close()
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	cmd := exec.Command("unshare", "-m", "--propagation", "private", "sh", h.path("start"), h.dir)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = f, f, &stderr
	if err := cmd.Run(); err != nil && stderr.Len() > 0 {
		t.Logf("sshd: %v: %s", err, stderr.String())
	}
}

// target is a login on the host.
func (h *realHost) target(user string) remote.Target {
	return remote.Target{
		Address: "127.0.0.1", Port: h.port, User: user, IdentityFiles: []string{h.path("id")},
		IdentitiesOnly: true, AgentSocket: "none", KnownHosts: []string{}, TrustFile: h.path("trust/known_hosts"),
	}
}

// asked is a login whose sudo gets a password.
func (h *realHost) asked(user, password string) remote.Target {
	t := h.target(user)
	t.SudoPassword = func(context.Context) (string, error) { return password, nil }
	return t
}

func newKeyFile(t testing.TB) string {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	block, err := ssh.MarshalPrivateKey(key, "test")
	must(t, err)
	return string(pem.EncodeToMemory(block))
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

// TestRealHost is the whole of a login on a real sshd: each kind of root,
// each kind of login shell.
func TestRealHost(t *testing.T) {
	t.Parallel()
	h := newRealHost(t, "")
	binary := "first line\nsecond\x00\xff\n" + strings.Repeat("x", 100_000)
	for _, target := range []remote.Target{
		h.target("root"), h.target("free"), h.asked("free", realPassword), h.asked("asked", realPassword),
		h.asked("fishy", realPassword), h.asked("cshell", realPassword), h.asked("shonly", "never used"),
		h.target("tty"), h.asked("tty", realPassword), h.asked("ttyasked", realPassword),
	} {
		t.Run(target.User, func(t *testing.T) {
			t.Parallel()
			c := dial(t, target)
			script := `id -u; umask; pwd; printf '%s\n' "$LC_ALL" "$1"; cat; echo to stderr >&2`
			res, err := c.Run(t.Context(), remote.Cmd{
				Args: []string{"sh", "-c", script, "x", "a\n'b' \\ !c"}, Stdin: strings.NewReader(binary), Root: true,
			})
			want := "0\n0022\n/\nC\na\n'b' \\ !c\n" + binary
			if err != nil || string(res.Stdout) != want || string(res.Stderr) != "to stderr\n" {
				t.Errorf("got %.80q %q %v", res.Stdout, res.Stderr, err)
			}
			res, err = c.Run(t.Context(), remote.Cmd{Args: []string{"id", "-un"}})
			if err != nil || string(res.Stdout) != target.User+"\n" {
				t.Errorf("as the login: %q %v", res.Stdout, err)
			}
		})
	}
}

// TestRealKeys: an RSA key is used with SHA-2, as new servers want it, and
// OpenSSH finds the host in the trust file.
func TestRealKeys(t *testing.T) {
	t.Parallel()
	h := newRealHost(t, "")
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	pub := signer(t, key, err).PublicKey()
	must(t, os.WriteFile(h.path("authorized"), ssh.MarshalAuthorizedKey(pub), 0o644))
	target := h.target("free")
	target.IdentityFiles = []string{keyFile(t, key)}
	dial(t, target)
	target.IdentityFiles, target.IdentitiesOnly = []string{"/nonexistent"}, false
	target.AgentSocket = serveAgent(t, key)
	dial(t, target)
	out, err := exec.Command("ssh-keygen", "-f", target.TrustFile, "-F", knownName(target)).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "found: line 1") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestRealRefusals: what real programs do when root is not to be had.
func TestRealRefusals(t *testing.T) {
	t.Parallel()
	h := newRealHost(t, "")
	tests := []struct {
		name     string
		target   remote.Target
		class    error
		evidence string
	}{
		{"wrong password", h.asked("asked", "wrong"), remote.ErrSudo, "try again"},
		{"empty password", h.asked("asked", ""), remote.ErrSudo, "try again"},
		{"no password", h.target("asked"), remote.ErrSudo, "password is required"},
		{"no password, requiretty", h.target("ttyasked"), remote.ErrSudo, "tty"},
		{"not in sudoers", h.target("denied"), remote.ErrSudo, "sudo"},
		{"not in sudoers, with password", h.asked("denied", realPassword), remote.ErrSudo, "denied is not in the sudoers file"},
		{"nologin", h.target("nologin"), remote.ErrShell, "not available"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := dial(t, tt.target)
			_, err := c.Run(t.Context(), remote.Cmd{Args: []string{"id"}, Stdin: strings.NewReader("input"), Root: true})
			var out interface{ Output() string }
			if !errors.Is(err, tt.class) || !errors.As(err, &out) || !strings.Contains(out.Output(), tt.evidence) {
				t.Errorf("got %v, want %v with %q", err, tt.class, tt.evidence)
			}
		})
	}
}
