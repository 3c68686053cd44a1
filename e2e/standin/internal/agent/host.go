package agent

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/sirupsen/logrus"
	"golang.org/x/sys/unix"
)

// prepareKernel loads the modules and sets the switches that pods need. What fails is said, and the start goes on, as in k3s.
func prepareKernel() {
	for _, module := range []string{"overlay", "nf_conntrack", "br_netfilter", "iptable_nat", "iptable_filter"} {
		if _, err := os.Stat("/sys/module/" + module); err == nil {
			continue
		}
		if err := exec.Command("modprobe", module).Run(); err != nil {
			logrus.Warnf("Failed to load kernel module %s with modprobe", module)
		}
	}
	for _, path := range []string{"net/ipv4/conf/all/forwarding", "net/bridge/bridge-nf-call-iptables"} {
		if err := os.WriteFile("/proc/sys/"+path, []byte("1"), 0o644); err != nil {
			logrus.Errorf("Failed to set sysctl: open /proc/sys/%s: %v", path, err)
		}
	}
}

// checkSnapshotter tries an overlay mount where containerd will make them.
func checkSnapshotter(name, root string) error {
	if name != "overlayfs" {
		return nil
	}
	dir, err := os.MkdirTemp(root, "check-overlay-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for _, d := range []string{"lower", "upper", "work", "merged"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			return err
		}
	}
	merged := filepath.Join(dir, "merged")
	opts := fmt.Sprintf("lowerdir=%s/lower,upperdir=%s/upper,workdir=%s/work", dir, dir, dir)
	if err := unix.Mount("overlay", merged, "overlay", 0, opts); err != nil {
		return fmt.Errorf("%q snapshotter cannot be enabled for %q, try using \"fuse-overlayfs\" or \"native\": failed to mount overlay: %w",
			name, root, err)
	}
	return unix.Unmount(merged, 0)
}
