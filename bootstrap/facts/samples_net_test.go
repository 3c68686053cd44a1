package facts

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/inventory"
)

func TestSamplesAddr(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t, "ip", "addr-") {
		links, err := parseAddr(text)
		if name == "addr-busybox.txt" {
			if err == nil {
				t.Errorf("usage text was read: %+v", links)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, l := range links {
			if l.Name == "" || l.MTU == 0 {
				t.Errorf("%s: %+v", name, l)
			}
			for _, a := range l.Addrs {
				if !a.Prefix.IsValid() || a.Scope == "" {
					t.Errorf("%s: %+v", name, a)
				}
			}
		}
	}
}

// What would be chosen on each sampled host alone; "" is none.
func TestSamplesChooseAddress(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"addr-4-only.json": "192.0.2.10 eno1", "addr-busybox-plain.txt": "172.17.0.2 eth0",
		"addr-dhcp-secondary.json": "192.0.2.10 eth0", "addr-hetzner-32.json": "203.0.113.77 eth0",
		"addr-hgx-bond-vlan-ib.json": "10.30.0.21 bond0.4000", "addr-ipv6-only.json": "2001:db8:10:20::5 eth0",
		"addr-k3s-node.json": "192.168.10.21 eno1", "addr-nat-only.json": "10.0.2.15 ens3",
		"addr-nat-twin-a.json": "10.0.2.15 eth0", "addr-nat-twin-b.json": "10.0.2.15 eth0",
		"addr-newer-iproute2-proto.json": "10.0.0.5 ens192", "addr-old-empty-objects.json": "192.0.2.10 eno1",
		"addr-p2p-peer.json": "198.51.100.50 eno1", "addr-rook-cni.json": "fd4e:7658:764f:15c4:ec:4aff:fee3:1b90 public",
		"addr-scaleway-32.json": "172.16.8.3 ens6", "addr-scope-global-empty-object.json": "203.0.113.10 eno1",
		"addr-three-private-nics.json": "10.0.0.5 eth0", "addr-wireguard-tailscale.json": "198.51.100.7 enp1s0",
	}
	login := map[string]string{"addr-hgx-bond-vlan-ib.json": "10.30.0.21", "addr-hetzner-32.json": "203.0.113.77"}
	for name, text := range samples(t, "ip", "addr-") {
		links, err := parseAddr(text)
		if err != nil {
			continue
		}
		f := &Facts{Links: links, SSHAddress: addrOrZero(login[name])}
		a, reason, err := ChooseAddress(inventory.Host{}, f, map[string]*Facts{"h": f})
		if got := a.NodeIP.String() + " " + a.Interface; err != nil || got != want[name] {
			t.Errorf("%s: %s because %q (%v), want %s", name, got, reason, err, want[name])
		}
	}
}

// Two hosts together: NAT twins, and two of a cloud with single addresses.
func TestSamplesChooseAddressTogether(t *testing.T) {
	t.Parallel()
	all := samples(t, "ip", "addr-")
	host := func(name string) *Facts {
		links, err := parseAddr(all[name])
		if err != nil {
			t.Fatal(err)
		}
		return &Facts{Links: links}
	}
	a, b := host("addr-nat-twin-a.json"), host("addr-nat-twin-b.json")
	addr, _, err := ChooseAddress(inventory.Host{}, a, map[string]*Facts{"a": a, "b": b})
	if err != nil || addr.NodeIP != netip.MustParseAddr("192.168.56.11") {
		t.Errorf("twins: %v %v", addr, err)
	}
	c, d := host("addr-hetzner-32.json"), host("addr-hetzner-32.json")
	route := Route{Dst: netip.MustParsePrefix("10.0.0.0/16"), Dev: "enp7s0", Type: "unicast"}
	c.Routes, d.Routes = []Route{route}, []Route{route}
	d.Links[1].Addrs[0].Prefix = netip.MustParsePrefix("203.0.113.78/32")
	d.Links[2].Addrs[0].Prefix = netip.MustParsePrefix("10.0.0.4/32")
	addr, reason, err := ChooseAddress(inventory.Host{}, c, map[string]*Facts{"a": c, "b": d})
	if err != nil || addr.NodeIP != netip.MustParseAddr("10.0.0.3") || !strings.Contains(reason, "10.0.0.0/16") {
		t.Errorf("single addresses: %v %q %v", addr, reason, err)
	}
}

func TestSamplesRoutes(t *testing.T) {
	t.Parallel()
	defaults := map[string]int{"route-no-default.json": 0, "route-two-defaults.json": 2, "route-multipath.json": 2}
	for name, text := range samples(t, "ip", "route") {
		routes, err := parseRoutes(text)
		if name == "route-get-unreachable.txt" {
			if err == nil {
				t.Errorf("an error text was read: %+v", routes)
			}
			continue
		}
		if err != nil || len(routes) == 0 {
			t.Errorf("%s: %v", name, err)
		}
		n := 0
		for _, r := range routes {
			if !r.Dst.IsValid() || (r.Dev == "" && r.Type == "unicast") {
				t.Errorf("%s: %+v", name, r)
			}
			if r.Default() {
				n++
			}
		}
		want, named := defaults[name]
		if !named {
			want = 1
		}
		if n != want && name != "route-get.json" {
			t.Errorf("%s: %d default routes, want %d", name, n, want)
		}
	}
}

func TestSamplesRDMA(t *testing.T) {
	t.Parallel()
	for name, text := range samples(t, "rdma", "sysfs-") {
		ports := parseRDMASysfs(text)
		if name == "sysfs-none.txt" {
			if len(ports) != 0 {
				t.Errorf("%s: %+v", name, ports)
			}
			continue
		}
		for _, p := range ports {
			if p.State == "" || p.Phys == "" || p.GbPerSec == 0 || p.LinkLayer == "" || p.Port < 1 {
				t.Errorf("%s: %+v", name, p)
			}
			if p.Software != strings.HasPrefix(p.Device, "rxe") {
				t.Errorf("%s: software is %v", name, p.Software)
			}
		}
		if len(ports) == 0 {
			t.Errorf("%s: no port", name)
		}
	}
}
