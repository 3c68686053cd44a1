package inventory

// Inventory is a checked inventory file with defaults, pools and ranges worked
// into its hosts.
type Inventory struct {
	// File is the name given to Load or Parse.
	File string
	// Name is the name of the cluster, an RFC 1123 label.
	Name    string
	K3s     K3s
	Network Network
	// Existing is the cluster that the hosts join, nil if gpuboot makes it.
	Existing *Existing
	// Pools in file order.
	Pools []Pool
	// Hosts in file order: the hosts of the pools first, then those listed under
	// the top-level key hosts.
	Hosts []Host
	// Warnings are findings that do not stop anything, sorted by position.
	Warnings Problems
}

// K3s says which k3s to install and how to configure it.
type K3s struct {
	// Version is a k3s release such as v1.36.5+k3s1, or "" for the release that
	// this gpuboot installs when none is asked for.
	Version string
	// Source is where the executable comes from: "" for the upstream release, an
	// https URL of a mirror, or the absolute path of a k3s executable with its
	// sha256sum-<arch>.txt beside it.
	Source string
	// Config holds config.yaml keys for every host, before they are filtered by
	// role. Use Host.K3sConfig for what one host gets. Values may be Secret, see
	// ResolveSecrets.
	Config map[string]any
	// Registries is the content of registries.yaml, nil if none is wanted. Values
	// may be Secret, see ResolveSecrets.
	Registries map[string]any
	// TLSSANs are extra names and addresses for the API server's certificate.
	TLSSANs []string
}

// Network holds the cluster-wide network settings.
type Network struct {
	// PodCIDR and ServiceCIDR are canonical prefixes of one address family.
	// Defaults: 10.42.0.0/16 and 10.43.0.0/16.
	PodCIDR, ServiceCIDR string
	// FlannelBackend is vxlan (the default), host-gw, wireguard-native or none.
	FlannelBackend string
	// APIEndpoint is host or host:port under which the API is reached from
	// outside, "" for the first server.
	APIEndpoint string
}

// Existing is a k3s cluster that gpuboot did not make.
type Existing struct {
	// Server is the https URL that hosts join through.
	Server string
	// Token is where the join token is kept.
	Token Secret
	// Kubeconfig is the absolute path of an admin kubeconfig.
	Kubeconfig string
}

// Pool is a named group of hosts that share settings.
type Pool struct {
	Name string
	// Role is the role of those hosts of the pool that name none themselves.
	Role Role
	// GPUs is what the pool promises for each of its hosts, nil for nothing.
	GPUs *GPUs
	// Hosts are the names of all hosts in the pool, in file order. It includes
	// those that joined it with `pool:` from the top-level list.
	Hosts []string
	Pos   Pos
}

// Servers returns the hosts that run the control plane, in file order. The
// first is the one that starts the cluster.
func (inv *Inventory) Servers() []Host {
	var out []Host
	for _, h := range inv.Hosts {
		if h.Role.IsServer() {
			out = append(out, h)
		}
	}
	return out
}

// Host returns the host with the given node name.
func (inv *Inventory) Host(name string) (Host, bool) {
	for _, h := range inv.Hosts {
		if h.Name == name {
			return h, true
		}
	}
	return Host{}, false
}
