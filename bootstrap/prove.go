package bootstrap

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/bootstrap/reach"
	"github.com/gpuboot/gpuboot/inventory"
)

// judge gives the findings on what a survey saw. Where nothing blocks and there
// are hosts without a chosen address, the hosts try each other first, and the
// facts hold what that showed.
func (g *Gpuboot) judge(ctx context.Context, req Request, s *Survey) ([]facts.Finding, error) {
	version := wantedVersion(req.Inventory)
	found := relevant(facts.Check(req.Inventory, s.Facts(), version), req)
	if len(blocking(found)) > 0 {
		return found, nil
	}
	proved, err := g.prove(ctx, req.Inventory, s)
	if err != nil || !proved {
		return found, err
	}
	return relevant(facts.Check(req.Inventory, s.Facts(), version), req), nil
}

// prove lets the hosts try each other and notes the result in their facts. It
// is false when there was nothing to prove: all addresses were chosen by earlier
// runs, or there is one host.
func (g *Gpuboot) prove(ctx context.Context, inv *inventory.Inventory, s *Survey) (bool, error) {
	hosts := reachHosts(inv, s)
	open := 0
	for _, h := range hosts {
		if !h.Settled {
			open++
		}
	}
	if open == 0 || len(hosts) < 2 {
		return false, nil
	}
	g.emit(engine.Event{Kind: engine.KindNote, Message: fmt.Sprintf("%d hosts try each other's addresses and ports", len(hosts))})
	m, err := reach.Probe(ctx, hosts, reach.Options{Rand: g.Rand})
	if err != nil {
		return false, fmt.Errorf("letting the hosts try each other: %w", err)
	}
	for host, p := range proofs(hosts, m) {
		s.Host(host).Facts.Proof = p
	}
	return true, nil
}

// reachHosts are the hosts of a survey with their candidates. One without any
// takes no part: the plan says why.
func reachHosts(inv *inventory.Inventory, s *Survey) []reach.Host {
	seen := s.Facts()
	plan := facts.PlanAddresses(seen, wantsIPv6(inv))
	var out []reach.Host
	for _, h := range s.Hosts {
		f := seen[h.Host.Name]
		if f == nil {
			continue
		}
		cands, err := plan.Candidates(h.Host, f)
		if err != nil {
			continue
		}
		r := reach.Host{Name: h.Host.Name, Conn: h.Conn, Server: h.Host.Role.IsServer(), Settled: plan.Settled(h.Host, f),
			Ports: reachPorts(inv, h.Host), SSHPort: sshPort(h.Host, f)}
		if r.Settled {
			cands = cands[:1]
		}
		for _, c := range cands[:min(len(cands), maxCandidates)] {
			r.Candidates = append(r.Candidates, reach.Candidate{Addr: c.NodeIP, Link: c.Interface, MTU: c.MTU,
				Private: c.Private, Shared: c.Shared, Kept: c.Kept, Why: c.Why})
		}
		out = append(out, r)
	}
	return out
}

// maxCandidates bounds the test on hosts with a card for each GPU.
const maxCandidates = 6

func wantsIPv6(inv *inventory.Inventory) bool { return strings.Contains(inv.Network.PodCIDR, ":") }

// reachPorts are the ports of k3s that other hosts need.
func reachPorts(inv *inventory.Inventory, h inventory.Host) []reach.Port {
	var out []reach.Port
	if h.Role.IsServer() {
		out = append(out, reach.Port{Proto: reach.TCP, Number: apiPort})
		if len(inv.Servers()) > 1 {
			out = append(out, reach.Port{Proto: reach.TCP, Number: 2379, ServersOnly: true}, reach.Port{Proto: reach.TCP, Number: 2380, ServersOnly: true})
		}
	}
	out = append(out, reach.Port{Proto: reach.TCP, Number: 10250})
	switch inv.Network.FlannelBackend {
	case "vxlan", "":
		out = append(out, reach.Port{Proto: reach.UDP, Number: 8472})
	case "wireguard-native":
		out = append(out, reach.Port{Proto: reach.UDP, Number: 51820})
	}
	return out
}

// sshPort is where the host's SSH server listens. The inventory's port may be
// one that a router forwards.
func sshPort(h inventory.Host, f *facts.Facts) int {
	for _, l := range f.Network.Listeners {
		if l.Proto == "tcp" && l.Process == "sshd" && !l.Addr.IsLoopback() {
			return l.Port
		}
	}
	if h.Port > 0 {
		return h.Port
	}
	return 22
}

// proofs turns what was seen into what facts and findings are made of.
func proofs(hosts []reach.Host, m reach.Matrix) map[string]facts.Proof {
	decisions := reach.Decide(hosts, m)
	addrs := map[string]netip.Addr{}
	for _, d := range decisions {
		addrs[d.Host] = d.Chosen.Addr
	}
	out := map[string]facts.Proof{}
	for _, d := range decisions {
		p := facts.Proof{Address: facts.Address{NodeIP: d.Chosen.Addr, Interface: d.Chosen.Link}, Why: d.Why,
			Reached: d.Reached, Missed: d.Missed, Blind: d.Blind}
		for _, c := range d.Closed {
			closed := facts.ClosedPort{Proto: string(c.Port.Proto), Port: c.Port.Number, Rejected: c.State == reach.Rejected, From: c.From}
			for _, from := range c.From {
				closed.FromAddrs = append(closed.FromAddrs, addrs[from])
			}
			p.Closed = append(p.Closed, closed)
		}
		for _, n := range d.Narrow {
			p.Narrow = append(p.Narrow, facts.NarrowPath{From: n.From, Cards: n.Cards, Path: n.Path})
		}
		if why, ok := m.Without[d.Host]; ok {
			p.Untested = why + ": UDP and the path's MTU were not tested from or to here, and TCP ports only where something listens"
		}
		out[d.Host] = p
	}
	return out
}
