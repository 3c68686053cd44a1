package bootstrap

import (
	"fmt"
	"net/netip"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/inventory"
)

// planner holds what the plans of all hosts share.
type planner struct {
	Input
	journals map[string]Journal
	// seed is the server that the others join.
	seed      string
	addresses *facts.AddressPlan
}

func newPlanner(in Input) (*planner, Refusals) {
	journals, refused := readJournals(in)
	var seed string
	var r Refusals
	if in.Inventory.Existing != nil {
		r = refuseExisting(in)
	} else {
		seed, r = chooseSeed(in, journals)
	}
	return &planner{Input: in, journals: journals, seed: seed, addresses: facts.PlanAddresses(in.Facts, wantsIPv6(in.Inventory))}, append(refused, r...)
}

// member settles how a host belongs to the cluster, with the reason for its
// address. What the host's journal says is kept while it still holds.
func (p *planner) member(h inventory.Host, f *facts.Facts) (membership, string, error) {
	addr, why, err := p.addresses.Choose(h, f)
	if err != nil {
		return membership{}, "", fmt.Errorf("choosing its address: %w", err)
	}
	j := p.journals[h.Name]
	m := membership{Role: k3sRole(h.Role), NodeIP: addr.NodeIP, Interface: addr.Interface}
	m.Founder = j.Founder || h.Name == p.seed && j.Started == ""
	m.Taints = taintStrings(desiredTaints(h))
	if j.Started != "" {
		m.Taints = j.Taints
	}
	if m.Founder {
		return m, why, nil
	}
	m.Join, err = p.join(h, j)
	m.Founder = err == nil && m.Join == ""
	return m, why, err
}

// join keeps the server a host joined through while the inventory still has
// it, else takes the seed. A seed that lost its founder joins through another
// member, or stands alone (empty URL).
func (p *planner) join(h inventory.Host, j Journal) (string, error) {
	if p.Inventory.Existing != nil {
		return p.Inventory.Existing.Server, nil
	}
	var others []string
	for _, s := range p.Inventory.Servers() {
		if _, seen := p.Facts[s.Name]; !seen && j.Join != "" {
			return j.Join, nil // it may be the one that does not answer
		}
		ip, err := netip.ParseAddr(p.journals[s.Name].NodeIP)
		if err != nil || s.Name == h.Name {
			continue
		}
		url := joinURL(p.Inventory.Network.APIEndpoint, ip)
		if j.Join == url {
			return url, nil
		}
		if p.journals[s.Name].Started != "" {
			others = append(others, url)
		}
	}
	switch {
	case h.Name == p.seed && len(others) > 0:
		return others[0], nil
	case h.Name == p.seed:
		return "", nil
	}
	return p.seedURL(j)
}

// seedURL is the join URL of the seed; a host that has joined before keeps its
// own while the seed does not answer.
func (p *planner) seedURL(j Journal) (string, error) {
	seed, _ := p.Inventory.Host(p.seed)
	f, ok := p.Facts[p.seed]
	if !ok && j.Join != "" {
		return j.Join, nil
	}
	if !ok {
		return "", fmt.Errorf("server %s, which it would join, did not answer", p.seed)
	}
	addr, _, err := p.addresses.Choose(seed, f)
	if err != nil {
		return "", fmt.Errorf("choosing the address of server %s: %w", p.seed, err)
	}
	return joinURL(p.Inventory.Network.APIEndpoint, addr.NodeIP), nil
}
