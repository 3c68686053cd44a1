package hosts

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/gpuboot/gpuboot/inventory"
)

var _ Provider = Owned{}

// Owned hands out machines that exist: those of an inventory file of gpuboot, in its order. They are used as they are, and
// whatever a scenario does to them stays. They take SSH and little else, see Fleet.Supports.
type Owned struct {
	Inventory string // path of the file
}

// Up gives the specs the first machines of the inventory. A machine keeps the login that the inventory names, whatever
// Spec.User says; a spec that asks for more (a sudo mode, links, binds, files) is refused with ErrUnsupported, as are more
// specs than machines. Fleet.Close does nothing to them.
func (o Owned) Up(ctx context.Context, log Logf, specs []Spec) (*Fleet, error) {
	if err := validate(specs); err != nil {
		return nil, err
	}
	inv, err := inventory.Load(o.Inventory)
	if err != nil {
		return nil, fmt.Errorf("reading the machines for the tests: %w", err)
	}
	if len(specs) > len(inv.Hosts) {
		return nil, fmt.Errorf("%w: the inventory %s has %d machines, %d are needed", ErrUnsupported, o.Inventory,
			len(inv.Hosts), len(specs))
	}
	f := &Fleet{log: log, features: map[Feature]bool{FeatureExec: true}}
	for i, s := range specs {
		if s.Password != "" || s.Sudo != "" && s.Sudo != SudoNoPassword || len(s.NICs)+len(s.Binds)+len(s.Files) > 0 {
			return nil, fmt.Errorf("host %s: %w", s.Name, unsupported(FeatureSpec))
		}
		h := f.own(s.Name, inv.Hosts[i])
		if err := h.answers(ctx); err != nil {
			return nil, err
		}
		f.Hosts = append(f.Hosts, h)
	}
	return f, nil
}

func (f *Fleet) own(name string, machine inventory.Host) *Host {
	h := &Host{
		Name: name, Address: machine.Address, Port: cmp.Or(machine.Port, 22), User: machine.User,
		Owned: &machine, fleet: f,
	}
	if len(machine.IdentityFiles) > 0 {
		h.KeyFile = machine.IdentityFiles[0]
	}
	if strings.HasPrefix(machine.HostKey, "ssh-") {
		h.HostKey = machine.HostKey
	}
	if machine.Password != nil || machine.SudoPassword != nil {
		f.features[FeatureExec] = false // the ssh program takes no password from us
	}
	return h
}

// answers makes sure that SSH greets, where the machine is reached directly and by an address.
func (h *Host) answers(ctx context.Context) error {
	if net.ParseIP(h.Address) == nil || len(h.Owned.JumpHosts) > 0 {
		return nil // the names of ssh_config are for ssh to resolve
	}
	address := net.JoinHostPort(h.Address, strconv.Itoa(h.Port))
	return poll(ctx, bootLimit, "host "+h.Name+" to answer SSH at "+address, func() (bool, error) {
		return greets(ctx, address), nil
	})
}

// ssh is the command that runs a script as root on a machine of Owned. The program, not a library, because the machine may
// only be reachable with its owner's ssh_config.
func (h *Host) ssh(script string) []string {
	m := h.Owned
	args := []string{"ssh", "-o", "BatchMode=yes"}
	if m.Port != 0 {
		args = append(args, "-p", strconv.Itoa(m.Port))
	}
	if m.User != "" {
		args = append(args, "-l", m.User)
	}
	if h.HostKey != "" {
		args = append(args, "-o", "StrictHostKeyChecking=yes", "-o", "KnownHostsCommand=/bin/echo %H "+h.HostKey)
	}
	for _, key := range m.IdentityFiles {
		args = append(args, "-i", key)
	}
	if len(m.JumpHosts) > 0 {
		args = append(args, "-J", strings.Join(m.JumpHosts, ","))
	}
	asRoot := `if [ "$(id -u)" = 0 ]; then exec sh -c "$0"; else exec sudo -n sh -c "$0"; fi`
	return append(args, "--", m.Address, "exec sh -c "+quote(asRoot)+" "+quote(script))
}
