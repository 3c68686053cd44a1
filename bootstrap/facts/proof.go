package facts

import (
	"net/netip"

	"github.com/gpuboot/gpuboot/inventory"
)

// Proof is what a test between the hosts showed of the address that this one
// uses. The zero value says that there was no test.
type Proof struct {
	Address Address
	// Why is the reason for the plan.
	Why string
	// Reached and Missed are the hosts that reach the address and those that do
	// not.
	Reached, Missed []string
	// Blind are the hosts whose addresses this one does not reach although others
	// do, where it reaches nobody.
	Blind  []string
	Closed []ClosedPort
	Narrow []NarrowPath
	// Untested says what could not be tested on or from this host, "" if all was.
	Untested string
}

// ClosedPort is a port of the host that others cannot use, although they reach
// its address.
type ClosedPort struct {
	// Proto is tcp or udp.
	Proto string
	Port  int
	// Rejected says that a packet filter answered; else packets got lost.
	Rejected bool
	// From are the hosts, FromAddrs their addresses.
	From      []string
	FromAddrs []netip.Addr
}

// NarrowPath is a way to the host that loses packets which both cards could
// send.
type NarrowPath struct {
	From string
	// Cards is the smaller MTU of both cards, Path the largest packet that
	// arrived; 0 if only a connection that stalls tells.
	Cards, Path int
}

// Candidate is an address that a node could use.
type Candidate struct {
	Address
	MTU int
	// Private says that it is no address of the public internet, Shared that all
	// hosts have one on its network.
	Private, Shared bool
	// Kept says that an earlier run chose it, Asked that the inventory names it.
	Kept, Asked bool
	// Why says what speaks for it; "" for most.
	Why string
}

// Candidates lists the addresses that may be a host's, best first. Where the
// inventory asks for one it is the only one. The errors are those of Choose.
func (p *AddressPlan) Candidates(host inventory.Host, f *Facts) ([]Candidate, error) {
	if host.NodeIP != "" || host.Interface != "" {
		a, why, err := p.asked(host, f)
		if err != nil {
			return nil, err
		}
		return []Candidate{p.candidate(f, a, Candidate{Asked: true, Why: cutReason(a, why)})}, nil
	}
	a, why, err := p.unproved(host, f)
	if err != nil {
		return nil, err
	}
	_, kept := p.earlier(f)
	out := []Candidate{p.candidate(f, a, Candidate{Kept: kept, Why: cutReason(a, why)})}
	for _, c := range p.candidates(f) {
		if c.addr != a.NodeIP {
			out = append(out, p.candidate(f, c.address(), Candidate{}))
		}
	}
	return out, nil
}

// candidate fills in what can be said of any address.
func (p *AddressPlan) candidate(f *Facts, a Address, c Candidate) Candidate {
	c.Address, c.Private = a, privateAddr(a.NodeIP)
	l, ok := holder(f, a.NodeIP)
	if !ok {
		return c
	}
	c.MTU = l.MTU
	c.Shared = p.shared.IsValid() && p.shared.Contains(a.NodeIP)
	return c
}

// Settled says whether an earlier run chose an address that the host still has,
// and that the inventory does not want otherwise.
func (p *AddressPlan) Settled(host inventory.Host, f *Facts) bool {
	earlier, ok := p.earlier(f)
	if !ok || host.NodeIP == "" && host.Interface == "" {
		return ok
	}
	asked, _, err := p.asked(host, f)
	return err == nil && asked.NodeIP == earlier.NodeIP
}
