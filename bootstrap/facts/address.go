package facts

import (
	"errors"
	"maps"
	"net/netip"
	"slices"

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
