package facts

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// name is how firewalls write a port: 8472/udp.
func (p ClosedPort) name() string { return fmt.Sprintf("%d/%s", p.Port, p.Proto) }

// firewall names what filters packets on the host.
func (f *Facts) firewall() string {
	if len(f.Network.Firewalls) == 0 {
		return "no firewall service runs on the host: it is in its own rules or at the provider"
	}
	return strings.Join(f.Network.Firewalls, " and ") + " on the host"
}

// openPorts is the command that opens ports of the host for the peers that
// need them.
func (f *Facts) openPorts(closed []ClosedPort) string {
	has := func(name string) bool { return slices.Contains(f.Network.Firewalls, name) }
	switch {
	case has("ufw"):
		return each(closed, "; ", func(p ClosedPort, peers []string) string {
			return fmt.Sprintf("for a in %s; do ufw allow proto %s from $a to any port %d; done", strings.Join(peers, " "), p.Proto, p.Port)
		})
	case has("firewalld"):
		var sources []string
		for _, a := range allPeers(closed) {
			sources = append(sources, "--add-source="+a)
		}
		return "firewall-cmd --permanent --zone=trusted " + strings.Join(sources, " ") + " && firewall-cmd --reload"
	case has("nftables"):
		return each(closed, "; ", func(p ClosedPort, peers []string) string {
			return fmt.Sprintf("nft insert rule inet filter input %s saddr '{ %s }' %s dport %d accept", family(peers), strings.Join(peers, ", "), p.Proto, p.Port)
		}) + " (table and chain as in /etc/nftables.conf, where it belongs too)"
	}
	return each(closed, "; ", func(p ClosedPort, peers []string) string {
		tables := map[string]string{"ip": "iptables", "ip6": "ip6tables"}[family(peers)]
		return fmt.Sprintf("%s -I INPUT -s %s -p %s --dport %d -j ACCEPT", tables, strings.Join(peers, ","), p.Proto, p.Port)
	}) + "; if the host has no such rules (iptables -S INPUT), allow the same in the provider's firewall or security group"
}

// each writes something for each port with the addresses that need it.
func each(closed []ClosedPort, sep string, write func(p ClosedPort, peers []string) string) string {
	var out []string
	for _, p := range closed {
		out = append(out, write(p, addresses(p.FromAddrs)))
	}
	return strings.Join(out, sep)
}

// allPeers are the addresses of all peers, each once.
func allPeers(closed []ClosedPort) []string {
	var all []netip.Addr
	for _, p := range closed {
		all = append(all, p.FromAddrs...)
	}
	return addresses(all)
}

func addresses(in []netip.Addr) []string {
	var out []string
	for _, a := range in {
		if s := a.String(); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func family(peers []string) string {
	if len(peers) > 0 && strings.Contains(peers[0], ":") {
		return "ip6"
	}
	return "ip"
}
