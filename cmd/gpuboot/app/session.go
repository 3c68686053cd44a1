package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/user"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpuboot/gpuboot/addons/kube"
	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/inventory"
)

// runFlags are the flags of the commands that contact hosts.
type runFlags struct {
	limit    []string
	parallel int
	askSudo  bool
	// askLogin asks for the login password of hosts that name none and want one.
	askLogin bool
	// answers are what a person has typed already; nil asks anew.
	answers *answers
}

func (f *runFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.limit, "limit", nil, "only these hosts or pools, comma-separated")
	cmd.Flags().IntVar(&f.parallel, "parallel", engine.DefaultParallel, "how many hosts are worked on at once")
	cmd.Flags().BoolVar(&f.askSudo, "ask-sudo-password", false, "ask for the sudo password of hosts that name none")
}

// session is one run against hosts: the inventory, and gpuboot with its outside
// world. Its events go nowhere until a view is opened.
type session struct {
	*bootstrap.Gpuboot
	global *global
	dialer *dialer
	inv    *inventory.Inventory
	only   []string
}

// open prepares a run of a command. With writes false no host key is recorded.
func (g *global) open(ctx context.Context, args []string, f *runFlags, writes bool) (*session, error) {
	inv, err := g.load(inventoryPath(args))
	if err != nil {
		return nil, err
	}
	return g.prepare(ctx, inv, f, writes)
}

// prepare is open for an inventory that has been read.
func (g *global) prepare(ctx context.Context, inv *inventory.Inventory, f *runFlags, writes bool) (*session, error) {
	only, err := limit(inv, f.limit)
	if err != nil {
		return nil, err
	}
	redactor := engine.NewRedactor()
	if err := resolveSecrets(ctx, inv, redactor); err != nil {
		return nil, err
	}
	existing, err := existingCluster(ctx, inv, redactor)
	if err != nil {
		return nil, err
	}
	cache, err := g.env.cacheDir()
	if err != nil {
		return nil, fmt.Errorf("finding the cache folder: %w", err)
	}
	d := g.dialer(inv, redactor, f, writes)
	boot := &bootstrap.Gpuboot{
		Dial:     d.dial,
		Kube:     func(config []byte, dial bootstrap.DialFunc) (bootstrap.Kube, error) { return kube.New(config, dial) },
		Releases: &release.Store{CacheDir: cache, LockFile: lockFile(inv.File)},
		Redactor: redactor,
		Existing: existing,
		Now:      g.env.Now,
		Rand:     rand.Reader,
		Parallel: f.parallel,
		Retry:    retryCommand(g.env.Args),
		Holder:   holder(),
	}
	return &session{Gpuboot: boot, global: g, dialer: d, inv: inv, only: only}, nil
}

func (s *session) request(confirm func(*bootstrap.Outcome) error) bootstrap.Request {
	return bootstrap.Request{Inventory: s.inv, Only: s.only, Confirm: confirm}
}

// limit resolves --limit's hosts and pools to host names.
func limit(inv *inventory.Inventory, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	only := []string{}
	for _, name := range names {
		found := false
		for _, h := range inv.Hosts {
			if h.Name == name || h.Pool == name {
				only, found = append(only, h.Name), true
			}
		}
		if !found {
			return nil, usageError{fmt.Errorf("--limit %s: no such host or pool in %s", name, inv.File)}
		}
	}
	slices.Sort(only)
	return slices.Compact(only), nil
}

// resolveSecrets fetches what the k3s configuration refers to, and hides it
// from every event.
func resolveSecrets(ctx context.Context, inv *inventory.Inventory, r *engine.Redactor) error {
	resolve := func(m map[string]any) (map[string]any, error) {
		out, secrets, err := inventory.ResolveSecrets(ctx, m)
		for _, s := range secrets {
			r.Add(s)
		}
		return out, err
	}
	var err, all error
	inv.K3s.Registries, err = resolve(inv.K3s.Registries)
	all = errors.Join(all, err)
	for i := range inv.Hosts {
		inv.Hosts[i].K3sConfig, err = resolve(inv.Hosts[i].K3sConfig)
		all = errors.Join(all, err)
	}
	return all
}

// existingCluster fetches what gives access to the cluster that the hosts join.
func existingCluster(ctx context.Context, inv *inventory.Inventory, r *engine.Redactor) (*bootstrap.ExistingCluster, error) {
	if inv.Existing == nil {
		return nil, nil
	}
	token, err := inv.Existing.Token.Resolve(ctx)
	if err != nil {
		return nil, fmt.Errorf("existing.token: %w", err)
	}
	r.Add(token)
	config, err := os.ReadFile(inv.Existing.Kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("existing.kubeconfig: %w", err)
	}
	return &bootstrap.ExistingCluster{Token: []byte(strings.TrimSpace(token)), Kubeconfig: config}, nil
}

func holder() string {
	name := "somebody"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	host, err := os.Hostname()
	if err != nil {
		return name
	}
	return name + "@" + host
}
