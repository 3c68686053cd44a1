package remote_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// TestDropbear: another server, which has no SFTP and runs commands in its
// own process group.
func TestDropbear(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"dropbear", "dropbearkey", "unshare", "mount"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: the test against dropbear needs %s", tool)
		}
	}
	if out, err := exec.Command("unshare", "-m", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: the test against dropbear needs a mount namespace: %s", out)
	}
	dir := t.TempDir()
	key, pub := edKey(t)
	must(t, os.MkdirAll(filepath.Join(dir, "home/.ssh"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "home/.ssh/authorized_keys"), ssh.MarshalAuthorizedKey(pub), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "passwd"), fmt.Appendf(nil, "root:x:0:0:root:%s/home:/bin/sh\n", dir), 0o644))
	must(t, exec.Command("dropbearkey", "-t", "ed25519", "-f", filepath.Join(dir, "hostkey")).Run())
	port := serveEach(t, `mount --bind "$1/passwd" /etc/passwd; exec dropbear -i -r "$1/hostkey"`, dir)
	c := dial(t, remote.Target{
		Address: "127.0.0.1", Port: port, User: "root", IdentityFiles: []string{keyFile(t, key)}, AgentSocket: "none",
		KnownHosts: []string{}, TrustFile: filepath.Join(dir, "trust"),
	})
	checkFiles(t, c, t.TempDir())
	checkForward(t, c)
	checkEndsAlone(t, c)
}

// checkEndsAlone cancels a command and wants the connection to live.
func checkEndsAlone(t *testing.T, c *remote.Conn) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cmd := remote.Cmd{Args: []string{"sh", "-c", "echo begun; sleep 1000"}, Stdout: writerFunc(func(p []byte) (int, error) {
		cancel()
		return len(p), nil
	})}
	if _, err := c.Run(ctx, cmd); !errors.Is(err, ctx.Err()) {
		t.Errorf("got %v", err)
	}
	if got := output(t, c, remote.Cmd{Args: []string{"echo", "alive"}}); got != "alive\n" {
		t.Errorf("got %q", got)
	}
}

// serveEach runs a shell script for each connection to a loopback port, in
// a mount namespace, with the connection as stdin and stdout.
func serveEach(t *testing.T, script, dir string) (port int) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			f, err := conn.(*net.TCPConn).File()
			_ = conn.Close()
			if err != nil {
				return
			}
			cmd := exec.Command("unshare", "-m", "--propagation", "private", "sh", "-c", script, "x", dir)
			cmd.Stdin, cmd.Stdout = f, f
			go func() {
				_ = cmd.Run() // what it lacks shows in the test
				_ = f.Close()
			}()
		}
	}()
	return ln.Addr().(*net.TCPAddr).Port
}

// TestRealDoas: a host with doas and no sudo.
func TestRealDoas(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("doas"); err != nil {
		t.Skip("SKIPPED: no doas on this machine")
	}
	h := newRealHost(t, "")
	must(t, os.WriteFile(h.path("start"), []byte(`set -e
mount --bind /dev/null "$(command -v sudo)"
mount -t tmpfs none /run
mkdir /run/sshd /run/upper /run/work
mount -t overlay overlay -o lowerdir=/etc,upperdir=/run/upper,workdir=/run/work /etc
cp "$1/passwd" "$1/shadow" /etc
printf 'permit nopass free\npermit asked\n' >/etc/doas.conf
exec /usr/sbin/sshd -i -e -f "$1/sshd_config" 2>"$1/log.$$"
`), 0o644))
	cmd := remote.Cmd{Args: []string{"sh", "-c", "id -u; pwd; cat"}, Stdin: strings.NewReader("input"), Root: true}
	if got := output(t, dial(t, h.target("free")), cmd); got != "0\n/\ninput" {
		t.Errorf("got %q", got)
	}
	_, err := dial(t, h.asked("asked", realPassword)).Run(t.Context(), cmd)
	var e *remote.SudoError
	if !errors.As(err, &e) || !strings.Contains(e.Output(), "doas") {
		t.Errorf("doas that asks: %v", err)
	}
}
