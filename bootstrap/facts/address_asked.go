package facts

import (
	"fmt"
	"net/netip"
	"slices"

	"github.com/gpuboot/gpuboot/inventory"
)

// asked gives what the inventory names: a nodeIP, an interface by name, or by
// the network its address lies in. Kinds of links do not matter then; the user
// knows.
func (p *AddressPlan) asked(host inventory.Host, f *Facts) (Address, string, error) {
	if host.NodeIP != "" {
		return p.askedIP(host, f)
	}
	network, err := netip.ParsePrefix(host.Interface)
	byName := err != nil
	var found []candidate
	for _, l := range f.Links {
		if byName && l.Name != host.Interface && !slices.Contains(l.AltNames, host.Interface) {
			continue
		}
		for _, a := range l.Addrs {
			ip := a.Prefix.Addr()
			if a.Scope != "link" && a.Scope != "host" && (byName || network.Contains(ip)) {
				found = append(found, candidate{addr: ip, link: l.Name, secondary: a.Secondary || a.Temporary || a.Deprecated})
			}
		}
	}
	if len(found) == 0 {
		return Address{}, "", fmt.Errorf("interface %q has no address: %w (it has %s)", host.Interface, ErrAskedAddress, addressList(f))
	}
	p.sort(found)
	c := found[0]
	if n := p.owners[c.addr]; n > 1 {
		return Address{}, "", fmt.Errorf("address %s of interface %q: %w of its own: %d hosts have it", c.addr, host.Interface, ErrAskedAddress, n)
	}
	return c.address(), fmt.Sprintf("%s on %s: interface %s in the inventory", c.addr, c.link, host.Interface), nil
}

func (p *AddressPlan) askedIP(host inventory.Host, f *Facts) (Address, string, error) {
	ip, err := netip.ParseAddr(host.NodeIP)
	if err != nil {
		return Address{}, "", fmt.Errorf("nodeIP %q: %w", host.NodeIP, err)
	}
	l, ok := holder(f, ip)
	if !ok {
		return Address{}, "", fmt.Errorf("nodeIP %s: %w (it has %s)", ip, ErrAskedAddress, addressList(f))
	}
	if !askedLink(host.Interface, l, ip) {
		return Address{}, "", fmt.Errorf("nodeIP %s is on %s, which interface %q does not mean: %w", ip, l.Name, host.Interface, ErrAskedAddress)
	}
	return Address{NodeIP: ip, Interface: l.Name}, fmt.Sprintf("%s on %s: nodeIP in the inventory", ip, l.Name), nil
}

// askedLink says whether an interface, by name or network, is what holds ip.
func askedLink(want string, l Link, ip netip.Addr) bool {
	if want == "" || want == l.Name || slices.Contains(l.AltNames, want) {
		return true
	}
	network, err := netip.ParsePrefix(want)
	return err == nil && network.Contains(ip)
}
