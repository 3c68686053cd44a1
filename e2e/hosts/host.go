package hosts

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"github.com/gpuboot/gpuboot/inventory"
)

// Host is one machine with systemd and an SSH server. Its exported fields are what a client needs to log in.
type Host struct {
	Name     string // as in the spec
	Address  string // on the network that the test process reaches
	Port     int
	User     string
	KeyFile  string // private key of the fleet, in OpenSSH's format; "" leaves the choice to ssh
	HostKey  string // "ssh-ed25519 AAAA…", as it stands in known_hosts; "" when not known beforehand
	Password string // of User; "" when there is none

	// Owned is what the inventory says of a machine that was not made here (jump hosts, passwords, more keys), else nil.
	Owned *inventory.Host

	fleet *Fleet
	rec   *hostRecord // nil for machines that were not made here
}

// Fingerprint is the SHA256:… form of HostKey, "" when that is not known.
func (h *Host) Fingerprint() string { return fingerprint(h.HostKey) }

// AddressOn is the host's address on a network of Spec.NICs, "" when it has no link there.
func (h *Host) AddressOn(network string) string {
	if h.rec == nil {
		return ""
	}
	for _, n := range h.rec.NICs {
		if n.Network == network {
			return n.Addr.Addr().String()
		}
	}
	return ""
}

// ExitError is a command on a host that ended with a code other than zero.
type ExitError struct {
	Host, Script string
	Code         int
	Stderr       []byte
}

func (e *ExitError) Error() string {
	return fmt.Sprintf("host %s: %q ended with code %d: %s", e.Host, e.Script, e.Code, lastLines(e.Stderr, 5))
}

// Exec runs a shell script on the host as root and returns its standard output. On hosts of Local it enters the host's
// namespaces and so needs neither network nor sshd, and leaves no trace of a login.
func (h *Host) Exec(ctx context.Context, script string) (string, error) {
	return h.ExecInput(ctx, nil, script)
}

// ExecInput is Exec with a standard input.
func (h *Host) ExecInput(ctx context.Context, stdin io.Reader, script string) (string, error) {
	if !h.fleet.Supports(FeatureExec) {
		return "", unsupported(FeatureExec)
	}
	var args []string
	if h.rec == nil {
		args = h.ssh(script)
	} else {
		pid := h.init()
		if pid == 0 {
			return "", fmt.Errorf("host %s: %w", h.Name, ErrDown)
		}
		args = []string{
			"nsenter", "--target", strconv.Itoa(pid), "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--",
			"env", "-i", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "HOME=/root", "sh", "-c", script,
		}
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.WaitDelay = time.Second
	// The script is a child of nsenter, so ending that alone would leave it running on the host.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &stdout, &stderr
	err := cmd.Run()
	if cmd.ProcessState != nil && cmd.ProcessState.ExitCode() > 0 {
		err = &ExitError{Host: h.Name, Script: script, Code: cmd.ProcessState.ExitCode(), Stderr: stderr.Bytes()}
	} else if err != nil {
		err = fmt.Errorf("host %s: running %q: %w", h.Name, script, err)
	}
	return stdout.String(), err
}

// init is the host's first process as this machine numbers it, 0 when the host is down.
func (h *Host) init() int {
	return initOf(h.fleet.groups.pids(h.fleet.rec.hostGroup(h.Name)))
}
