package reach

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// lab is a set of hosts with a matrix that a test fills.
type lab struct {
	hosts  []Host
	matrix Matrix
}

func kubelet() Port { return Port{Proto: TCP, Number: 10250} }
func vxlan() Port   { return Port{Proto: UDP, Number: 8472} }

// newLab makes hosts from lines "name addr[@link][,private][,shared][,kept] …".
func newLab(lines ...string) *lab {
	l := &lab{matrix: Matrix{Checks: map[Key]Check{}}}
	for _, line := range lines {
		f := strings.Fields(line)
		h := Host{Name: f[0], Ports: []Port{kubelet(), vxlan()}, SSHPort: 22}
		for _, word := range f[1:] {
			opts := strings.Split(word, ",")
			addr, link, _ := strings.Cut(opts[0], "@")
			h.Candidates = append(h.Candidates, Candidate{Addr: netip.MustParseAddr(addr), Link: link, MTU: 1500,
				Private: slices.Contains(opts, "private"), Shared: slices.Contains(opts, "shared"), Kept: slices.Contains(opts, "kept")})
		}
		l.hosts = append(l.hosts, h)
	}
	return l
}

// set notes the same result for all ports of an address; from "*" is all others.
func (l *lab) set(from, to, addr string, c Check, ports ...Port) *lab {
	for _, f := range l.hosts {
		for _, h := range l.hosts {
			if h.Name != to || f.Name == to || from != "*" && f.Name != from {
				continue
			}
			for _, p := range h.ports() {
				if len(ports) == 0 || slices.Contains(ports, p) {
					c := c
					if p.Proto == TCP {
						c.MTU = 0
					}
					l.matrix.Checks[Key{f.Name, to, netip.MustParseAddr(addr), p.Proto, p.Number}] = c
				}
			}
		}
	}
	return l
}

// all notes the same result for every address of every host.
func (l *lab) all(c Check) *lab {
	for _, h := range l.hosts {
		for _, cand := range h.Candidates {
			l.set("*", h.Name, cand.Addr.String(), c)
		}
	}
	return l
}

func open(mtu int) Check { return Check{State: Open, MTU: mtu} }

func TestDecide(t *testing.T) {
	t.Parallel()
	lost := Check{State: Filtered}
	for name, c := range map[string]struct {
		lab  *lab
		want string // "host addr link" for each
		why  string // a part of any host's reason or exclusion
	}{
		"one network": {
			newLab("a 10.0.0.1@eth0,private,shared", "b 10.0.0.2@eth0,private,shared", "c 10.0.0.3@eth0,private,shared").all(open(1500)),
			"a 10.0.0.1, b 10.0.0.2, c 10.0.0.3", "10.0.0.1 on eth0: reached by all 2 other hosts, MTU 1500"},
		"default card leads nowhere": {
			newLab("a 192.168.1.1@eth0,private,shared 10.0.0.1@eth1,private", "b 192.168.1.2@eth0,private,shared 10.0.0.2@eth1,private").
				all(open(1500)).set("*", "a", "192.168.1.1", lost).set("*", "b", "192.168.1.2", lost),
			"a 10.0.0.1, b 10.0.0.2", "10.0.0.1 on eth1: reached by the other host, MTU 1500; not 192.168.1.1 on eth0: no other host reaches it"},
		"NAT twins answer themselves": {
			newLab("a 10.0.2.15@eth0,private 10.0.0.1@eth1,private", "b 10.0.2.15@eth0,private 10.0.0.2@eth1,private").
				all(open(1500)).set("*", "a", "10.0.2.15", Check{State: Stranger}).set("*", "b", "10.0.2.15", Check{State: Stranger}),
			"a 10.0.0.1, b 10.0.0.2", "10.0.2.15: no other host reaches it"},
		"private before public": {
			newLab("a 198.51.100.1@eth0 10.1.0.1@eth1,private", "b 203.0.113.1@eth0 10.2.0.1@eth1,private").all(open(1500)),
			"a 10.1.0.1, b 10.2.0.1", "198.51.100.1: it is public"},
		"shared before private": {
			newLab("a 10.9.0.1@eth0,private 10.1.0.1@eth1,private,shared", "b 10.8.0.1@eth0,private 10.1.0.2@eth1,private,shared").all(open(9000)),
			"a 10.1.0.1, b 10.1.0.2", "MTU 9000"},
		"two sites meet over the internet": {
			newLab("a 198.51.100.1@eth0 10.1.0.1@eth1,private", "b 198.51.100.2@eth0 10.1.0.2@eth1,private", "c 203.0.113.1@eth0 10.1.0.3@eth1,private").
				all(open(1500)).set("c", "a", "10.1.0.1", lost).set("c", "b", "10.1.0.2", lost).set("*", "c", "10.1.0.3", lost),
			"a 198.51.100.1, b 198.51.100.2, c 203.0.113.1", "10.1.0.1: c does not reach it"},
		"the first choice stays": {
			newLab("a 10.9.0.1@eth0,private 10.1.0.1@eth1,private,shared", "b 10.8.0.1@eth0,private,kept 10.1.0.2@eth1,private,shared").all(open(1500)),
			"a 10.1.0.1, b 10.8.0.1", "10.1.0.2: 10.8.0.1 is in use"},
		"the first choice stays while somebody reaches it": {
			newLab("a 10.0.0.1@eth0,private", "b 10.8.0.1@eth0,private,kept 10.0.0.2@eth1,private", "c 10.0.0.3@eth0,private").
				all(open(1500)).set("c", "b", "10.8.0.1", lost),
			"a 10.0.0.1, b 10.8.0.1, c 10.0.0.3", "reached by 1 of 2 hosts that tried"},
		"the first choice died": {
			newLab("a 10.0.0.1@eth0,private", "b 10.8.0.1@eth0,private,kept 10.0.0.2@eth1,private").all(open(1500)).set("*", "b", "10.8.0.1", lost),
			"a 10.0.0.1, b 10.0.0.2", "10.8.0.1: no other host reaches it"},
		"partial mesh takes what most reach": {
			newLab("a 10.0.0.1@eth0,private 10.1.0.1@eth1,private", "b 10.0.0.2@eth0,private 10.1.0.2@eth1,private", "c 10.0.0.3@eth0,private 10.1.0.3@eth1,private").
				all(open(1500)).set("c", "a", "10.0.0.1", lost).set("*", "c", "10.0.0.3", lost),
			"a 10.1.0.1, b 10.0.0.2, c 10.1.0.3", "10.0.0.1: c does not reach it"},
		"one way": {
			newLab("a 10.0.0.1@eth0,private", "b 10.0.0.2@eth0,private").all(open(1500)).set("*", "b", "10.0.0.2", lost),
			"a 10.0.0.1, b 10.0.0.2", "reached by 0 of 1 hosts that tried"},
		"nothing was tested": {
			newLab("a 10.0.0.1@eth0,private 10.1.0.1@eth1,private", "b 10.0.0.2@eth0,private"),
			"a 10.0.0.1, b 10.0.0.2", "not tested by other hosts"},
		"a firewall closes all but SSH": {
			newLab("a 10.0.0.1@eth0,private", "b 10.0.0.2@eth0,private").all(open(1500)).
				set("*", "b", "10.0.0.2", lost, kubelet(), vxlan()),
			"a 10.0.0.1, b 10.0.0.2", "10.0.0.2 on eth0: reached by the other host"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got, words []string
			for _, d := range Decide(c.lab.hosts, c.lab.matrix) {
				got = append(got, d.Host+" "+d.Chosen.Addr.String())
				words = append(words, d.Why)
				for _, e := range d.Excluded {
					words = append(words, e.Candidate.Addr.String()+": "+e.Reason)
				}
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("chose %s, want %s", s, c.want)
			}
			if s := strings.Join(words, "\n"); !strings.Contains(s, c.why) {
				t.Errorf("%q is not in\n%s", c.why, s)
			}
		})
	}
}

func TestDecideNamesClosedPorts(t *testing.T) {
	t.Parallel()
	l := newLab("a 10.0.0.1@eth0,private", "b 10.0.0.2@eth0,private", "c 10.0.0.3@eth0,private").all(open(1500))
	l.set("*", "b", "10.0.0.2", Check{State: Filtered}, vxlan())
	l.set("c", "b", "10.0.0.2", Check{State: Rejected}, kubelet())
	l.set("*", "a", "10.0.0.1", Check{State: Silent}, kubelet())
	ds := Decide(l.hosts, l.matrix)
	if len(ds[0].Closed)+len(ds[2].Closed) > 0 {
		t.Errorf("closed on a and c: %+v, %+v", ds[0].Closed, ds[2].Closed)
	}
	got := ds[1].Closed
	if len(got) != 2 || got[0].Port != kubelet() || got[0].State != Rejected || !slices.Equal(got[0].From, []string{"c"}) ||
		got[1].Port != vxlan() || got[1].State != Filtered || !slices.Equal(got[1].From, []string{"a", "c"}) {
		t.Errorf("closed on b: %+v", got)
	}
}

func TestDecideMeasuresThePath(t *testing.T) {
	t.Parallel()
	l := newLab("a 10.0.0.1@eth0,private", "b 10.0.0.2@eth0,private").all(open(1500))
	l.set("*", "b", "10.0.0.2", open(1400))
	l.hosts[0].Candidates[0].MTU = 9000
	l.set("*", "a", "10.0.0.1", open(1500)) // b's own card takes 1500
	ds := Decide(l.hosts, l.matrix)
	if len(ds[0].Narrow) != 0 || ds[0].MTU != 1500 {
		t.Errorf("to a: %+v", ds[0])
	}
	if n := ds[1].Narrow; ds[1].MTU != 1400 || len(n) != 1 || n[0] != (Narrow{From: "a", Cards: 1500, Path: 1400}) {
		t.Errorf("to b: %+v", ds[1])
	}
	l.set("*", "b", "10.0.0.2", Check{State: Open, Stalls: true}, kubelet())
	l.set("*", "b", "10.0.0.2", Check{}, vxlan())
	if n := Decide(l.hosts, l.matrix)[1].Narrow; len(n) != 1 || n[0].Path != 0 {
		t.Errorf("a stalling connection: %+v", n)
	}
}

// A host that reaches nobody is at fault, not all the others.
func TestDecideFindsTheHostThatReachesNobody(t *testing.T) {
	t.Parallel()
	l := newLab("a 10.0.0.1@eth0,private", "b 10.0.0.2@eth0,private", "c 10.0.0.3@eth0,private").all(open(1500))
	l.set("c", "a", "10.0.0.1", Check{State: Filtered}).set("c", "b", "10.0.0.2", Check{State: Filtered})
	ds := Decide(l.hosts, l.matrix)
	if !slices.Equal(ds[2].Blind, []string{"a", "b"}) || len(ds[0].Missed)+len(ds[1].Missed)+len(ds[0].Blind) > 0 {
		t.Errorf("blind %v, missed %v and %v", ds[2].Blind, ds[0].Missed, ds[1].Missed)
	}
	if !strings.Contains(ds[0].Why, "reached by the one host that tried") {
		t.Errorf("why %q", ds[0].Why)
	}
}

// The same input gives the same decisions, whatever the order of maps.
func TestDecideIsStable(t *testing.T) {
	t.Parallel()
	l := newLab("a 10.0.0.1@eth0,private 10.1.0.1@eth1,private", "b 10.0.0.2@eth0,private 10.1.0.2@eth1,private").all(open(1500))
	first := Decide(l.hosts, l.matrix)
	for range 20 {
		for i, d := range Decide(l.hosts, l.matrix) {
			if d.Chosen != first[i].Chosen || d.Why != first[i].Why {
				t.Fatalf("%+v, then %+v", first[i], d)
			}
		}
	}
}
