package facts

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// holder gives the link that holds an address.
func holder(f *Facts, ip netip.Addr) (Link, bool) {
	for _, l := range f.Links {
		for _, a := range l.Addrs {
			if a.Prefix.Addr() == ip {
				return l, true
			}
		}
	}
	return Link{}, false
}

// held lists the addresses of a host that could be a node's, once each.
func held(f *Facts) []netip.Addr {
	var out []netip.Addr
	for _, l := range f.Links {
		for _, a := range l.Addrs {
			ip := a.Prefix.Addr()
			if !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && !slices.Contains(out, ip) {
				out = append(out, ip)
			}
		}
	}
	return out
}

// addressList names all addresses of a host with their links.
func addressList(f *Facts) string {
	var out []string
	for _, l := range f.Links {
		for _, a := range l.Addrs {
			if l.Kind != "loopback" && a.Scope != "link" {
				out = append(out, fmt.Sprintf("%s on %s", a.Prefix.Addr(), l.Name))
			}
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}
