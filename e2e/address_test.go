//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// inventoryOf makes the first host a server that works too, and the others
// workers.
func (l *lab) inventoryOf(names ...string) {
	l.t.Helper()
	text := "pools:\n  - name: control\n    role: both\n    hosts:\n" + l.entry(names[0])
	if len(names) > 1 {
		text += "  - name: work\n    role: worker\n    hosts:\n"
	}
	for _, n := range names[1:] {
		text += l.entry(n)
	}
	l.write(text)
}

// finding gives the first finding with an id about a host.
func (r result) finding(host, id string) (engine.Event, bool) {
	for _, e := range r.Events {
		if e.Kind == engine.KindFinding && e.Host == host && e.ID == id {
			return e, true
		}
	}
	return engine.Event{}, false
}

// says wants a finding with all of these words.
func (r result) says(t *testing.T, host, id string, words ...string) {
	t.Helper()
	f, ok := r.finding(host, id)
	if !ok {
		t.Errorf("no finding %s about %s:\n%s\n%s", id, host, r.Stdout, r.Stderr)
		return
	}
	text := f.Message + "\n" + f.Evidence + "\n" + f.Fix
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("finding %s about %s lacks %q:\n%s", id, host, w, text)
		}
	}
	t.Logf("FINDING %s %s: %s\n  evidence: %s\n  fix: %s", host, id, f.Message, f.Evidence, f.Fix)
}

// reasons are the reasons of all planned changes.
func (r result) reasons() string {
	var b strings.Builder
	for _, e := range r.Events {
		if e.Change != nil {
			fmt.Fprintf(&b, "%s: %s\n", e.Host, e.Change.Reason)
		}
	}
	return b.String()
}

// nothingLeft wants no trace of what gpuboot's test ran on hosts.
func (l *lab) nothingLeft(names ...string) {
	l.t.Helper()
	for _, n := range names {
		if out := l.on(n, "ss -Hlntu | grep -E ':(6443|2379|2380|10250|8472|51820) '; pgrep -fa [g]puboot-reach; true"); strings.TrimSpace(out) != "" {
			l.t.Errorf("left on %s:\n%s", n, out)
		}
	}
}

// TestWrongDefaultNIC has hosts whose default route and login are on a network
// where they do not meet; a second card joins them.
func TestWrongDefaultNIC(t *testing.T) {
	nics := []hosts.NIC{{Name: "eth1", Network: "private"}}
	l := newLab(t, hosts.Spec{Name: "s1", NICs: nics}, hosts.Spec{Name: "w1", NICs: nics})
	l.need(hosts.FeatureFresh, hosts.FeatureExec, hosts.FeatureSpec)
	for _, pair := range [][2]string{{"s1", "w1"}, {"w1", "s1"}} {
		l.on(pair[0], "iptables -I INPUT -i eth0 -s "+l.host(pair[1]).Address+" -j DROP")
	}
	l.inventoryOf("s1", "w1")
	r := l.ok("plan")
	for _, h := range []string{"s1", "w1"} {
		want := l.host(h).AddressOn("private") + " on eth1: reached by the other host, MTU 1500"
		if !strings.Contains(r.reasons(), want) {
			t.Errorf("the plan of %s lacks %q:\n%s", h, want, r.reasons())
		}
	}
	t.Logf("PLAN after %.1f s\n%s", r.Elapsed.Seconds(), r.reasons())
	l.nothingLeft("s1", "w1")

	l.ok("up")
	nodes := l.kubectl("s1", "get nodes -o wide --no-headers")
	for _, h := range []string{"s1", "w1"} {
		if ip := l.host(h).AddressOn("private"); !strings.Contains(nodes, ip) {
			t.Errorf("node %s has not the address %s:\n%s", h, ip, nodes)
		}
	}
	if link := l.on("w1", "ip -d link show flannel.1"); !strings.Contains(link, "dev eth1") {
		t.Errorf("flannel of w1 is not on eth1: %s", link)
	}
	if c := l.ok("up").changes(); len(c) > 0 {
		t.Errorf("a second up changes %v", c)
	}
}

// TestBlockedPortIsFoundBefore drops flannel's packets to one host: found
// before anything is written, with exit code 6.
func TestBlockedPortIsFoundBefore(t *testing.T) {
	l := newLab(t, hosts.Spec{Name: "s1"}, hosts.Spec{Name: "w1"}, hosts.Spec{Name: "w2"})
	l.need(hosts.FeatureFresh, hosts.FeatureExec, hosts.FeatureTraffic)
	undo, err := l.fleet.Drop(t.Context(), hosts.Rule{To: l.host("w1"), Port: 8472, Protocol: "udp"})
	if err != nil {
		t.Fatal(err)
	}
	l.on("w2", "iptables -I INPUT -p tcp --dport 10250 -j REJECT")
	l.inventoryOf("s1", "w1", "w2")
	before := l.snapshots()
	r := l.run("up")
	if r.Code != 6 {
		t.Errorf("exit code %d, want 6\n%s", r.Code, r.Stderr)
	}
	s1, w2 := l.host("s1").Address, l.host("w2").Address
	r.says(t, "w1", "port-closed", "8472/udp", "no firewall service runs on the host", "from s1, w2 get lost",
		"iptables -I INPUT -s "+s1+","+w2+" -p udp --dport 8472 -j ACCEPT", "security group")
	r.says(t, "w2", "port-closed", "10250/tcp", "rejected")
	if _, ok := r.finding("s1", "port-closed"); ok {
		t.Error("nothing is closed on s1")
	}
	t.Logf("BLOCKED: exit code %d after %.1f s", r.Code, r.Elapsed.Seconds())
	l.nothingLeft("s1", "w1", "w2")
	after := l.snapshots()
	for _, n := range []string{"s1", "w1", "w2"} {
		for _, c := range ours(before[n].Diff(after[n], hosts.Noise()...)) {
			t.Errorf("%s: the test wrote %s", n, c)
		}
	}

	if err := undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	r = l.ok("preflight")
	if f, ok := r.finding("w1", "port-closed"); ok {
		t.Errorf("opened, but %+v", f)
	}
}

// TestNarrowPath has a way between hosts that carries 1400 bytes where the cards
// say 1500.
func TestNarrowPath(t *testing.T) {
	l := newLab(t, hosts.Spec{Name: "s1"}, hosts.Spec{Name: "w1"})
	l.need(hosts.FeatureFresh, hosts.FeatureExec, hosts.FeatureTraffic)
	if err := l.host("w1").SetMTU(t.Context(), "eth0", 1400); err != nil {
		t.Fatal(err)
	}
	l.on("w1", "ip link set eth0 mtu 1500") // only the switch's end stays narrow
	l.inventoryOf("s1", "w1")
	r := l.ok("preflight")
	r.says(t, "w1", "path-mtu", "of 1500 bytes that the cards take, 1400 arrive from s1", "ip link set dev eth0 mtu 1400")
	r.says(t, "s1", "path-mtu", "arrive from w1") // 1404: a veth takes in four bytes more, room for a VLAN tag
	t.Logf("NARROW: after %.1f s", r.Elapsed.Seconds())
	l.nothingLeft("s1", "w1")
}
