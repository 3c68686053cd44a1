package probe

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/vfs"
)

const (
	journalPath = "/var/lib/gpuboot/journal.json"
	k3sDir      = "/etc/rancher/k3s"
	unitDir     = "/etc/systemd/system"
	serverDir   = "/var/lib/rancher/k3s/server"
)

// asked are the files that the script looks at, as far as they exist.
func (s *State) asked() []vfs.Info {
	names := []string{"/usr/local/bin/k3s", k3sDir + "/k3s.yaml", k3sDir + "/config.yaml", k3sDir + "/registries.yaml", k3sDir + "/token",
		k3sDir + "/agent-token", serverDir + "/token", serverDir + "/agent-token", unitDir + "/k3s.service", unitDir + "/k3s-agent.service",
		"/etc/rancher/node/password", journalPath, "/usr/local/bin/kubectl"}
	for _, i := range s.Files.List(k3sDir + "/config.yaml.d") {
		names = append(names, i.Path)
	}
	var out []vfs.Info
	for _, n := range names {
		if i, err := s.Files.Stat(n); err == nil && !i.Dir {
			out = append(out, i)
		}
	}
	return out
}

func (s *State) files() string {
	var b strings.Builder
	asked := s.asked()
	for _, i := range asked {
		fmt.Fprintf(&b, "%o|%s|%d|%d|%s|%s\n", i.Mode, i.Owner, i.Size, i.MTime.Unix(), i.MTime.UTC().Format("2006-01-02 15:04:05.000000000 -0700"), i.Path)
	}
	b.WriteString("# sums\n")
	for _, i := range asked {
		if !unhashed(i.Path) {
			fmt.Fprintf(&b, "%s  %s\n", i.Sum, i.Path)
		}
	}
	b.WriteString("# tokens\n")
	for _, n := range []string{k3sDir + "/token", k3sDir + "/agent-token", serverDir + "/token", serverDir + "/agent-token"} {
		if data, err := s.Files.Read(n); err == nil {
			whole := strings.TrimRight(string(data), "\n")
			secret := whole
			if _, rest, ok := strings.Cut(whole, "::"); ok && strings.HasPrefix(whole, "K10") {
				_, secret, _ = strings.Cut(rest, ":")
			}
			fmt.Fprintf(&b, "%s %s %s\n", sum(whole), sum(secret), n)
		}
	}
	return b.String()
}

// unhashed says whether the script leaves a file's content alone.
func unhashed(name string) bool {
	return strings.HasPrefix(name, "/usr/local/bin/") || strings.HasPrefix(name, "/etc/rancher/node/") ||
		path.Base(name) == "journal.json" || strings.HasPrefix(name, "/var/lib/rancher/")
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}

var configLine = regexp.MustCompile(`(?m)^(node-ip|node-name|node-external-ip|flannel-iface|flannel-backend|server|cluster-init|data-dir|cluster-cidr|service-cidr)\+?:.*$`)

func (s *State) k3sConfig() string {
	data, err := s.Files.Read(k3sDir + "/config.yaml")
	if err != nil {
		return ""
	}
	return strings.Join(configLine.FindAllString(string(data), -1), "\n") + "\n"
}

func (s *State) journal() string {
	data, err := s.Files.Read(journalPath)
	if err != nil { // taken away since
		return ""
	}
	return string(data)
}

func (s *State) dirs() string {
	var b strings.Builder
	for _, d := range []string{"/var/lib/rancher/k3s", serverDir + "/db", "/var/lib/rancher/k3s/agent", k3sDir, "/run/k3s", "/run/flannel",
		"/var/lib/kubelet", "/var/lib/cni", "/etc/cni/net.d", "/run/cloud-init", "/run/cloud-init/result.json"} {
		if s.Files.Exists(d) {
			b.WriteString(d + "\n")
		}
	}
	return b.String()
}
