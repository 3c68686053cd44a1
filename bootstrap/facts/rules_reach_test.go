package facts

import "net/netip"

func reachCases() []ruleCase {
	proof := func(change func(p *Proof)) func(*world) {
		return on(func(f *Facts) {
			f.Proof = Proof{Address: Address{NodeIP: netip.MustParseAddr("10.9.0.2"), Interface: "eth0"}, Why: "proved", Reached: []string{"s1"}}
			change(&f.Proof)
		})
	}
	closed := func(firewall string, ports ...int) func(*world) {
		return func(w *world) {
			proof(func(p *Proof) {
				for _, n := range ports {
					c := ClosedPort{Proto: "tcp", Port: n, From: []string{"s1"}, FromAddrs: []netip.Addr{netip.MustParseAddr("10.9.0.1")}}
					if n == 8472 {
						c.Proto = "udp"
					}
					p.Closed = append(p.Closed, c)
				}
			})(w)
			if firewall != "" {
				w.all["w1"].Network.Firewalls = []string{firewall}
			}
		}
	}
	return []ruleCase{
		{"address-unreached", "one way", proof(func(p *Proof) { p.Reached, p.Missed = nil, []string{"s1"} }), Block, "", "is not reached by s1"},
		{"address-unreached", "reaches nobody", proof(func(p *Proof) { p.Blind = []string{"s1", "w9"} }), Block, "", "it tried s1, w9"},
		{"address-unreached", "reached", proof(func(*Proof) {}), "", "", ""},
		{"port-closed", "ufw", closed("ufw", 8472), Block, "", "for a in 10.9.0.1; do ufw allow proto udp from $a to any port 8472; done"},
		{"port-closed", "firewalld", closed("firewalld", 8472), Block, "", "firewall-cmd --permanent --zone=trusted --add-source=10.9.0.1 && firewall-cmd --reload"},
		{"port-closed", "nftables", closed("nftables", 8472), Block, "", "ip saddr '{ 10.9.0.1 }' udp dport 8472 accept"},
		{"port-closed", "provider", closed("", 8472, 6443), Block, "", "iptables -I INPUT -s 10.9.0.1 -p tcp --dport 6443 -j ACCEPT; if the host has no such rules"},
		{"port-closed", "kubelet alone", closed("", 10250), Warn, "", "10250/tcp"},
		{"port-closed", "none", proof(func(*Proof) {}), "", "", ""},
		{"path-mtu", "narrow", proof(func(p *Proof) { p.Narrow = []NarrowPath{{"s1", 1500, 1400}} }), Warn, "", "ip link set dev eth0 mtu 1400"},
		{"path-mtu", "stalls", proof(func(p *Proof) { p.Narrow = []NarrowPath{{From: "s1"}} }), Warn, "", "96 KiB"},
		{"path-mtu", "wide", proof(func(*Proof) {}), "", "", ""},
		{"reach-untested", "no interpreter", proof(func(p *Proof) { p.Untested = "the host has neither python3 nor perl" }), Info, "", "python3"},
		{"reach-untested", "all tested", proof(func(*Proof) {}), "", "", ""},
	}
}
