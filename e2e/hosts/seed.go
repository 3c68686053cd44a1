package hosts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// layer is what one host has of its own: upper is laid over the image, and var is a whole copy of the image's /var. That
// one is a plain folder because a container runtime below /var/lib needs a file system whose folders an overlay accepts
// as its writable layer, and an overlay is none.
type layer struct{ image, dir string }

func (l layer) upper() string { return filepath.Join(l.dir, "upper") }
func (l layer) vars() string  { return filepath.Join(l.dir, "var") }

// make lays out the host's folders.
func (l layer) make(ctx context.Context) error {
	for _, dir := range []string{l.dir, l.upper(), filepath.Join(l.dir, "work"), filepath.Join(l.dir, "merged")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	_, err := tool(ctx, "cp", "--archive", "--reflink=auto", filepath.Join(l.image, "var"), l.vars())
	return err
}

// path is where the host's file lies on this machine.
func (l layer) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "/var/"); ok {
		return filepath.Join(l.vars(), rest)
	}
	return filepath.Join(l.upper(), name)
}

// plant writes a file of the host before its first boot. Folders that the image has keep their mode and owner: in an overlay
// those of the upper folder count.
func (l layer) plant(f File) error {
	if err := l.mkdir(filepath.Dir(f.Path)); err != nil {
		return err
	}
	mode := f.Mode
	if mode == 0 {
		mode = 0o644
	}
	target := l.path(f.Path)
	return errors.Join(os.WriteFile(target, f.Content, mode), os.Chmod(target, mode))
}

func (l layer) mkdir(name string) error {
	target := l.path(name)
	if _, err := os.Stat(target); err == nil || name == "/" {
		return err
	}
	if err := l.mkdir(filepath.Dir(name)); err != nil {
		return err
	}
	if err := os.Mkdir(target, 0o755); err != nil {
		return err
	}
	info, err := os.Lstat(filepath.Join(l.image, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		// /bin, /lib and the like are links into /usr: a folder here would hide all that is behind them.
		return fmt.Errorf("planting a file below %s: in the image that is no folder", name)
	}
	stat := info.Sys().(*syscall.Stat_t)
	return errors.Join(os.Chown(target, int(stat.Uid), int(stat.Gid)), os.Chmod(target, info.Mode().Perm()))
}

// seed gives a host its identity and the files that its spec asks for.
func (r *record) seed(h *hostRecord) error {
	private, public, err := newKey()
	if err != nil {
		return err
	}
	h.HostKey = public
	name := h.Spec.Name
	hostsFile := fmt.Sprintf("127.0.0.1 localhost\n::1 localhost\n%s %s\n", h.NICs[0].Addr.Addr(), name)
	files := []File{
		{Path: "/etc/hostname", Content: []byte(name + "\n")},
		// A host that cannot resolve its own name loses ten seconds at each start of a kubelet and in each sudo.
		{Path: "/etc/hosts", Content: []byte(hostsFile)},
		{Path: "/etc/resolv.conf", Content: fmt.Appendf(nil, "nameserver %s\n", r.router())},
		{Path: "/etc/machine-id", Content: []byte(h.MachineID + "\n"), Mode: 0o444},
		{Path: "/etc/ssh/ssh_host_ed25519_key", Content: private, Mode: 0o600},
		{Path: "/etc/ssh/ssh_host_ed25519_key.pub", Content: []byte(public + "\n")},
	}
	if rules := sudoers(h.Spec); rules != "" {
		files = append(files, File{Path: "/etc/sudoers.d/50-gpuboot-e2e", Content: []byte(rules), Mode: 0o440})
	}
	l := layer{image: r.Image, dir: r.hostDir(name)}
	for _, f := range append(files, h.Spec.Files...) {
		if err := l.plant(f); err != nil {
			return fmt.Errorf("writing %s of host %s: %w", f.Path, name, err)
		}
	}
	return nil
}

func sudoers(s Spec) string {
	user := s.Login()
	if user == "root" {
		return ""
	}
	switch s.Sudo {
	case SudoDenied:
		return ""
	case SudoPassword:
		return user + " ALL=(ALL:ALL) ALL\n"
	case SudoTTY:
		return fmt.Sprintf("Defaults:%s requiretty\n%s ALL=(ALL:ALL) NOPASSWD:ALL\n", user, user)
	}
	return user + " ALL=(ALL:ALL) NOPASSWD:ALL\n"
}

// enrol makes the login inside the host's own root file system, before its first boot. What it runs comes by standard
// input, so that a password is in no list of processes.
func (r *record) enrol(ctx context.Context, h hostRecord, publicKey string) error {
	user := h.Spec.Login()
	var script strings.Builder
	fmt.Fprintf(&script, "set -eu\nid -u %[1]s >/dev/null 2>&1 || useradd --create-home --shell /bin/bash %[1]s\n", user)
	fmt.Fprintf(&script, "home=$(getent passwd %s | cut -d: -f6)\n", user)
	fmt.Fprintf(&script, "install -d -m 700 -o %[1]s -g %[1]s \"$home/.ssh\"\n", user)
	fmt.Fprintf(&script, "printf '%%s\\n' %s >\"$home/.ssh/authorized_keys\"\n", quote(publicKey))
	fmt.Fprintf(&script, "chown %[1]s: \"$home/.ssh/authorized_keys\"\nchmod 600 \"$home/.ssh/authorized_keys\"\n", user)
	if h.Spec.Password != "" {
		fmt.Fprintf(&script, "printf '%%s\\n' %s | chpasswd\n", quote(user+":"+h.Spec.Password))
	}
	const enter = `cd "$1"
mount -t overlay overlay -o "lowerdir=$2,upperdir=upper,workdir=work" merged
mount --bind var merged/var
exec chroot merged /bin/sh`
	_, err := toolInput(ctx, script.String(), "unshare", "--mount", "--propagation", "private",
		"sh", "-euc", enter, "enrol", r.hostDir(h.Spec.Name), r.Image)
	return err
}
