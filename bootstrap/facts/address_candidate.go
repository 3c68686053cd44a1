package facts

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// candidate is an address that could be a node's.
type candidate struct {
	addr netip.Addr
	link string
	// subnet is the network it is on; a host prefix where nothing tells.
	subnet netip.Prefix
	// order is its place among the links of the host.
	order     int
	secondary bool
}

func (c candidate) address() Address { return Address{NodeIP: c.addr, Interface: c.link} }

func (c candidate) private() bool { return privateAddr(c.addr) }

// privateAddr says whether an address is not of the public internet: RFC 1918,
// fc00::/7 and the carriers' 100.64.0.0/10.
func privateAddr(a netip.Addr) bool {
	cgn := netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64, 0, 0}), 10)
	return a.IsPrivate() || cgn.Contains(a)
}

// candidates lists the usable addresses of a host, of one family, best first.
func (p *AddressPlan) candidates(f *Facts) []candidate {
	var v4, v6 []candidate
	for i, l := range f.Links {
		if f.linkRefusal(l) != "" {
			continue
		}
		for _, a := range l.Addrs {
			if p.addrRefusal(l, a) != "" {
				continue
			}
			c := candidate{addr: a.Prefix.Addr(), link: l.Name, subnet: f.subnet(l, a), order: i}
			if c.addr.Is4() {
				v4 = append(v4, c)
			} else {
				v6 = append(v6, c)
			}
		}
	}
	if p.v6 || len(v4) == 0 {
		p.sort(v6)
		return v6
	}
	p.sort(v4)
	return v4
}

// sort brings candidates into a stable order: the family asked for, main
// addresses before secondary ones, then as the host lists them.
func (p *AddressPlan) sort(c []candidate) {
	slices.SortStableFunc(c, func(a, b candidate) int {
		if a.addr.Is6() != b.addr.Is6() {
			if a.addr.Is6() == p.v6 {
				return -1
			}
			return 1
		}
		if a.secondary != b.secondary {
			if b.secondary {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.order, b.order)
	})
}

// subnet is the network of an address. Clouds that hand out single addresses
// (/32) tell it by a route: then it is the widest private route of the link
// that the address lies in.
func (f *Facts) subnet(l Link, a Addr) netip.Prefix {
	best := a.Prefix.Masked()
	if !a.Prefix.IsSingleIP() || !privateAddr(a.Prefix.Addr()) {
		return best
	}
	for _, r := range f.Routes {
		if r.Dev == l.Name && r.Dst.Bits() > 0 && r.Dst.Bits() < best.Bits() && r.Dst.Contains(a.Prefix.Addr()) {
			best = r.Dst
		}
	}
	return best
}

// addrRefusal says why an address cannot be a node's, "" if it can.
func (p *AddressPlan) addrRefusal(l Link, a Addr) string {
	ip := a.Prefix.Addr()
	switch {
	case ip.IsLoopback(), ip.IsLinkLocalUnicast(), ip.IsMulticast(), ip.IsUnspecified(), a.Scope == "link", a.Scope == "host":
		return "is for this host or link only"
	case a.Temporary, a.Deprecated:
		return "goes away by itself"
	case a.Secondary:
		return "is a secondary address, perhaps one that moves between hosts"
	case a.Prefix.IsSingleIP() && !firstOf(l, a):
		return "looks like one that moves between hosts (a second single address)"
	case p.owners[ip] > 1:
		return fmt.Sprintf("is on %d hosts: it is behind NAT, or a copy", p.owners[ip])
	}
	return ""
}

// firstOf says whether a is the first address of its family on the link, not
// counting those of the link itself.
func firstOf(l Link, a Addr) bool {
	for _, o := range l.Addrs {
		if o.Scope == "link" || o.Scope == "host" || o.Prefix.Addr().Is6() != a.Prefix.Addr().Is6() {
			continue
		}
		return o.Prefix.Addr() == a.Prefix.Addr()
	}
	return false
}

// refusals says for every address of a host why it is not used.
func (p *AddressPlan) refusals(f *Facts) string {
	var out []string
	for _, l := range f.Links {
		why := f.linkRefusal(l)
		for _, a := range l.Addrs {
			if l.Kind == "loopback" || a.Scope == "link" {
				continue
			}
			reason := why
			if reason == "" {
				reason = p.addrRefusal(l, a)
			}
			out = append(out, fmt.Sprintf("%s on %s %s", a.Prefix.Addr(), l.Name, reason))
		}
	}
	if len(out) == 0 {
		return "the host has none beyond its own"
	}
	return strings.Join(out, "; ")
}
