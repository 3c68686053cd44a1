package facts

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/gpuboot/gpuboot/inventory"
)

// ErrNoAddress says that a host has no address other hosts could use. Nothing
// but a change on the host or a nodeIP in the inventory helps.
var ErrNoAddress = errors.New("no usable address")

// ErrAskedAddress says that the host does not hold the nodeIP or interface that
// the inventory names. Nothing but a change of either helps.
var ErrAskedAddress = errors.New("not on this host")

// Address is where a node is reached within the cluster.
type Address struct {
	NodeIP netip.Addr
	// Interface is the link that holds it.
	Interface string
}

// ChooseAddress decides which address a node uses for everything in the
// cluster. reason is a sentence for the plan. The errors are [ErrNoAddress] and
// [ErrAskedAddress].
//
// For many hosts use [PlanAddresses], which looks at all of them only once.
func ChooseAddress(host inventory.Host, f *Facts, all map[string]*Facts) (addr Address, reason string, err error) {
	return PlanAddresses(all, false).Choose(host, f)
}

// AddressPlan chooses the addresses of hosts that are to reach each other.
type AddressPlan struct {
	v6 bool
	// owners counts the hosts that hold an address.
	owners map[netip.Addr]int
	hosts  int
	// shared is the private network that all hosts are on, invalid if none.
	shared netip.Prefix
}

// PlanAddresses looks at the addresses of all hosts. v6 asks for IPv6 addresses,
// for a cluster whose pods have them; without it IPv4 comes first.
func PlanAddresses(all map[string]*Facts, v6 bool) *AddressPlan {
	p := &AddressPlan{v6: v6, owners: map[netip.Addr]int{}}
	names := slices.Sorted(maps.Keys(all))
	for _, name := range names {
		if f := all[name]; f != nil {
			p.hosts++
			for _, a := range held(f) {
				p.owners[a]++
			}
		}
	}
	on, login := map[netip.Prefix]int{}, map[netip.Prefix]int{}
	for _, name := range names {
		if f := all[name]; f != nil {
			p.count(f, on, login)
		}
	}
	p.shared = p.pickShared(on, login)
	return p
}

// count adds the private networks a host is on, and the one its login came in
// by.
func (p *AddressPlan) count(f *Facts, on, login map[netip.Prefix]int) {
	seen := map[netip.Prefix]bool{}
	for _, c := range p.candidates(f) {
		if !c.private() || seen[c.subnet] {
			continue
		}
		seen[c.subnet] = true
		on[c.subnet]++
		if c.addr == f.SSHAddress {
			login[c.subnet]++
		}
	}
}

// pickShared picks the private network of all hosts: of several, the one most
// logins come in by, then the first by number. All hosts get the same answer.
func (p *AddressPlan) pickShared(on, login map[netip.Prefix]int) netip.Prefix {
	var best netip.Prefix
	if p.hosts < 2 {
		return best
	}
	for _, s := range slices.SortedFunc(maps.Keys(on), comparePrefix) {
		if on[s] == p.hosts && (!best.IsValid() || login[s] > login[best]) {
			best = s
		}
	}
	return best
}

func comparePrefix(a, b netip.Prefix) int {
	if c := a.Addr().Compare(b.Addr()); c != 0 {
		return c
	}
	return a.Bits() - b.Bits()
}

// Choose decides for one host. What the inventory asks for comes first, then
// the choice of an earlier run, then what the host has.
func (p *AddressPlan) Choose(host inventory.Host, f *Facts) (addr Address, reason string, err error) {
	if host.NodeIP != "" || host.Interface != "" {
		return p.asked(host, f)
	}
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
