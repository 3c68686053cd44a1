package facts

import "net/netip"

// Link is a network interface.
type Link struct {
	Name string
	// Kind is ether, bridge, bond, vlan, veth, vxlan, tun, wireguard, infiniband,
	// loopback, dummy and so on: the kernel's name of the driver, else the
	// hardware type.
	Kind string
	MAC  string
	MTU  int
	// Up says that it is switched on and has a carrier.
	Up bool
	// Physical says that a device is behind it.
	Physical bool
	// Master is the bond or bridge it belongs to, Parent the link under a vlan.
	Master, Parent string
	Addrs          []Addr
	// SpeedMbit is 0 where the driver does not say.
	SpeedMbit int
	// AltNames are further names, from udev.
	AltNames []string
}

// Addr is an address of a link.
type Addr struct {
	// Prefix is the address with the length of its subnet.
	Prefix netip.Prefix
	// Scope is global, site, link or host.
	Scope string
	// Peer is the other end of a point-to-point link.
	Peer      netip.Addr
	Secondary bool
	// NoPrefixRoute says that the kernel was told to make no route for it.
	NoPrefixRoute bool
	// Dynamic says that it has a lifetime, by DHCP or router advertisement.
	Dynamic bool
	// Temporary and Deprecated addresses of IPv6 go away by themselves.
	Temporary, Deprecated bool
}

// Route is one route of the main table.
type Route struct {
	// Dst is 0.0.0.0/0 or ::/0 for a default route.
	Dst     netip.Prefix
	Gateway netip.Addr
	Dev     string
	Source  netip.Addr
	Metric  int
	// Type is unicast, blackhole, unreachable and so on.
	Type string
}

// Default says whether it is a usable default route.
func (r Route) Default() bool { return r.Dst.IsValid() && r.Dst.Bits() == 0 && r.Type == "unicast" }

// Network is the rest of what the host says about its network.
type Network struct {
	// Listeners are the ports that are listened on.
	Listeners []Listener
	// Resolvers are the name servers by file; ResolverFiles names these in order.
	Resolvers     map[string][]string
	ResolverFiles []string
	// OwnName says that the hosts file, or a resolver module, knows the host
	// name without asking a name server.
	OwnName bool
	// Proxy holds the proxy variables, passwords removed; the names of those in
	// /etc/environment are prefixed by "environment ".
	Proxy map[string]string
	// IPTables is the version, "" if not installed; IPTablesMode nf_tables or
	// legacy.
	IPTables, IPTablesMode string
	// Firewalls are the active firewall services: ufw, firewalld, nftables.
	Firewalls []string
}

// Listener is a port somebody listens on.
type Listener struct {
	// Proto is tcp or udp.
	Proto string
	Addr  netip.Addr
	Port  int
	// Process and PID name the holder, "" and 0 if unknown.
	Process string
	PID     int
}
