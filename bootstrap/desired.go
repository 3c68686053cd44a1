package bootstrap

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"net/netip"
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/gpuboot/gpuboot/inventory"
)

const (
	roleServer = "server"
	roleAgent  = "agent"

	// BinaryPath is where k3s's own installer puts the executable.
	BinaryPath = "/usr/local/bin/k3s"

	configDir       = "/etc/rancher/k3s"
	configPath      = configDir + "/config.yaml"
	tokenPath       = configDir + "/token"
	agentTokenPath  = configDir + "/agent-token"
	registriesPath  = configDir + "/registries.yaml"
	kubeconfigPath  = configDir + "/k3s.yaml"
	apiPort         = 6443
	controlPlaneKey = "node-role.kubernetes.io/control-plane"
)

// secretName names a secret that a file holds. Plans carry the name, never the
// value.
type secretName string

const (
	secretNone        secretName = ""
	secretServerToken secretName = "server token"
	secretAgentToken  secretName = "agent token"
)

// wantFile is one file as it has to be on a host. A file with a Secret has no
// Content in a plan.
type wantFile struct {
	Path    string
	Mode    fs.FileMode
	Content []byte
	Secret  secretName
}

func (w wantFile) sum() string { return sha256Hex(w.Content) }

func sha256Hex(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// membership is how a host belongs to the cluster: decided once, kept in its
// journal.
type membership struct {
	Role    string
	Founder bool
	Join    string
	NodeIP  netip.Addr
	// Interface carries NodeIP and flannel's tunnel.
	Interface string
	Taints    []string
}

func k3sRole(r inventory.Role) string {
	if r.IsServer() {
		return roleServer
	}
	return roleAgent
}

// desiredFiles lists every file of a host but the executable, in the order they
// are written.
func desiredFiles(inv *inventory.Inventory, h inventory.Host, m membership) ([]wantFile, error) {
	config, err := k3sConfig(inv, h, m)
	if err != nil {
		return nil, err
	}
	files := []wantFile{{Path: configPath, Mode: 0o600, Content: config}}
	if len(inv.K3s.Registries) > 0 {
		reg, err := yaml.Marshal(inv.K3s.Registries)
		if err != nil {
			return nil, fmt.Errorf("writing registries.yaml: %w", err)
		}
		files = append(files, wantFile{Path: registriesPath, Mode: 0o600, Content: append([]byte(fileHeader(inv)), reg...)})
	}
	if m.Role == roleServer {
		files = append(files,
			wantFile{Path: tokenPath, Mode: 0o600, Secret: secretServerToken},
			wantFile{Path: agentTokenPath, Mode: 0o600, Secret: secretAgentToken})
	} else {
		files = append(files, wantFile{Path: tokenPath, Mode: 0o600, Secret: secretAgentToken})
	}
	return append(files, wantFile{Path: UnitPath(m.Role), Mode: 0o644, Content: []byte(unitText(m.Role))}), nil
}

// optionalFiles are those that only some inventories want.
func optionalFiles() []string { return []string{registriesPath} }

func fileHeader(inv *inventory.Inventory) string {
	return fmt.Sprintf("# Written by gpuboot for cluster %q. Change the inventory, not this file.\n", inv.Name)
}

// k3sConfig is the content of config.yaml. Keys that only a server knows are
// fatal in an agent's file, so each role gets its own.
func k3sConfig(inv *inventory.Inventory, h inventory.Host, m membership) ([]byte, error) {
	c := map[string]any{}
	maps.Copy(c, h.K3sConfig)
	c["node-name"] = h.Name
	c["node-ip"] = m.NodeIP.String()
	c["token-file"] = tokenPath
	if m.Interface != "" && inv.Network.FlannelBackend != "none" {
		c["flannel-iface"] = m.Interface
	}
	if len(m.Taints) > 0 {
		c["node-taint"] = m.Taints
	}
	if m.Join != "" {
		c["server"] = m.Join
	}
	if m.Role == roleServer {
		serverConfig(c, inv, h, m)
	}
	body, err := yaml.Marshal(c) // sorts its keys
	if err != nil {
		return nil, fmt.Errorf("writing config.yaml of %s: %w", h.Name, err)
	}
	return append([]byte(fileHeader(inv)), body...), nil
}

func serverConfig(c map[string]any, inv *inventory.Inventory, h inventory.Host, m membership) {
	c["agent-token-file"] = agentTokenPath
	c["write-kubeconfig-mode"] = "0600"
	c["tls-san"] = serverNames(inv, h, m)
	c["cluster-cidr"] = inv.Network.PodCIDR
	c["service-cidr"] = inv.Network.ServiceCIDR
	c["flannel-backend"] = inv.Network.FlannelBackend
	if m.Founder {
		c["cluster-init"] = true
	}
}

// serverNames are the subject alternative names of one server: every name this
// server is reached by. Other servers' names are left to them, so that a new
// server does not restart the old ones.
func serverNames(inv *inventory.Inventory, h inventory.Host, m membership) []string {
	names := []string{m.NodeIP.String(), h.Address, h.Name}
	if ep := hostOf(inv.Network.APIEndpoint); ep != "" {
		names = append(names, ep)
	}
	names = append(names, inv.K3s.TLSSANs...)
	slices.Sort(names)
	return slices.Compact(names)
}

// dataDir is k3s's data directory on a host.
func dataDir(h inventory.Host) string {
	if d, ok := h.K3sConfig["data-dir"].(string); ok && d != "" {
		return path.Clean(d)
	}
	return "/var/lib/rancher/k3s"
}

// desiredTaints are the taints of a host's node: the inventory's, and that of a
// control plane which runs no work.
func desiredTaints(h inventory.Host) []inventory.Taint {
	taints := slices.Clone(h.Taints)
	if h.Role == inventory.RoleServer {
		taints = append(taints, inventory.Taint{Key: controlPlaneKey, Effect: "NoSchedule"})
	}
	return taints
}

func taintStrings(taints []inventory.Taint) []string {
	out := make([]string, 0, len(taints))
	for _, t := range taints {
		out = append(out, k3sTaint(t))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// k3sTaint writes a taint as the kubelet's flag wants it: "key=value:Effect",
// with the equals sign also when there is no value.
func k3sTaint(t inventory.Taint) string { return t.Key + "=" + t.Value + ":" + t.Effect }

// startHash identifies everything that a unit runs with. tokenSum is the hash
// of the join token, empty for the founder, whose token k3s itself keeps.
func startHash(binarySum string, files []wantFile, tokenSum string) string {
	h := sha256.New()
	add(h, "binary", binarySum)
	for _, f := range files {
		if f.Secret == secretNone {
			add(h, f.Path, f.sum())
		}
	}
	add(h, "token", tokenSum)
	return hex.EncodeToString(h.Sum(nil))
}

func add(h hash.Hash, name, value string) { fmt.Fprintf(h, "%s\x00%s\x00", name, value) }
