package facts_test

import (
	"fmt"
	"net/netip"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/inventory"
)

// A rule that compares hosts with each other gives a finding for each of them.
func ExampleCheck() {
	inv := &inventory.Inventory{Name: "lab", Hosts: []inventory.Host{{Name: "a"}, {Name: "b"}}}
	host := func(ip string) *facts.Facts {
		return &facts.Facts{
			Hostname: "ubuntu", Systemd: facts.Systemd{Running: true}, Isolation: facts.Isolation{Kmsg: true},
			Modules: facts.Modules{Available: []string{"br_netfilter", "overlay"}},
			OS:      facts.OS{ID: "ubuntu"},
			Network: facts.Network{OwnName: true, Resolvers: map[string][]string{"/etc/resolv.conf": {"9.9.9.9"}}},
			Routes:  []facts.Route{{Dst: netip.MustParsePrefix("0.0.0.0/0"), Dev: "eth0", Type: "unicast"}},
			Links: []facts.Link{{Name: "eth0", Kind: "ether", Up: true, Physical: true,
				Addrs: []facts.Addr{{Prefix: netip.MustParsePrefix(ip), Scope: "global"}}}},
		}
	}
	all := map[string]*facts.Facts{"a": host("10.1.0.7/24"), "b": host("10.1.0.8/24")}
	for _, f := range facts.Check(inv, all, "v1.36.2+k3s1") {
		fmt.Printf("%s %s %s: %s\n", f.Severity, f.ID, f.Host, f.Evidence)
	}
	// Output:
	// info hostname-duplicate a: ubuntu, also on b
	// info hostname-duplicate b: ubuntu, also on a
}

// Behind NAT each machine has the same address; the choice falls on the network
// in which they differ.
func ExampleChooseAddress() {
	host := func(n int) *facts.Facts {
		link := func(name, prefix string) facts.Link {
			return facts.Link{Name: name, Kind: "ether", Up: true, Physical: true,
				Addrs: []facts.Addr{{Prefix: netip.MustParsePrefix(prefix), Scope: "global"}}}
		}
		return &facts.Facts{Links: []facts.Link{link("eth0", "10.0.2.15/24"), link("eth1", fmt.Sprintf("192.168.56.%d/24", n))}}
	}
	a, b := host(11), host(12)
	addr, reason, err := facts.ChooseAddress(inventory.Host{Name: "a"}, a, map[string]*facts.Facts{"a": a, "b": b})
	fmt.Println(addr.NodeIP, addr.Interface, err)
	fmt.Println(reason)
	// Output:
	// 192.168.56.11 eth1 <nil>
	// 192.168.56.11 on eth1: on the private network 192.168.56.0/24 that all 2 hosts share
}
