package facts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/inventory"
)

// show writes links shortly: name, kind, marks, addresses.
func show(links []Link) string {
	var out []string
	for _, l := range links {
		s := l.Name + " " + l.Kind
		for mark, set := range map[string]bool{"*": l.Physical, "!": !l.Up} {
			if set {
				s += mark
			}
		}
		if l.Master != "" {
			s += "<" + l.Master
		}
		if l.Parent != "" {
			s += "^" + l.Parent
		}
		for _, a := range l.Addrs {
			s += " " + a.Prefix.String()
			if a.Peer.IsValid() {
				s += "=" + a.Peer.String()
			}
			if a.Secondary || a.Temporary || a.Deprecated {
				s += "~"
			}
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func TestParseAddrText(t *testing.T) {
	t.Parallel()
	text := `1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN group default qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00
    inet 127.0.0.1/8 scope host lo
       valid_lft forever preferred_lft forever
2: ens1@if9: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1450 qdisc mq master bond0 state UP group default qlen 1000
    link/ether 02:00:00:00:00:09 brd ff:ff:ff:ff:ff:ff
    inet 198.51.100.50 peer 198.51.100.1/32 scope global ens1
    inet 198.51.100.51/24 scope global secondary noprefixroute ens1
    inet6 2001:db8::5/64 scope global temporary deprecated dynamic
    inet6 nonsense scope global
3: bond0.7@bond0: <NO-CARRIER,BROADCAST,UP> mtu 9000 qdisc noqueue
    link/ether 02:00:00:00:00:0a brd ff:ff:ff:ff:ff:ff
4: wg0: <POINTOPOINT,NOARP,UP,LOWER_UP> mtu 1420
    link/none
`
	links, err := parseAddr(text)
	want := "lo loopback 127.0.0.1/8; ens1 ether<bond0 198.51.100.50/32=198.51.100.1 198.51.100.51/24~ 2001:db8::5/64~; bond0.7 ether!^bond0; wg0 "
	if got := show(links); err != nil || got != want {
		t.Errorf("%v\n%s\n%s", err, got, want)
	}
	if links[1].MTU != 1450 || links[1].MAC != "02:00:00:00:00:09" || !links[1].Addrs[1].NoPrefixRoute || !links[1].Addrs[2].Dynamic {
		t.Errorf("%+v", links[1])
	}
}

func TestLinksGetTheirKinds(t *testing.T) {
	t.Parallel()
	addr := func(name, kind, flags string) string {
		return fmt.Sprintf(`{"ifname":%q,"flags":[%s],"mtu":1500,"link_type":%q,"address":"02:00:00:00:00:01"}`, name, flags, kind)
	}
	up := `"UP","LOWER_UP"`
	f := newFacts()
	json := "[" + strings.Join([]string{addr("lo", "", `"LOOPBACK",`+up), addr("eno1", "ether", up), addr("br0", "ether", up), addr("tap3", "ether", up),
		addr("wg0", "none", up), addr("tun0", "none", up), addr("ib0", "infiniband", up), addr("bond0", "ether", up), addr("gre1", "gre", up)}, ",") + "]"
	if err := readAddrs(f, ended(json)); err != nil {
		t.Fatal(err)
	}
	if err := readLinkKinds(f, ended(`[{"ifname":"wg0","linkinfo":{"info_kind":"wireguard"}},{"ifname":"gone"},{}]`)); err != nil {
		t.Fatal(err)
	}
	if err := readNet(f, ended("eno1 type=1 device=yes speed=100000\nbr0 type=1 bridge=yes\ntap3 type=1 tun=yes\ntun0 type=65534 tun=yes\nbond0 type=1 bonding=yes speed=-1\nwg0 type=65534 devtype=wireguard\nstrange type=1\n")); err != nil {
		t.Fatal(err)
	}
	want := "lo loopback; eno1 ether*; br0 bridge; tap3 tun; wg0 wireguard; tun0 tun; ib0 infiniband; bond0 bond; gre1 gre"
	if got := show(f.Links); got != want {
		t.Errorf("\n%s\n%s", got, want)
	}
	if f.Links[1].SpeedMbit != 100000 || f.Links[7].SpeedMbit != 0 {
		t.Errorf("%+v", f.Links)
	}
	if err := readLinkKinds(f, ended(`[{"ifname":"br0","linkinfo":{"info_kind":}}]`)); err != nil {
		t.Errorf("older iproute2 print broken JSON here, and that is no error: %v", err)
	}
	if err := readLinkKinds(f, ended(`{"ifname":7}`)); err == nil {
		t.Error("JSON of another shape is an error")
	}
}

func TestParseAddrRefusesWhatIsNoList(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "[]", "[{}]", "[{", "ip: unrecognized option: j\n\nUsage: ip [OPTIONS]"} {
		if links, err := parseAddr(text); err == nil {
			t.Errorf("%q gives %v", text, links)
		}
	}
}

// An address without a carrier of its own name, in a family that was not asked
// for, comes after the others.
func TestAskedInterfaceGivesItsMainAddress(t *testing.T) {
	t.Parallel()
	f := machine(t, "", "eth0 ether* 2001:db8::7/64 2001:db8::9/64(temporary) 10.5.0.9/24(secondary) 10.5.0.7/24")
	for v6, want := range map[bool]string{false: "10.5.0.7", true: "2001:db8::7"} {
		a, _, err := PlanAddresses(map[string]*Facts{"a": f}, v6).Choose(inventory.Host{Interface: "eth0"}, f)
		if err != nil || a.NodeIP.String() != want {
			t.Errorf("IPv6 %v: %v %v", v6, a, err)
		}
	}
}
