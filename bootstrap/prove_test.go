package bootstrap

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/bootstrap/reach"
)

// link is one more link of a host.
func link(name, kind string, physical bool, addrs ...string) facts.Link {
	l := facts.Link{Name: name, Kind: kind, Up: true, Physical: physical, MTU: 1500}
	for _, a := range addrs {
		l.Addrs = append(l.Addrs, facts.Addr{Prefix: netip.MustParsePrefix(a), Scope: "global"})
	}
	return l
}

// seenOf is a survey without connections.
func seenOf(in Input) *Survey {
	s := &Survey{}
	for _, h := range in.Inventory.Hosts {
		s.Hosts = append(s.Hosts, &Seen{Host: h, Facts: in.Facts[h.Name]})
	}
	return s
}

// opened is a matrix in which everything works, but what broken says.
func opened(hosts []reach.Host, broken func(from string, to reach.Host, c reach.Candidate, p reach.Port) reach.State) reach.Matrix {
	m := reach.Matrix{Checks: map[reach.Key]reach.Check{}}
	for _, from := range hosts {
		for _, to := range hosts {
			for _, c := range to.Candidates {
				for _, p := range to.Ports {
					check := reach.Check{State: reach.Open}
					if s := broken(from.Name, to, c, p); s != "" {
						check.State = s
					} else if p.Proto == reach.UDP {
						check.MTU = c.MTU
					}
					if from.Name != to.Name {
						m.Checks[reach.Key{From: from.Name, To: to.Name, Addr: c.Addr, Proto: p.Proto, Port: p.Number}] = check
					}
				}
			}
		}
	}
	return m
}

// proveWith notes in the facts what a test with this matrix would.
func proveWith(in Input, broken func(string, reach.Host, reach.Candidate, reach.Port) reach.State) []reach.Host {
	hosts := reachHosts(in.Inventory, seenOf(in))
	for name, p := range proofs(hosts, opened(hosts, broken)) {
		in.Facts[name].Proof = p
	}
	return hosts
}

// Bridges of container engines, tunnels, moving addresses and NAT twins are not
// even tried.
func TestOnlyUsableAddressesAreTried(t *testing.T) {
	t.Parallel()
	in := bareInput(t, threeHosts)
	for i, name := range []string{"s1", "w1", "w2"} {
		f := in.Facts[name]
		second := netip.AddrFrom4([4]byte{172, 20, 0, byte(i + 1)}).String()
		f.Links = append(f.Links,
			link("docker0", "bridge", false, "172.17.0.1/16"), link("tailscale0", "tun", false, "100.64.0.9/32"),
			link("nat0", "ether", true, "10.0.2.15/24"), link("ib0", "infiniband", true, "192.168.9."+second[len(second)-1:]+"/24"),
			link("eth1", "ether", true, second+"/24"))
		f.Links[0].Addrs = append(f.Links[0].Addrs, facts.Addr{Prefix: netip.MustParsePrefix("10.0.0.200/32"), Scope: "global"})
	}
	for _, h := range reachHosts(in.Inventory, seenOf(in)) {
		var links []string
		for _, c := range h.Candidates {
			links = append(links, c.Link)
		}
		if !slices.Equal(links, []string{"eth0", "eth1"}) || h.Settled {
			t.Errorf("%s: %+v", h.Name, h)
		}
	}
}

func TestPortsThatAreTried(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ inventory, server, worker string }{
		"one server": {threeHosts, "6443/tcp 10250/tcp 8472/udp", "10250/tcp 8472/udp"},
		"wireguard":  {"network: {flannelBackend: wireguard-native}\n" + threeHosts, "6443/tcp 10250/tcp 51820/udp", "10250/tcp 51820/udp"},
		"no tunnel":  {"network: {flannelBackend: none}\n" + threeHosts, "6443/tcp 10250/tcp", "10250/tcp"},
		"etcd":       {threeServers, "6443/tcp 2379/tcp 2380/tcp 10250/tcp 8472/udp", "6443/tcp 2379/tcp 2380/tcp 10250/tcp 8472/udp"},
	} {
		inv := parse(t, c.inventory)
		for i, want := range []string{c.server, c.worker} {
			var got []string
			for _, p := range reachPorts(inv, inv.Hosts[i]) {
				got = append(got, p.String())
			}
			if s := strings.Join(got, " "); s != want {
				t.Errorf("%s: %s has %s, want %s", name, inv.Hosts[i].Name, s, want)
			}
		}
	}
}

// The proof decides about the address, for the plan and for the findings.
func TestThePlanFollowsTheProof(t *testing.T) {
	t.Parallel()
	in := bareInput(t, threeHosts)
	for i, name := range []string{"s1", "w1", "w2"} {
		in.Facts[name].Links = append(in.Facts[name].Links, link("eth1", "ether", true, netip.AddrFrom4([4]byte{172, 20, 0, byte(i + 1)}).String()+"/24"))
	}
	proveWith(in, func(_ string, _ reach.Host, c reach.Candidate, _ reach.Port) reach.State {
		if c.Link == "eth0" {
			return reach.Filtered
		}
		return ""
	})
	p := mustPlan(t, in)
	w1, _ := p.Host("w1")
	if w1.Member.NodeIP.String() != "172.20.0.2" || w1.Member.Interface != "eth1" || w1.Member.Join != "https://172.20.0.1:6443" {
		t.Errorf("w1: %+v", w1.Member)
	}
	want := "node IP 172.20.0.2 on eth1: reached by all 2 other hosts, MTU 1500; not 10.0.0.11 on eth0: no other host reaches it"
	if got := render(p); !strings.Contains(got, want) {
		t.Errorf("the plan lacks %q:\n%s", want, got)
	}
	done := converged(t, in)
	for _, f := range done.Facts {
		f.Proof = facts.Proof{}
	}
	if got := render(mustPlan(t, done)); got != "" {
		t.Errorf("without a proof a second plan changes\n%s", got)
	}
	for _, h := range reachHosts(done.Inventory, seenOf(done)) {
		if !h.Settled || len(h.Candidates) != 1 || !h.Candidates[0].Kept || h.Candidates[0].Link != "eth1" {
			t.Errorf("after the first run: %+v", h)
		}
	}
}

// Hosts that only meet over the internet are told of wireguard-native.
func TestPublicPathsWantWireGuard(t *testing.T) {
	t.Parallel()
	in := bareInput(t, strings.NewReplacer("10.0.0.10", "198.51.100.1", "10.0.0.11", "203.0.113.1", "10.0.0.12", "192.0.2.1").Replace(threeHosts))
	for i, name := range []string{"s1", "w1", "w2"} {
		in.Facts[name].Links = append(in.Facts[name].Links, link("eth1", "ether", true, netip.AddrFrom4([4]byte{10, 9, 0, byte(i + 1)}).String()+"/24"))
	}
	proveWith(in, func(_ string, _ reach.Host, c reach.Candidate, _ reach.Port) reach.State {
		if c.Private {
			return reach.Filtered
		}
		return ""
	})
	n := 0
	for _, f := range facts.Check(in.Inventory, in.Facts, testVersion) {
		if f.ID == "node-address-public" && strings.Contains(f.Fix, "wireguard-native") && strings.Contains(f.Evidence, "no other host reaches it") {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d hosts are told, want 3", n)
	}
}

// A port of a server that only the worker needs stays a finding when the run is
// limited to the worker.
func TestAClosedServerPortBlocksALimitedRun(t *testing.T) {
	t.Parallel()
	in := bareInput(t, threeHosts)
	proveWith(in, func(from string, to reach.Host, _ reach.Candidate, p reach.Port) reach.State {
		if from == "w2" && to.Name == "s1" && p.Number == apiPort {
			return reach.Rejected
		}
		return ""
	})
	b := blocking(relevant(facts.Check(in.Inventory, in.Facts, testVersion), Request{Inventory: in.Inventory, Only: []string{"w2"}}))
	b = slices.DeleteFunc(b, func(f facts.Finding) bool { return !f.Mutual }) // the test's facts lack much else
	if len(b) != 1 || b[0].ID != "port-closed" || !strings.Contains(b[0].Fix, "10.0.0.12") || !strings.Contains(b[0].Evidence, "from w2 are rejected") {
		t.Errorf("blocked: %v", b)
	}
}
