package facts

import "net/netip"

func networkCases() []ruleCase {
	public := func(w *world) {
		w.all["s1"].Links[1].Addrs[0].Prefix = netip.MustParsePrefix("198.51.100.1/24")
		w.all["w1"].Links[1].Addrs[0].Prefix = netip.MustParsePrefix("198.51.100.2/24")
	}
	route := func(dst, dev string) func(*world) {
		return on(func(f *Facts) {
			f.Routes = append(f.Routes, Route{Dst: netip.MustParsePrefix(dst), Dev: dev, Type: "unicast"})
		})
	}
	link := func(l Link, prefix string) func(*world) {
		return on(func(f *Facts) {
			l.Addrs = []Addr{{Prefix: netip.MustParsePrefix(prefix), Scope: "global"}}
			f.Links = append(f.Links, l)
		})
	}
	resolv := func(main ...string) func(*world) {
		return on(func(f *Facts) { f.Network.Resolvers = map[string][]string{"/etc/resolv.conf": main} })
	}
	return []ruleCase{
		{"node-address-public", "vxlan", public, Warn, "", "198.51.100.2"},
		{"node-address-public", "wireguard", func(w *world) { public(w); w.inv.Network.FlannelBackend = "wireguard-native" }, "", "", ""},
		{"node-address-public", "private", nil, "", "", ""},
		{"mtu-mixed", "jumbo on one", on(func(f *Facts) { f.Links[1].MTU = 9000 }), Warn, "-", "MTU 1500: s1; MTU 9000: w1"},
		{"mtu-mixed", "another card", on(func(f *Facts) { f.Links[0].MTU = 65536 }), "", "-", ""},
		{"no-default-route", "none", on(func(f *Facts) { f.Routes = nil }), Warn, "", "dummy0"},
		{"no-default-route", "IPv6 only", on(func(f *Facts) { f.Routes[0].Dst = netip.MustParsePrefix("::/0") }), "", "", ""},
		{"no-default-route", "not read", on(func(f *Facts) { f.Routes = nil; f.Unknown["route4"] = "x" }), "", "", ""},
		{"cidr-overlap", "own address", link(Link{Name: "eth1", Kind: "ether", Up: true, Physical: true}, "10.42.7.9/24"), Block, "", "10.42.7.9/24 on eth1"},
		{"cidr-overlap", "VPN", route("10.0.0.0/8", "wg0"), Warn, "", "wg0"},
		{"cidr-overlap", "our own bridge", link(Link{Name: "cni0", Kind: "bridge", Up: true}, "10.42.0.1/24"), "", "", ""},
		{"cidr-overlap", "our own tunnel's route", route("10.42.1.0/24", "flannel.1"), "", "", ""},
		{"firewall-active", "ufw", on(func(f *Facts) { f.Network.Firewalls = []string{"ufw"} }), Warn, "", "ufw allow from 10.42.0.0/16"},
		{"firewall-active", "firewalld", on(func(f *Facts) { f.Network.Firewalls = []string{"firewalld"} }), Warn, "", "--zone=trusted"},
		{"firewall-active", "nftables", on(func(f *Facts) { f.Network.Firewalls = []string{"nftables"} }), Info, "", "nft list ruleset"},
		{"firewall-active", "none", nil, "", "", ""},
		{"nm-cloud-setup", "enabled", on(func(f *Facts) { f.Units["nm-cloud-setup.service"] = Unit{Enabled: "enabled"} }), Warn, "", "enabled"},
		{"nm-cloud-setup", "disabled", on(func(f *Facts) { f.Units["nm-cloud-setup.service"] = Unit{Enabled: "disabled", Active: "inactive"} }), "", "", ""},
		{"proxy-environment", "set", on(func(f *Facts) { f.Network.Proxy["HTTPS_PROXY"] = "http://proxy:3128" }), Info, "", "proxy:3128"},
		{"proxy-environment", "exceptions alone", on(func(f *Facts) { f.Network.Proxy["NO_PROXY"] = "localhost" }), "", "", ""},
		{"resolver-loop", "loop", resolv("127.0.0.1"), Warn, "", "127.0.0.1"},
		{"resolver-loop", "none", resolv(), Warn, "", "no nameserver"},
		{"resolver-loop", "resolved behind the stub", on(func(f *Facts) {
			f.Network.Resolvers = map[string][]string{"/etc/resolv.conf": {"127.0.0.53"}, "/run/systemd/resolve/resolv.conf": {"9.9.9.9"}}
		}), "", "", ""},
		{"resolver-loop", "own file named", func(w *world) {
			resolv("127.0.0.1")(w)
			w.host("w1").K3sConfig = map[string]any{"resolv-conf": "/etc/k3s-resolv.conf"}
		}, "", "", ""},
		{"own-name", "unknown", on(func(f *Facts) { f.Network.OwnName = false }), Info, "", "node2"},
		{"own-name", "not read", on(func(f *Facts) { f.Network.OwnName = false; f.Unknown["hosts"] = "x" }), "", "", ""},
		{"iptables-buggy", "1.8.4", on(func(f *Facts) { f.Network.IPTables = "1.8.4" }), Warn, "", "1.8.4"},
		{"iptables-buggy", "1.8.10", nil, "", "", ""},
		{"iptables-buggy", "bundled asked for", func(w *world) {
			w.all["w1"].Network.IPTables = "1.8.2"
			w.host("w1").K3sConfig = map[string]any{"prefer-bundled-bin": true}
		}, "", "", ""},
	}
}

func packageCases() []ruleCase {
	return []ruleCase{
		{"package-lock", "held", on(func(f *Facts) {
			f.Packages.Locks = []PackageLock{{Path: "/var/lib/dpkg/lock-frontend", PID: 77, Name: "unattended-upgr"}}
		}), Info, "", "unattended-upgr (process 77)"},
		{"package-lock", "free", nil, "", "", ""},
		{"reboot-pending", "kernel", on(func(f *Facts) { f.Packages.RebootRequired, f.Packages.RebootFor = true, []string{"linux-base"} }), Warn, "", "linux-base"},
		{"reboot-pending", "no", nil, "", "", ""},
		{"cloud-init-running", "running", on(func(f *Facts) { f.Packages.CloudInit = "running" }), Warn, "", "result.json"},
		{"cloud-init-running", "done", on(func(f *Facts) { f.Packages.CloudInit = "done" }), "", "", ""},
		{"selinux-enforcing", "without policy", on(func(f *Facts) { f.Security.SELinux = "enforcing" }), Warn, "", "k3s-selinux"},
		{"selinux-enforcing", "with policy", on(func(f *Facts) { f.Security.SELinux, f.Security.K3sPolicy = "enforcing", true }), Info, "", "selinux: true"},
		{"selinux-enforcing", "permissive", on(func(f *Facts) { f.Security.SELinux = "permissive" }), "", "", ""},
	}
}
