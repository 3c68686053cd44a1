package app

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gpuboot/gpuboot/addons/kube"
	"github.com/gpuboot/gpuboot/inventory"
)

func newKubeconfig(g *global) *cobra.Command {
	var f runFlags
	var use bool
	var file, server string
	cmd := &cobra.Command{
		Use:   "kubeconfig [INVENTORY]",
		Short: "Add the cluster to your kubeconfig",
		Long: `Reads the admin kubeconfig from a server and merges it into yours ($KUBECONFIG, else
~/.kube/config) as context NAME of the inventory. Other entries stay, the current context stays
unless --use is given, the file is 0600. With --file - it goes to stdout instead.`,
		Args: inventoryArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := g.open(cmd.Context(), args, &f, false)
			if err != nil {
				return err
			}
			raw, err := s.Kubeconfig(cmd.Context(), s.request(nil))
			if err != nil {
				return err
			}
			if server == "" {
				server = apiURL(s.inv)
			}
			renamed, err := kube.Rename(raw, s.inv.Name, server)
			if err != nil {
				return err
			}
			if file == "-" {
				_, err := g.env.Out.Write(renamed)
				return err
			}
			return g.mergeKubeconfig(file, renamed, s.inv.Name, server, use)
		},
	}
	cmd.Flags().BoolVar(&f.askSudo, "ask-sudo-password", false, "ask for the sudo password of hosts that name none")
	cmd.Flags().BoolVar(&use, "use", false, "make it the current context")
	cmd.Flags().StringVar(&file, "file", "", "the kubeconfig to merge into; - for stdout")
	cmd.Flags().StringVar(&server, "server", "", "the API's URL in it (default: network.apiEndpoint, else the first server's address)")
	return cmd
}

func apiURL(inv *inventory.Inventory) string {
	const port = 6443
	address := inv.Network.APIEndpoint
	if inv.Existing != nil {
		return inv.Existing.Server
	}
	if address == "" {
		address = inv.Servers()[0].Address
	}
	if _, _, err := net.SplitHostPort(address); err == nil {
		return "https://" + address
	}
	return "https://" + net.JoinHostPort(strings.Trim(address, "[]"), strconv.Itoa(port))
}

func (g *global) mergeKubeconfig(file string, renamed []byte, name, server string, use bool) error {
	if file == "" {
		var err error
		if file, err = g.env.kubeconfigPath(); err != nil {
			return err
		}
	}
	existing, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("reading your kubeconfig: %w", err)
	}
	merged, err := kube.Merge(existing, renamed, name, use)
	if err != nil {
		return fmt.Errorf("merging into %s: %w", file, err)
	}
	if err := replaceFile(file, merged); err != nil {
		return fmt.Errorf("writing %s: %w", file, err)
	}
	fmt.Fprintf(g.env.Err, "%s: context %q reaches %s\ntry: kubectl --context %s get nodes\n", file, name, server, name)
	return nil
}

// kubeconfigPath is the file kubectl would write to: the first of $KUBECONFIG,
// else ~/.kube/config.
func (env *Env) kubeconfigPath() (string, error) {
	for _, p := range filepath.SplitList(env.Getenv("KUBECONFIG")) {
		if p != "" {
			return p, nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("finding your kubeconfig: %w", err)
	}
	return filepath.Join(home, ".kube", "config"), nil
}

// replaceFile writes a private file in one step: readers see the old content
// or the new, never half of it. A symbolic link stays one.
func replaceFile(path string, data []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".gpuboot-*") // 0600 by CreateTemp's contract
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(data); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err := errors.Join(tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
