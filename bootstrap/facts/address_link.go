package facts

import "strings"

// linkRefusal says why the addresses of a link cannot be a node's, "" if they
// can. It goes by the kind of the link; names tell of container networks whose
// links are of no kind of their own, and where the host could not say the kind.
func (f *Facts) linkRefusal(l Link) string {
	switch {
	case !l.Up:
		return "is on a link that is down"
	case clusterLink(l.Name):
		return "is on a link of a container network"
	}
	switch l.Kind {
	case "loopback":
		return "is for this host only"
	case "tun", "tap", "wireguard", "gre", "gretap", "ip6gre", "ip6gretap", "ipip", "sit", "ip6tnl", "vti", "vti6",
		"xfrm", "vxlan", "geneve", "ppp", "amt", "bareudp":
		return "is on a tunnel (" + l.Kind + ")"
	case "infiniband", "ipoib":
		return "is on InfiniBand"
	case "dummy", "ifb", "nlmon", "vcan", "vrf":
		return "is on a link without a network (" + l.Kind + ")"
	case "bridge":
		if !f.carriesNIC(l.Name) {
			return "is on a bridge of a container engine"
		}
	case "veth":
		if l.Master != "" {
			return "is on a container's link"
		}
	}
	if l.Kind == "ether" && !l.Physical && engineName(l.Name) {
		return "is on a link of a container engine, by its name"
	}
	return ""
}

// carriesNIC says whether a bridge has a port that leads out of the host: a
// card, or a bond or vlan over cards.
func (f *Facts) carriesNIC(bridge string) bool {
	for _, l := range f.Links {
		if l.Master == bridge && (l.Physical || l.Kind == "bond" || l.Kind == "vlan") {
			return true
		}
	}
	return false
}

// engineName knows the names that container engines, CNIs and mesh networks
// give their links.
func engineName(name string) bool {
	for _, prefix := range []string{"docker", "br-", "cni", "flannel", "cali", "cilium", "lxc", "lxdbr", "incusbr",
		"virbr", "podman", "kube-", "nodelocaldns", "weave", "veth", "tailscale", "wg", "zt", "tun", "tap"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
