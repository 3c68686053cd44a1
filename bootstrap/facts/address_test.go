package facts

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/inventory"
)

// lnk writes a link shortly: "eth0 ether* 10.0.0.1/24 …"; a star marks a
// device behind it, "kind<master" its master. Words after an address in
// brackets are its flags.
func lnk(t *testing.T, text string) Link {
	t.Helper()
	w := strings.Fields(text)
	kind, physical := strings.CutSuffix(w[1], "*")
	kind, master, _ := strings.Cut(kind, "<")
	l := Link{Name: w[0], Kind: kind, Master: master, Physical: physical, Up: true, MTU: 1500}
	for _, a := range w[2:] {
		prefix, flags, _ := strings.Cut(strings.TrimSuffix(a, ")"), "(")
		p, err := netip.ParsePrefix(prefix)
		if err != nil {
			t.Fatal(err)
		}
		addr := Addr{Prefix: p, Scope: "global"}
		if p.Addr().IsLinkLocalUnicast() {
			addr.Scope = "link"
		}
		has := func(flag string) bool { return slices.Contains(strings.Split(flags, ","), flag) }
		addr.Secondary, addr.Dynamic, addr.Temporary = has("secondary"), has("dynamic"), has("temporary")
		addr.NoPrefixRoute = has("noprefixroute")
		l.Addrs = append(l.Addrs, addr)
	}
	return l
}

// machine is the facts of a host in a few lines: links, and routes as "route
// DST DEV METRIC".
func machine(t *testing.T, ssh string, text ...string) *Facts {
	t.Helper()
	f := &Facts{SSHAddress: addrOrZero(ssh)}
	for _, line := range text {
		if rest, ok := strings.CutPrefix(line, "route "); ok {
			w := strings.Fields(rest)
			metric, _ := atoi(w[2])
			f.Routes = append(f.Routes, Route{Dst: netip.MustParsePrefix(w[0]), Dev: w[1], Metric: metric, Type: "unicast"})
			continue
		}
		f.Links = append(f.Links, lnk(t, line))
	}
	return f
}

// addressCase is a host, alone or with others, and what is chosen for it.
type addressCase struct {
	name   string
	host   inventory.Host
	f      *Facts
	others []*Facts
	want   string // "IP on LINK", or a part of the error
	reason string
}

func networkChoices(t *testing.T) []addressCase {
	t.Helper()
	lo := "lo loopback 127.0.0.1/8"
	return []addressCase{
		{name: "one card", f: machine(t, "", lo, "eth0 ether* 192.168.7.3/24"), want: "192.168.7.3 on eth0", reason: "the only usable address"},
		{name: "public login, private network of all",
			f:      machine(t, "203.0.113.5", lo, "eth0 ether* 203.0.113.5/24", "eth1 ether* 10.8.3.5/16"),
			others: []*Facts{machine(t, "203.0.113.6", lo, "eth0 ether* 203.0.113.6/24", "eth1 ether* 10.8.3.6/16")},
			want:   "10.8.3.5 on eth1", reason: "private network 10.8.0.0/16 that all 2 hosts share"},
		{name: "private network of some only",
			f: machine(t, "203.0.113.5", "eth0 ether* 203.0.113.5/24", "eth1 ether* 10.8.3.5/24"),
			others: []*Facts{machine(t, "", "eth0 ether* 203.0.113.6/24", "eth1 ether* 10.8.3.6/24"),
				machine(t, "", "eth0 ether* 203.0.113.7/24")},
			want: "203.0.113.5 on eth0", reason: "SSH"},
		{name: "single addresses of a cloud, network told by a route",
			f: machine(t, "203.0.113.5", "eth0 ether* 203.0.113.5/32(dynamic)", "enp7s0 ether* 10.3.0.2/32(dynamic)",
				"route 10.3.0.0/16 enp7s0 1002", "route 10.3.0.1/32 enp7s0 1002", "route 0.0.0.0/0 eth0 100"),
			others: []*Facts{machine(t, "203.0.113.9", "eth0 ether* 203.0.113.9/32(dynamic)", "enp7s0 ether* 10.3.0.3/32(dynamic)",
				"route 10.3.0.0/16 enp7s0 1002")},
			want: "10.3.0.2 on enp7s0", reason: "10.3.0.0/16"},
		{name: "behind 1:1 NAT the login arrives at the private address",
			host: inventory.Host{Address: "198.51.100.77"},
			f:    machine(t, "172.31.9.4", "ens5 ether* 172.31.9.4/20(dynamic)", "ens6 ether* 172.30.0.9/20"),
			want: "172.31.9.4 on ens5", reason: "SSH"},
		{name: "the inventory's address where the host did not see the login's",
			host: inventory.Host{Address: "10.1.0.5"},
			f:    machine(t, "", "eth0 ether* 10.0.0.5/24", "eth1 ether* 10.1.0.5/24", "route 0.0.0.0/0 eth0 0"),
			want: "10.1.0.5 on eth1", reason: "SSH"},
		{name: "twins behind NAT",
			f:      machine(t, "10.0.2.15", "eth0 ether* 10.0.2.15/24(dynamic)", "eth1 ether* 192.168.56.21/24"),
			others: []*Facts{machine(t, "10.0.2.15", "eth0 ether* 10.0.2.15/24(dynamic)", "eth1 ether* 192.168.56.22/24")},
			want:   "192.168.56.21 on eth1", reason: "192.168.56.0/24"},
		{name: "nothing but NAT", f: machine(t, "10.0.2.15", "eth0 ether* 10.0.2.15/24"),
			others: []*Facts{machine(t, "10.0.2.15", "eth0 ether* 10.0.2.15/24")}, want: "10.0.2.15 on eth0 is on 2 hosts"},
	}
}

func linkChoices(t *testing.T) []addressCase {
	t.Helper()
	lo := "lo loopback 127.0.0.1/8"
	return []addressCase{
		{name: "vlan on a bond, InfiniBand beside it",
			f: machine(t, "10.40.0.7", "p0 ether<bond0*", "p1 ether<bond0*", "bond0 bond 203.0.113.30/26", "bond0.7 vlan 10.40.0.7/16",
				"ibp26s0 infiniband* 10.100.0.7/24", "ibp60s0 infiniband* 10.101.0.7/24"),
			want: "10.40.0.7 on bond0.7", reason: "SSH"},
		{name: "mesh networks do not count",
			f:    machine(t, "100.90.1.2", "enp1s0 ether* 198.51.100.9/24", "wg0 wireguard 10.8.0.9/24", "tailscale0 tun 100.90.1.2/32"),
			want: "198.51.100.9 on enp1s0", reason: "the only usable"},
		{name: "links of containers do not count",
			f: machine(t, "", "eno1 ether* 10.6.0.9/24", "docker0 bridge 172.17.0.1/16", "flannel.1 vxlan 10.42.0.0/32", "cni0 bridge 10.42.0.1/24",
				"br-4fd bridge 172.18.0.1/16", "veth1 veth<cni0", "cilium_host veth 10.0.1.9/32", "kube-ipvs0 dummy 10.43.0.1/32"),
			want: "10.6.0.9 on eno1"},
		{name: "a bridge over a card counts", f: machine(t, "", "eno1 ether<vmbr0*", "vmbr0 bridge 10.6.0.9/24"), want: "10.6.0.9 on vmbr0"},
		{name: "a machine of systemd-nspawn has a veth", f: machine(t, "", "host0 veth 10.77.0.11/24"), want: "10.77.0.11 on host0"},
		{name: "an address that moves between hosts",
			f:    machine(t, "10.6.0.100", "eno1 ether* 10.6.0.9/24 10.6.0.100/32(noprefixroute)", "eno2 ether* 10.7.0.9/24", "route 0.0.0.0/0 eno1 100"),
			want: "10.6.0.9 on eno1", reason: "default route"},
		{name: "three private networks of all: most logins decide",
			f: machine(t, "10.1.0.5", "eth0 ether* 10.0.0.5/24", "eth1 ether* 10.1.0.5/24", "eth2 ether* 10.2.0.5/24"),
			others: []*Facts{
				machine(t, "10.1.0.6", "eth0 ether* 10.0.0.6/24", "eth1 ether* 10.1.0.6/24", "eth2 ether* 10.2.0.6/24"),
				machine(t, "10.2.0.7", "eth0 ether* 10.0.0.7/24", "eth1 ether* 10.1.0.7/24", "eth2 ether* 10.2.0.7/24"),
			},
			want: "10.1.0.5 on eth1", reason: "10.1.0.0/24"},
		{name: "lower metric wins", f: machine(t, "", "eth0 ether* 198.51.100.4/24", "eth1 ether* 198.51.101.4/24",
			"route 0.0.0.0/0 eth0 200", "route 0.0.0.0/0 eth1 100"), want: "198.51.101.4 on eth1", reason: "default route"},
		{name: "only IPv6", f: machine(t, "", "eth0 ether* fe80::1/64 2001:db8:7::9/64(temporary) 2001:db8:7::5/64(dynamic)"),
			want: "2001:db8:7::5 on eth0"},
		{name: "no link", f: machine(t, "", lo), want: "no usable address: the host has none"},
		{name: "down", f: func() *Facts { f := machine(t, "", "eth0 ether* 10.0.0.5/24"); f.Links[0].Up = false; return f }(), want: "is down"},
	}
}

func askedChoices(t *testing.T) []addressCase {
	t.Helper()
	return []addressCase{
		{name: "asked by address", host: inventory.Host{NodeIP: "10.100.0.7"},
			f: machine(t, "", "eth0 ether* 10.0.0.5/24", "ib0 infiniband* 10.100.0.7/24"), want: "10.100.0.7 on ib0", reason: "nodeIP in the inventory"},
		{name: "asked address is not there", host: inventory.Host{NodeIP: "10.0.0.6"}, f: machine(t, "", "eth0 ether* 10.0.0.5/24"),
			want: "nodeIP 10.0.0.6: not on this host (it has 10.0.0.5 on eth0)"},
		{name: "asked by name", host: inventory.Host{Interface: "wg0"}, f: machine(t, "", "eth0 ether* 10.0.0.5/24", "wg0 wireguard 10.9.0.5/24"),
			want: "10.9.0.5 on wg0", reason: "interface wg0 in the inventory"},
		{name: "asked by network", host: inventory.Host{Interface: "10.9.0.0/16"}, f: machine(t, "", "eth0 ether* 10.0.0.5/24", "eth1 ether* 10.9.4.5/24"),
			want: "10.9.4.5 on eth1", reason: "interface 10.9.0.0/16"},
		{name: "asked interface has none", host: inventory.Host{Interface: "eth9"}, f: machine(t, "", "eth0 ether* 10.0.0.5/24"), want: `interface "eth9" has no address`},
		{name: "asked address and interface disagree", host: inventory.Host{NodeIP: "10.0.0.5", Interface: "eth1"},
			f: machine(t, "", "eth0 ether* 10.0.0.5/24", "eth1 ether* 10.1.0.5/24"), want: `is on eth0, which interface "eth1" does not mean`},
	}
}

func TestChooseAddress(t *testing.T) {
	t.Parallel()
	for _, tt := range slices.Concat(networkChoices(t), linkChoices(t), askedChoices(t)) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			all := map[string]*Facts{"me": tt.f}
			for i, f := range tt.others {
				all[string(rune('a'+i))] = f
			}
			addr, reason, err := ChooseAddress(tt.host, tt.f, all)
			got := addr.NodeIP.String() + " on " + addr.Interface
			if err != nil {
				got = err.Error()
				if !errors.Is(err, ErrNoAddress) && !errors.Is(err, ErrAskedAddress) {
					t.Errorf("the error has no class: %v", err)
				}
			}
			if !strings.Contains(got, tt.want) || !strings.Contains(reason, tt.reason) {
				t.Errorf("got %q because %q\nwant %q because %q", got, reason, tt.want, tt.reason)
			}
		})
	}
}

func TestChooseAddressKeepsTheFirstChoice(t *testing.T) {
	t.Parallel()
	links := []string{"eth0 ether* 203.0.113.5/24", "eth1 ether* 10.8.3.5/16", "tun9 tun 10.250.0.1/24"}
	other := machine(t, "", "eth0 ether* 203.0.113.6/24", "eth1 ether* 10.8.3.6/16")
	f := machine(t, "", links...)
	f.Journal = []byte(`{"format":1,"cluster":"lab","nodeIP":"203.0.113.5","interface":"eth0"}`)
	all := map[string]*Facts{"a": f, "b": other}
	if a, reason, err := ChooseAddress(inventory.Host{}, f, all); err != nil || a.NodeIP.String() != "203.0.113.5" || !strings.Contains(reason, "kept") {
		t.Errorf("the journal's choice is not kept: %v %q %v", a, reason, err)
	}
	f.Journal, f.K3s.Config = nil, map[string]string{"node-ip": "203.0.113.5,2001:db8::5"}
	if a, _, err := ChooseAddress(inventory.Host{}, f, all); err != nil || a.NodeIP.String() != "203.0.113.5" {
		t.Errorf("k3s's own choice is not kept: %v %v", a, err)
	}
	f.K3s.Config["node-ip"] = "203.0.113.99"
	if a, _, err := ChooseAddress(inventory.Host{}, f, all); err != nil || a.NodeIP.String() != "10.8.3.5" {
		t.Errorf("an address that is gone was kept: %v %v", a, err)
	}
	f.Journal = []byte(`{"nodeIP":"203.0.113.5"}`)
	if a, _, err := ChooseAddress(inventory.Host{Interface: "eth1"}, f, all); err != nil || a.NodeIP.String() != "10.8.3.5" {
		t.Errorf("what the inventory asks for must win: %v %v", a, err)
	}
}

func TestPlanAddressesForIPv6(t *testing.T) {
	t.Parallel()
	f := machine(t, "", "eth0 ether* 10.8.3.5/16 2001:db8:1::5/64")
	a, _, err := PlanAddresses(map[string]*Facts{"a": f}, true).Choose(inventory.Host{}, f)
	if err != nil || a.NodeIP.String() != "2001:db8:1::5" {
		t.Errorf("got %v %v", a, err)
	}
}

func TestAskedAddressOfSeveralHostsIsRefusedByInterface(t *testing.T) {
	t.Parallel()
	f, g := machine(t, "", "eth0 ether* 10.0.2.15/24"), machine(t, "", "eth0 ether* 10.0.2.15/24")
	_, _, err := ChooseAddress(inventory.Host{Interface: "eth0"}, f, map[string]*Facts{"a": f, "b": g})
	if !errors.Is(err, ErrAskedAddress) {
		t.Errorf("err is %v", err)
	}
}
