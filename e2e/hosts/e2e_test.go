//go:build e2e

package hosts

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// up boots hosts and closes them with the test, or skips it where that is not possible.
func up(t *testing.T, specs ...Spec) *Fleet {
	t.Helper()
	l := LocalFromEnv()
	if err := l.Available(); err != nil {
		t.Skipf("SKIPPED, no test hosts: %v", err)
	}
	f, err := l.Up(t.Context(), t.Logf, specs)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if left := leftovers(t, f.ID); len(left) > 0 {
			t.Errorf("left behind by Close: %q", left)
		}
	})
	return f
}

// leftovers lists everything on this machine that bears a fleet's name.
func leftovers(t *testing.T, id string) []string {
	t.Helper()
	name := prefix + id
	var found []string
	for _, pattern := range []string{
		"/run/netns/" + name + ".*", "/sys/fs/cgroup/" + name, "/sys/fs/cgroup/*/" + name,
		"/run/systemd/nspawn/propagate/" + name + "*", "/run/systemd/nspawn/locks/*" + name + "*",
	} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, paths...)
	}
	processes, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range processes {
		line, _ := os.ReadFile(p + "/cmdline")
		mounts, _ := os.ReadFile(p + "/mountinfo")
		if strings.Contains(string(line), name) || strings.Contains(string(mounts), "/run/"+id+"/") {
			found = append(found, p+" "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	links, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	pid, n, _ := strings.Cut(id, "-")
	number, _ := strconv.ParseInt(pid, 10, 64)
	for _, l := range links {
		if l.Name == "gbe"+strconv.FormatInt(number, 36)+"n"+n {
			found = append(found, l.Name)
		}
	}
	state, err := LocalFromEnv().state()
	if _, gone := os.Stat(filepath.Join(state, "run", id)); err != nil || gone == nil {
		found = append(found, filepath.Join(state, "run", id))
	}
	return found
}

// login opens an SSH connection as a client with only the key and the pinned host key would.
func login(t *testing.T, h *Host) *ssh.Client {
	t.Helper()
	key, err := os.ReadFile(h.KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.ParsePrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	hostKey, _, _, _, err := ssh.ParseAuthorizedKey([]byte(h.HostKey))
	if err != nil {
		t.Fatal(err)
	}
	client, err := ssh.Dial("tcp", net.JoinHostPort(h.Address, strconv.Itoa(h.Port)), &ssh.ClientConfig{
		User: h.User, Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, HostKeyCallback: ssh.FixedHostKey(hostKey),
		Timeout: 10 * time.Second,
	})
	if err != nil {
		t.Fatalf("logging in to %s: %v", h.Name, err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client
}

func overSSH(t *testing.T, h *Host, stdin, command string) (string, error) {
	t.Helper()
	session, err := login(t, h).NewSession()
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	session.Stdin = strings.NewReader(stdin)
	out, err := session.CombinedOutput(command)
	return strings.TrimSpace(string(out)), err
}

func inside(t *testing.T, h *Host, script string) string {
	t.Helper()
	out, err := h.Exec(t.Context(), script)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

func TestHostsAreMachines(t *testing.T) {
	t.Parallel()
	f := up(t, Spec{Name: "a"}, Spec{Name: "b", User: "ubuntu"}, Spec{Name: "c", User: "someone"})
	a, b := f.Hosts[0], f.Hosts[1]
	for _, h := range f.Hosts {
		if got, err := overSSH(t, h, "", "id -un; hostname; systemctl is-system-running"); err != nil ||
			got != h.User+"\n"+h.Name+"\nrunning" {
			t.Errorf("host %s says %q, %v", h.Name, got, err)
		}
	}
	if ids := []string{inside(t, a, "cat /etc/machine-id"), inside(t, b, "cat /etc/machine-id")}; ids[0] == ids[1] {
		t.Error("two hosts with one machine id")
	}
	inside(t, a, "ping -c1 -W5 "+b.Address)
	inside(t, a, "getent hosts a")

	// A kubelet's needs: each host sees only its own groups, and mounts propagate.
	inside(t, a, "for d in /sys/fs/cgroup/*/; do mkdir $d/kubepods; done")
	if got := inside(t, b, "ls -d /sys/fs/cgroup/*/kubepods 2>/dev/null || :"); got != "" {
		t.Errorf("host b sees groups of host a: %s", got)
	}
	if got := inside(t, a, "findmnt --noheadings --output PROPAGATION /"); got != "shared" {
		t.Errorf("mounts are %s", got)
	}
	// An overlay on /var, as a container runtime mounts it, and a folder there that can go altogether.
	inside(t, a, `mkdir -p /var/lib/rancher/l /var/lib/rancher/u /var/lib/rancher/w /mnt/m
mount -t overlay overlay -o lowerdir=/var/lib/rancher/l,upperdir=/var/lib/rancher/u,workdir=/var/lib/rancher/w /mnt/m
touch /mnt/m/x && umount /mnt/m && rm -rf /var/lib/rancher && test ! -e /var/lib/rancher`)
}

func TestNothingGetsOutAndNothingWaits(t *testing.T) {
	t.Parallel()
	h := up(t, Spec{Name: "a"}).Hosts[0]
	got := inside(t, h, `! timeout 20 curl -s http://198.51.100.1/ && ! timeout 20 getent hosts gpuboot.example && echo closed`)
	if got != "closed" {
		t.Errorf("got %q", got)
	}
	if _, err := h.Exec(t.Context(), "echo no >&2; exit 3"); err == nil {
		t.Error("a failed command has no error")
	} else if exit := new(ExitError); !errors.As(err, &exit) || exit.Code != 3 || string(exit.Stderr) != "no\n" {
		t.Errorf("got %v", err)
	}
}

func TestSudoModes(t *testing.T) {
	t.Parallel()
	const password = `pa ss"w$ö'`
	f := up(t, Spec{Name: "free", User: "ubuntu"}, Spec{Name: "asks", User: "admin", Sudo: SudoPassword, Password: password},
		Spec{Name: "tty", User: "ubuntu", Sudo: SudoTTY}, Spec{Name: "denied", User: "ubuntu", Sudo: SudoDenied})
	for i, want := range []bool{true, false, false, false} {
		if got, err := overSSH(t, f.Hosts[i], "", "sudo -n id -un"); (got == "root") != want {
			t.Errorf("host %s: sudo -n says %q, %v", f.Hosts[i].Name, got, err)
		}
	}
	if got, err := overSSH(t, f.Hosts[1], password+"\n", "sudo -S -p '' id -un"); err != nil || got != "root" {
		t.Errorf("sudo with the password says %q, %v", got, err)
	}
}

func TestSpecReachesTheHost(t *testing.T) {
	t.Parallel()
	fake := t.TempDir()
	for _, dir := range []string{"pci/0000:01:00.0", "driver/nvidia"} {
		if err := os.MkdirAll(filepath.Join(fake, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script := []byte("#!/bin/sh\necho fake\n")
	spec := Spec{
		NICs:  []NIC{{Name: "ib0", Network: "fabric", MTU: 4092}},
		Binds: []Bind{{Source: fake + "/pci", Target: "/sys/bus/pci/devices"}, {Source: fake + "/driver", Target: "/proc/driver"}},
		Files: []File{{Path: "/usr/bin/nvidia-smi", Mode: 0o755, Content: script}, {Path: "/var/lib/x/y", Content: script}},
	}
	a, b := spec, spec
	a.Name, b.Name = "a", "b"
	f := up(t, a, b)
	got := inside(t, f.Hosts[0], "ls /sys/bus/pci/devices /proc/driver; nvidia-smi; stat -c %a /var/lib/x/y /root; cat /sys/class/net/ib0/mtu")
	want := "/proc/driver:\nnvidia\n\n/sys/bus/pci/devices:\n0000:01:00.0\nfake\n644\n700\n4092"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	inside(t, f.Hosts[0], fmt.Sprintf("ping -c1 -W5 -s 4000 -M do %s", f.Hosts[1].AddressOn("fabric")))
}

func TestProcessesAndFilesAreSeenFromOutside(t *testing.T) {
	t.Parallel()
	f := up(t, Spec{Name: "a"})
	h := f.Hosts[0]
	before, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	stop, err := f.WatchProcesses(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	inside(t, h, "echo x >/etc/new; rm /etc/debian_version; mkdir -p /var/lib/rancher/k3s")
	if _, err := overSSH(t, h, "", "sh -c 'sleep 0.2; : hunter2'"); err != nil {
		t.Fatal(err)
	}
	saw := slices.ContainsFunc(stop(), func(s Sighting) bool { return slices.Contains(s.Args, "sleep 0.2; : hunter2") })
	if !saw {
		t.Error("the command line was not seen")
	}
	after, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range before.Diff(after, Noise()...) {
		got = append(got, c.String())
	}
	text := strings.Join(got, "\n")
	for _, want := range []string{"+ /etc/new", "+ /etc/debian_version (removed from the image)", "+ /var/lib/rancher/k3s"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if len(got) != 4 {
		t.Errorf("changes besides the four made:\n%s", text)
	}
}

func connects(ctx context.Context, h *Host, to *Host) bool {
	_, err := h.Exec(ctx, fmt.Sprintf("timeout 1 bash -c 'read -r line </dev/tcp/%s/22'", to.Address))
	return err == nil
}
