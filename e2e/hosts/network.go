package hosts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// wire makes the fleet's switch: a network namespace with one bridge for each network and a link from this machine into
// the first. A namespace, because this machine's packet filters would else see (and perhaps drop) what the hosts say to
// each other, and because deleting it deletes all that hangs on it.
func (r *record) wire(ctx context.Context) error {
	if _, err := tool(ctx, "ip", "netns", "add", r.switchNS()); err != nil {
		return err
	}
	var inside strings.Builder
	fmt.Fprintln(&inside, "link set lo up")
	for _, n := range r.Networks {
		fmt.Fprintf(&inside, "link add %s type bridge\n", n.Bridge)
		fmt.Fprintf(&inside, "link set %s up\n", n.Bridge)
	}
	fmt.Fprintf(&inside, "link add uplink mtu 1500 type veth peer name %s netns %d\n", r.Link, os.Getpid())
	fmt.Fprintf(&inside, "link set uplink master %s up\n", r.Networks[0].Bridge)
	fmt.Fprintf(&inside, "addr add %s/24 dev %s\n", r.router(), r.Networks[0].Bridge)
	if _, err := toolInput(ctx, inside.String(), "ip", "-n", r.switchNS(), "-batch", "-"); err != nil {
		return err
	}
	outside := fmt.Sprintf("addr add %s/24 dev %s\nlink set %s up\n", r.uplink(), r.Link, r.Link)
	if _, err := toolInput(ctx, outside, "ip", "-batch", "-"); err != nil {
		return err
	}
	// The filter table of the switch is where traffic between hosts is dropped. Forwarding makes the router answer
	// "unreachable" where it would else be silent.
	_, err := toolInput(ctx, "add table bridge drops\nadd chain bridge drops hosts { type filter hook forward priority 0; }\n",
		"ip", "netns", "exec", r.switchNS(), "sh", "-c", "sysctl -qw net.ipv4.ip_forward=1 && exec nft -f -")
	return err
}

// unwire removes the switch and every host's namespace, as far as they exist.
func (r *record) unwire(ctx context.Context) error {
	var errs []error
	if _, err := os.Stat("/sys/class/net/" + r.Link); err == nil {
		_, err := tool(ctx, "ip", "link", "del", r.Link)
		errs = append(errs, err)
	}
	spaces, err := filepath.Glob("/run/netns/" + prefix + r.ID + ".*")
	errs = append(errs, err)
	for _, path := range spaces {
		_, err := tool(ctx, "ip", "netns", "del", filepath.Base(path))
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// batches writes the commands with which supervise.sh plugs a host in at each boot.
func (r *record) batches(h hostRecord) error {
	var inSwitch, inHost strings.Builder
	fmt.Fprintln(&inHost, "link set lo up")
	for _, n := range h.NICs {
		fmt.Fprintf(&inSwitch, "link add %s mtu %d type veth peer name %s address %s mtu %d netns %s\n",
			n.Port, n.MTU, n.Name, n.MAC, n.MTU, r.hostNS(h.Spec.Name))
		fmt.Fprintf(&inSwitch, "link set %s master %s up\n", n.Port, n.Bridge)
		fmt.Fprintf(&inHost, "addr add %s dev %s\nlink set %s up\n", n.Addr, n.Name, n.Name)
	}
	fmt.Fprintf(&inHost, "route add default via %s\n", r.router())
	dir := r.hostDir(h.Spec.Name)
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "switch.ip"), []byte(inSwitch.String()), 0o644),
		os.WriteFile(filepath.Join(dir, "host.ip"), []byte(inHost.String()), 0o644))
}

// unplug removes a host's links.
func (r *record) unplug(ctx context.Context, h hostRecord) error {
	var errs []error
	for _, n := range h.NICs {
		_, err := tool(ctx, "ip", "-n", r.switchNS(), "link", "del", n.Port)
		if err != nil && !r.hasPort(ctx, n.Port) {
			err = nil
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (r *record) hasPort(ctx context.Context, port string) bool {
	_, err := tool(ctx, "ip", "-n", r.switchNS(), "link", "show", "dev", port)
	return err == nil
}

// hasNetem tries the queue that delays packets: some kernels have none.
func (r *record) hasNetem(ctx context.Context) bool {
	_, err := tool(ctx, "tc", "-n", r.switchNS(), "qdisc", "replace", "dev", "lo", "root", "netem")
	return err == nil
}
