package inventory

// Host is one machine with its effective values: what stands on the host, else
// on its pool, else in defaults.
type Host struct {
	// Name is the Kubernetes node name, an RFC 1123 subdomain in lower case.
	Name string
	// Address is an IP address (IPv6 without brackets), a DNS name, or a Host
	// alias of the user's ssh_config.
	Address string
	// Port is the SSH port; 0 leaves it to ssh_config, else 22.
	Port int
	// User is the login; "" leaves it to ssh_config, else the local login name.
	User string
	// IdentityFiles are absolute paths of private keys to try, in this order.
	// Empty leaves it to the agent and ssh_config.
	IdentityFiles []string
	// SudoPassword and Password (the SSH login's) are nil when not needed.
	SudoPassword, Password *Secret
	// JumpHosts are "[user@]host[:port]" hops, outermost first. nil leaves it to
	// ssh_config; an empty list that is not nil means no hop.
	JumpHosts []string
	// HostKey pins the host's key: "ssh-ed25519 AAAA…" or "SHA256:…", "" for none.
	HostKey string
	Role    Role
	// Pool is the name of the pool the host is in, "" for none.
	Pool string
	// Interface is the wanted network interface: its name, or a CIDR that its
	// address lies in; "" lets gpuboot decide.
	Interface string
	// NodeIP is the address the node uses in the cluster; "" lets gpuboot decide.
	NodeIP string
	Labels map[string]string
	Taints []Taint
	// GPUs is what the host promises; nil promises nothing.
	GPUs *GPUs
	// K3sConfig holds the merged config.yaml keys that k3s knows in this host's
	// role. Values are string, bool, int, []any of these, or Secret (see
	// ResolveSecrets).
	K3sConfig map[string]any
	// Pos is where the host stands in the file.
	Pos Pos
}
