package app

import (
	"context"
	"fmt"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/sshconfig"
	"github.com/gpuboot/gpuboot/inventory"
)

// dialer turns an inventory's hosts into connections.
type dialer struct {
	inv      *inventory.Inventory
	redactor *engine.Redactor
	askSudo  bool
	askLogin bool
	answers  *answers
	record   bool // write down the keys of hosts seen for the first time
	shared   remote.Dialer
}

func (g *global) dialer(inv *inventory.Inventory, r *engine.Redactor, f *runFlags, record bool) *dialer {
	d := &dialer{inv: inv, redactor: r, askSudo: f.askSudo, askLogin: f.askLogin, answers: f.answers, record: record}
	if d.answers == nil {
		d.answers = newAnswers(g.env.askSecret)
	}
	return d
}

func (d *dialer) dial(ctx context.Context, h inventory.Host) (bootstrap.Conn, error) {
	c, err := d.connect(ctx, h)
	if err != nil {
		return nil, err // not c: a nil *remote.Conn in an interface is not nil
	}
	return c, nil
}

func (d *dialer) connect(ctx context.Context, h inventory.Host) (*remote.Conn, error) {
	t := d.target(h)
	if h.JumpHosts != nil {
		t.JumpHosts = []remote.Target{} // an empty list goes straight, whatever ssh_config says
	}
	for _, hop := range h.JumpHosts {
		t.JumpHosts = append(t.JumpHosts, d.hopTarget(hop, t))
	}
	t, err := sshconfig.Fill(t, sshconfig.Options{})
	if err != nil {
		return nil, usageError{fmt.Errorf("reading ssh_config for %s: %w", h.Name, err)}
	}
	return d.shared.Dial(ctx, t)
}

// target is how to log in to a host, without the way there.
func (d *dialer) target(h inventory.Host) remote.Target {
	return remote.Target{
		Name: h.Name, Address: h.Address, Port: h.Port, User: h.User, IdentityFiles: h.IdentityFiles,
		HostKey: h.HostKey, TrustFile: trustFile(d.inv.File), TrustOnly: !d.record,
		Passphrase: d.passphrase, SudoPassword: d.sudoPassword(h), Password: d.loginPassword(h),
	}
}

// secret makes a callback of a reference. What it gives is hidden from events
// before anyone can use it.
func (d *dialer) secret(ref *inventory.Secret) func(context.Context) (string, error) {
	if ref == nil {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		value, err := ref.Resolve(ctx)
		d.redactor.Add(value)
		return value, err
	}
}

func (d *dialer) sudoPassword(h inventory.Host) func(context.Context) (string, error) {
	if h.SudoPassword != nil {
		return d.secret(h.SudoPassword)
	}
	if !d.askSudo {
		return nil
	}
	return d.asked(secretQuestion{"sudo password (for all hosts that need one): ", "the sudo password", "name it in the inventory: sudoPassword: {env: NAME}"})
}

func (d *dialer) loginPassword(h inventory.Host) func(context.Context) (string, error) {
	if h.Password != nil || !d.askLogin {
		return d.secret(h.Password)
	}
	return d.asked(secretQuestion{"login password (for all hosts that want one): ", "the login password", "name it in the inventory: password: {env: NAME}"})
}

// asked makes a callback of a question. What it gives is hidden from events
// before anyone can use it.
func (d *dialer) asked(q secretQuestion) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		typed, err := d.answers.get(ctx, q)
		d.redactor.Add(typed)
		return typed, err
	}
}

func (d *dialer) passphrase(ctx context.Context, file string) ([]byte, error) {
	typed, err := d.asked(secretQuestion{fmt.Sprintf("passphrase of %s: ", file), "the passphrase of " + file, "load the key into an agent first: ssh-add " + file})(ctx)
	return []byte(typed), err
}

// hopTarget reads a jump host, "[user@]host[:port]". One that is a host of the
// inventory too is logged in to as that says. Of another, what it does not say
// is as for the host behind it, except the password: that is not for strangers.
func (d *dialer) hopTarget(hop string, host remote.Target) remote.Target {
	user, address := "", hop
	if at := strings.LastIndexByte(hop, '@'); at >= 0 {
		user, address = hop[:at], hop[at+1:]
	}
	address, port := splitPort(address)
	for _, h := range d.inv.Hosts {
		t := d.target(h)
		if (h.Address == address || h.Name == address) && (port == 0 || port == sshPort(t.Port)) && (user == "" || user == h.User) {
			return t
		}
	}
	t := remote.Target{Address: address, Port: port, User: user, IdentityFiles: host.IdentityFiles,
		TrustFile: host.TrustFile, TrustOnly: host.TrustOnly, Passphrase: host.Passphrase}
	if user == "" {
		t.User = host.User
	}
	return t
}
