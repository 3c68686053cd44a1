// Package layout names the files and folders of a k3s host, all below one data directory except those in /etc/rancher.
package layout

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Paths outside the data directory.
const (
	Kubeconfig       = "/etc/rancher/k3s/k3s.yaml"
	NodeDir          = "/etc/rancher/node"
	NodePassword     = "/etc/rancher/node/password"
	ContainerdState  = "/run/k3s/containerd"
	ContainerdSocket = "/run/k3s/containerd/containerd.sock"
)

// Dir is the data directory, /var/lib/rancher/k3s by default.
type Dir string

// Server is a path below server/.
func (d Dir) Server(parts ...string) string { return d.join("server", parts) }

// TLS is a path below server/tls/.
func (d Dir) TLS(parts ...string) string { return d.join("server/tls", parts) }

// Cred is a path below server/cred/.
func (d Dir) Cred(parts ...string) string { return d.join("server/cred", parts) }

// Etcd is a path below server/db/etcd/.
func (d Dir) Etcd(parts ...string) string { return d.join("server/db/etcd", parts) }

// Agent is a path below agent/.
func (d Dir) Agent(parts ...string) string { return d.join("agent", parts) }

// CNIBin is the folder with the CNI plugins, stable across versions since k3s's October 2024 releases.
func (d Dir) CNIBin() string { return d.join("data/cni", nil) }

func (d Dir) join(first string, parts []string) string {
	return filepath.Join(append([]string{string(d), first}, parts...)...)
}

// MakeServer creates the folders of a server.
func (d Dir) MakeServer() error {
	return makeAll(map[string]os.FileMode{
		d.Server(): 0o700, d.TLS("etcd"): 0o700, d.Cred(): 0o700, d.Server("db"): 0o700, d.Server("manifests"): 0o700,
		d.Server("etc"): 0o700,
	}, string(d))
}

// MakeAgent creates the folders of an agent.
func (d Dir) MakeAgent() error {
	return makeAll(map[string]os.FileMode{
		d.Agent(): 0o755, d.Agent("images"): 0o755, d.Agent("pod-manifests"): 0o755, d.Agent("containerd"): 0o711,
		d.Agent("etc/containerd"): 0o755, d.Agent("etc/cni/net.d"): 0o700, d.Agent("etc/flannel"): 0o755,
		d.Agent("etc/kubelet.conf.d"): 0o700, d.CNIBin(): 0o755, NodeDir: 0o755, ContainerdState: 0o755,
	}, string(d))
}

func makeAll(dirs map[string]os.FileMode, root string) error {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return fmt.Errorf("making the data directory: %w", err)
	}
	for dir, mode := range dirs {
		if err := os.MkdirAll(dir, mode); err != nil {
			return fmt.Errorf("making %s: %w", dir, err)
		}
		if err := os.Chmod(dir, mode); err != nil && !errors.Is(err, syscall.EROFS) { // a site may mount its images folder read-only
			return err
		}
	}
	return nil
}
