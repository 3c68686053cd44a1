package facts

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/gpuboot/gpuboot/inventory"
)

// Choose decides for one host. A proof decides if there is one: it was made from
// [AddressPlan.Candidates]. Else comes what the inventory asks for, then the
// choice of an earlier run, then what the host has.
func (p *AddressPlan) Choose(host inventory.Host, f *Facts) (addr Address, reason string, err error) {
	if f.Proof.Address.NodeIP.IsValid() {
		return f.Proof.Address, f.Proof.Why, nil
	}
	if host.NodeIP != "" || host.Interface != "" {
		return p.asked(host, f)
	}
	return p.unproved(host, f)
}

// unproved decides by what was kept and by what the host has.
func (p *AddressPlan) unproved(host inventory.Host, f *Facts) (addr Address, reason string, err error) {
	if a, ok := p.earlier(f); ok {
		return a, fmt.Sprintf("%s on %s: the choice of the first run, kept", a.NodeIP, a.Interface), nil
	}
	cands := p.candidates(f)
	if len(cands) == 0 {
		return Address{}, "", fmt.Errorf("choosing the node address: %w: %s", ErrNoAddress, p.refusals(f))
	}
	c, why := p.best(login(host, f), f, cands)
	return c.address(), fmt.Sprintf("%s on %s: %s", c.addr, c.link, why), nil
}

// cutReason takes the address off a reason.
func cutReason(a Address, reason string) string {
	return strings.TrimPrefix(reason, fmt.Sprintf("%s on %s: ", a.NodeIP, a.Interface))
}

// login is the address of the host that SSH came in at: as the host saw it, else
// the one in the inventory, where that is an address at all.
func login(host inventory.Host, f *Facts) netip.Addr {
	if f.SSHAddress.IsValid() {
		return f.SSHAddress
	}
	return addrOrZero(host.Address)
}

// best picks one of the candidates and says why.
func (p *AddressPlan) best(login netip.Addr, f *Facts, cands []candidate) (candidate, string) {
	for _, c := range cands {
		if p.shared.IsValid() && c.subnet == p.shared {
			return c, fmt.Sprintf("on the private network %s that all %d hosts share", p.shared, p.hosts)
		}
	}
	if len(cands) == 1 {
		return cands[0], "the only usable address of the host"
	}
	for _, c := range cands {
		if c.addr == login {
			return c, "the address that SSH reaches the host at"
		}
	}
	dev, source := defaultRoute(f, cands[0].addr.Is6())
	for _, c := range cands {
		if c.link == dev && (c.addr == source || !source.IsValid()) {
			return c, "the default route leaves from here"
		}
	}
	for _, c := range cands {
		if c.private() {
			return c, "the first private address"
		}
	}
	return cands[0], "the first usable address"
}

// defaultRoute gives the link and source of the default route with the lowest
// metric.
func defaultRoute(f *Facts, v6 bool) (dev string, source netip.Addr) {
	metric := 1 << 30
	for _, r := range f.Routes {
		if r.Default() && r.Dst.Addr().Is6() == v6 && r.Metric < metric {
			metric, dev, source = r.Metric, r.Dev, r.Source
		}
	}
	return dev, source
}

// earlier gives the address of an earlier run, from the journal or from k3s's
// own configuration, if the host still holds it alone.
func (p *AddressPlan) earlier(f *Facts) (Address, bool) {
	for _, text := range []string{f.journal().NodeIP, f.K3s.Config["node-ip"]} {
		first, _, _ := strings.Cut(text, ",")
		ip, err := netip.ParseAddr(strings.TrimSpace(first))
		if err != nil || p.owners[ip] > 1 {
			continue
		}
		if l, ok := holder(f, ip); ok {
			return Address{NodeIP: ip, Interface: l.Name}, true
		}
	}
	return Address{}, false
}
