package facts

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

func addressPublic() rule {
	return rule{
		Rule: Rule{ID: "node-address-public", Severity: Warn,
			Meaning: "Nodes meet over public addresses: pod traffic in VXLAN or host-gw crosses the internet unencrypted, and anyone may send into it.",
			Fix:     "use a private network (interface: CIDR in the inventory), or network: {flannelBackend: wireguard-native}"},
		host: func(c hostCase) []hit {
			if c.inv.Network.FlannelBackend == "wireguard-native" || c.inv.Network.FlannelBackend == "none" || len(c.hosts) < 2 {
				return nil
			}
			a, reason, err := c.addresses.Choose(c.host, c.f)
			if err != nil || privateAddr(a.NodeIP) {
				return nil
			}
			return one("the node's address is public: pods' traffic to other hosts is neither encrypted nor protected", reason)
		},
	}
}

func mtuMixed() rule {
	return rule{
		Rule: Rule{ID: "mtu-mixed", Severity: Warn,
			Meaning: "Hosts whose network cards have different MTUs lose large packets between pods.",
			Fix:     "give all cards of the cluster's network the same MTU"},
		all: func(s *scene) []hit {
			by := map[string][]string{}
			for _, c := range s.hosts {
				if a, _, err := s.addresses.Choose(c.host, c.f); err == nil {
					if l := c.f.link(a.Interface); l != nil && l.MTU > 0 {
						key := fmt.Sprintf("MTU %d", l.MTU)
						by[key] = append(by[key], c.host.Name)
					}
				}
			}
			if len(by) < 2 {
				return nil
			}
			return []hit{{summary: "the network cards of the hosts have different MTUs", evidence: groups(by)}}
		},
	}
}

func noDefaultRoute() rule {
	return rule{
		Rule: Rule{ID: "no-default-route", Severity: Warn,
			Meaning: "k3s asks for a default route: without one the host cannot reach service addresses, and k3s cannot choose addresses by itself.",
			Fix:     "ip link add dummy0 type dummy && ip link set dummy0 up && ip addr add 203.0.113.254/31 dev dummy0 && ip route add default via 203.0.113.255 dev dummy0 metric 1000 (as k3s's air-gap guide does)"},
		host: func(c hostCase) []hit {
			if !c.read("route4", "route6") || slices.ContainsFunc(c.f.Routes, Route.Default) {
				return nil
			}
			return one("the host has no default route", fmt.Sprintf("%d routes, none of them a default", len(c.f.Routes)))
		},
	}
}

func cidrOverlap() rule {
	return rule{
		Rule: Rule{ID: "cidr-overlap", Severity: Block,
			Meaning: "The pod or service network overlaps with a network of the host: either the host or the pods cannot reach it. An own address in it blocks, a route to it warns.",
			Fix:     "choose other networks before the first start: network: {podCIDR: …, serviceCIDR: …}"},
		host: func(c hostCase) []hit {
			var out []hit
			for _, n := range []struct{ name, cidr string }{{"pod", c.inv.Network.PodCIDR}, {"service", c.inv.Network.ServiceCIDR}} {
				p, err := netip.ParsePrefix(n.cidr)
				if err != nil {
					continue
				}
				out = append(out, c.overlaps(n.name, p)...)
			}
			return out
		},
	}
}

// overlaps compares one network of the cluster with addresses and routes of the
// host, leaving out what a CNI made.
func (c hostCase) overlaps(name string, p netip.Prefix) []hit {
	var out []hit
	for _, l := range c.f.Links {
		if l.Kind == "loopback" || c.cniLink(l.Name) {
			continue
		}
		for _, a := range l.Addrs {
			if p.Contains(a.Prefix.Addr()) {
				out = append(out, hit{summary: fmt.Sprintf("the host itself has an address in the %s network %s", name, p),
					evidence: fmt.Sprintf("%s on %s", a.Prefix, l.Name)})
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, r := range c.f.Routes {
		if r.Dst.IsValid() && r.Dst.Bits() > 0 && r.Dst.Overlaps(p) && r.Type == "unicast" && !c.cniLink(r.Dev) {
			return []hit{{severity: Warn, summary: fmt.Sprintf("a route of the host overlaps with the %s network %s", name, p),
				evidence: fmt.Sprintf("%s via %s", r.Dst, cmp.Or(r.Dev, "no link"))}}
		}
	}
	return nil
}

// cniLink says whether a link is made by a container network.
func (c hostCase) cniLink(name string) bool {
	if clusterLink(name) || strings.HasPrefix(name, "veth") || strings.HasPrefix(name, "cali") {
		return true
	}
	l := c.f.link(name)
	return l != nil && (l.Kind == "vxlan" || (l.Kind == "veth" && l.Master != ""))
}

func firewallActive() rule {
	return rule{
		Rule: Rule{ID: "firewall-active", Severity: Warn,
			Meaning: "A firewall on the host drops traffic between nodes and pods unless it is told of them.",
			Fix:     "open the cluster's ports between the hosts, and trust the pod and service networks"},
		host: func(c hostCase) []hit {
			var out []hit
			for _, fw := range c.f.Network.Firewalls {
				switch fw {
				case "ufw":
					out = append(out, hit{summary: "ufw is active and drops pods' traffic by default", evidence: "ENABLED=yes in /etc/ufw/ufw.conf",
						fix: fmt.Sprintf("ufw allow 6443/tcp; ufw allow from %s; ufw allow from %s; and ufw allow from ADDRESS for each other host; or ufw disable",
							c.inv.Network.PodCIDR, c.inv.Network.ServiceCIDR)})
				case "firewalld":
					out = append(out, hit{summary: "firewalld is active and drops pods' traffic by default", evidence: "firewalld.service is active",
						fix: fmt.Sprintf("firewall-cmd --permanent --add-port=6443/tcp; firewall-cmd --permanent --zone=trusted --add-source=%s --add-source=%s --add-source=ADDRESS-OF-EACH-HOST; firewall-cmd --reload",
							c.inv.Network.PodCIDR, c.inv.Network.ServiceCIDR)})
				case "nftables":
					out = append(out, hit{severity: Info, summary: "nftables.service loaded rules of its own; see that they let nodes and pods through",
						evidence: "nftables.service is active", fix: "nft list ruleset"})
				}
			}
			return out
		},
	}
}

func nmCloudSetup() rule {
	return rule{
		Rule: Rule{ID: "nm-cloud-setup", Severity: Warn,
			Meaning: "nm-cloud-setup of RHEL-like cloud images adds routing rules that break pod networks.",
			Fix:     "systemctl disable --now nm-cloud-setup.service nm-cloud-setup.timer, then reboot"},
		host: func(c hostCase) []hit {
			u := c.f.Units["nm-cloud-setup.service"]
			if u.Enabled != "enabled" && !u.Running() {
				return nil
			}
			return one("nm-cloud-setup is enabled: it breaks pods' routing", fmt.Sprintf("%s is %s, %s", u.Name, u.Enabled, u.Active))
		},
	}
}

// buggyIPTables says whether a version is one of 1.8.0 to 1.8.4.
func buggyIPTables(version string) bool {
	rest, ok := strings.CutPrefix(version, "1.8.")
	return ok && rest != "" && leadingInt(rest) <= 4 && rest[0] >= '0' && rest[0] <= '9'
}

func iptablesBuggy() rule {
	return rule{
		Rule: Rule{ID: "iptables-buggy", Severity: Warn,
			Meaning: "iptables 1.8.0 to 1.8.4 writes rules twice, which pile up until services are slow (k3s#3117).",
			Fix:     "upgrade iptables, or k3sConfig: {prefer-bundled-bin: true}"},
		host: func(c hostCase) []hit {
			if !buggyIPTables(c.f.Network.IPTables) || c.option("prefer-bundled-bin", "true") {
				return nil
			}
			return one("this iptables is known to pile up rules under Kubernetes", "iptables "+c.f.Network.IPTables)
		},
	}
}
