package facts

import (
	"net/netip"

	"github.com/gpuboot/gpuboot/inventory"
)

func identityCases() []ruleCase {
	same := func(change func(f *Facts)) func(*world) {
		return func(w *world) { change(w.all["s1"]); change(w.all["w1"]) }
	}
	addr := func(f *Facts, prefix string) { f.Links[1].Addrs[0].Prefix = netip.MustParsePrefix(prefix) }
	return []ruleCase{
		{"same-host-twice", "listed twice", func(w *world) {
			*w.all["s1"] = *w.all["w1"]
		}, Block, "", "also on s1"},
		{"same-host-twice", "two containers of one machine", same(func(f *Facts) { f.BootID = "one" }), "", "", ""},
		{"hostname-duplicate", "clones", same(func(f *Facts) { f.Hostname = "ubuntu" }), Info, "", "also on s1"},
		{"hostname-duplicate", "unknown", same(func(f *Facts) { f.Hostname = "" }), "", "", ""},
		{"machine-id-duplicate", "clones", same(func(f *Facts) { f.MachineID = "4711" }), Warn, "", "4711"},
		{"machine-id-duplicate", "empty in both", same(func(f *Facts) { f.MachineID = "" }), "", "", ""},
		{"product-uuid-duplicate", "clones", same(func(f *Facts) { f.ProductUUID = "u" }), Warn, "", "also on s1"},
		{"product-uuid-duplicate", "containers of one machine", same(func(f *Facts) { f.ProductUUID = "u"; f.Container = true }), "", "", ""},
		{"mac-duplicate", "node network", same(func(f *Facts) { f.Links[1].MAC = "02:01:01:01:01:01" }), Warn, "", "02:01"},
		{"mac-duplicate", "NAT card", same(func(f *Facts) {
			f.Links = append(f.Links, Link{Name: "nat0", Kind: "ether", MAC: "02:aa:00:00:00:00", Up: true, Physical: true,
				Addrs: []Addr{{Prefix: netip.MustParsePrefix("10.0.2.15/24"), Scope: "global"}}})
		}), "", "", ""},
		{"node-address", "only behind NAT", same(func(f *Facts) { addr(f, "10.0.2.15/24") }), Block, "", "is on 2 hosts"},
		{"node-address", "asked address is not there", func(w *world) { w.host("w1").NodeIP = "10.9.0.77" }, Block, "", "10.9.0.77"},
		{"node-address", "not read", on(func(f *Facts) { f.Links = nil; f.Unknown["addr"] = "no ip" }), "", "", ""},
		{"node-address-duplicate", "same nodeIP", func(w *world) {
			addr(w.all["s1"], "10.9.0.2/24")
			w.host("s1").NodeIP, w.host("w1").NodeIP = "10.9.0.2", "10.9.0.2"
		}, Block, "", "10.9.0.2"},
		{"node-address-duplicate", "unusable on both", same(func(f *Facts) { addr(f, "10.0.2.15/24") }), "", "", ""},
	}
}

func clusterCases() []ruleCase {
	unit := func(role, active string) func(f *Facts) {
		return func(f *Facts) {
			f.K3s.Role = role
			f.K3s.Unit = Unit{Name: "k3s.service", Load: "loaded", Active: active, Sub: "running", Enabled: "enabled"}
		}
	}
	journal := func(cluster string) func(f *Facts) {
		return func(f *Facts) { f.Journal = []byte(`{"format":1,"cluster":"` + cluster + `","role":"agent"}`) }
	}
	listen := func(proto string, port int, process string) func(f *Facts) {
		return func(f *Facts) {
			f.Network.Listeners = []Listener{{Proto: proto, Addr: netip.IPv4Unspecified(), Port: port, Process: process, PID: 42}}
		}
	}
	both := func(a, b func(f *Facts)) func(*world) { return on(func(f *Facts) { a(f); b(f) }) }
	server := func(w *world) { w.host("w1").Role = inventory.RoleBoth }
	left := func(traces ...string) func(f *Facts) { return func(f *Facts) { f.K3s.Leftovers = traces } }
	return []ruleCase{
		{"other-cluster", "other name", on(journal("prod")), Block, "", `"prod"`},
		{"other-cluster", "ours", on(journal("lab")), "", "", ""},
		{"journal-unreadable", "damaged", on(func(f *Facts) { f.Journal = []byte(`{"clus`) }), Block, "", "JSON"},
		{"journal-unreadable", "names no cluster", on(func(f *Facts) { f.Journal = []byte(`{}`) }), Block, "", "{}"},
		{"journal-unreadable", "empty file", on(func(f *Facts) { f.Journal = []byte{} }), "", "", ""},
		{"k3s-foreign", "by hand", both(unit("server", "active"), func(f *Facts) {
			f.Files["/usr/local/bin/k3s-uninstall.sh"] = FileFact{}
		}), Block, "", "/usr/local/bin/k3s-uninstall.sh"},
		{"k3s-foreign", "under another name", on(func(f *Facts) { f.Files["/etc/systemd/system/k3s-edge.service"] = FileFact{} }), Block, "", "k3s-edge.service"},
		{"k3s-foreign", "started by hand", on(func(f *Facts) { f.K3s.Processes = true }), Block, "", "k3s runs"},
		{"k3s-foreign", "executable alone", on(func(f *Facts) { f.Files["/usr/local/bin/k3s"] = FileFact{}; f.K3s.Version = "v1.34.1+k3s1" }), "", "", ""},
		{"k3s-foreign", "ours", both(unit("server", "active"), journal("lab")), "", "", ""},
		{"k3s-data-left", "server", func(w *world) { server(w); left("/var/lib/rancher/k3s/server/db")(w.all["w1"]) }, Block, "", "server/db"},
		{"k3s-data-left", "agent", on(left("/var/lib/rancher/k3s/agent")), Warn, "", "/var/lib/rancher/k3s"},
		{"k3s-data-left", "ours", both(left("/var/lib/rancher/k3s/server/db"), journal("lab")), "", "", ""},
		{"k3s-crash-loop", "restarting", both(unit("agent", "activating"), func(f *Facts) { f.K3s.Unit.Restarts = 17 }), Warn, "", "17 times"},
		{"k3s-crash-loop", "restarted and up", both(unit("agent", "active"), func(f *Facts) { f.K3s.Unit.Restarts = 17 }), "", "", ""},
		{"other-kubernetes", "kubeadm", on(func(f *Facts) { f.Units["kubelet.service"] = Unit{Name: "kubelet.service", Active: "active"} }), Block, "", "kubeadm"},
		{"other-kubernetes", "rke2 starting", on(func(f *Facts) { f.Units["rke2-agent.service"] = Unit{Active: "activating"} }), Block, "", "RKE2"},
		{"other-kubernetes", "bare kubelet", on(func(f *Facts) { f.Processes = []Process{{PID: 99, Name: "kubelet"}} }), Block, "", "99"},
		{"other-kubernetes", "stopped", on(func(f *Facts) { f.Units["kubelet.service"] = Unit{Active: "inactive"} }), "", "", ""},
		{"cluster-leftovers", "kubeadm", on(left("/etc/kubernetes/manifests")), Warn, "", "manifests"},
		{"cluster-leftovers", "links", on(left("link cilium_host")), Warn, "", "cilium_host"},
		{"cluster-leftovers", "our own links", both(left("link cni0", "link flannel.1"), journal("lab")), "", "", ""},
		{"cluster-leftovers", "docker's bridge", on(left("link docker0")), "", "", ""},
		{"docker-present", "running", on(func(f *Facts) { f.Units["docker.service"] = Unit{Active: "active"} }), Info, "", "active"},
		{"docker-present", "installed, off", on(func(f *Facts) { f.Units["docker.service"] = Unit{Active: "inactive"} }), "", "", ""},
		{"docker-snap", "snap", on(left("/snap/docker")), Warn, "", "/snap/docker"},
		{"docker-snap", "package", on(left("/var/lib/docker")), "", "", ""},
		{"port-in-use", "kubelet port", on(listen("tcp", 10250, "kubelet")), Block, "", "kubelet (process 42)"},
		{"port-in-use", "API port on a server", func(w *world) { server(w); listen("tcp", 6443, "haproxy")(w.all["w1"]) }, Block, "", "haproxy"},
		{"port-in-use", "API port on an agent", on(listen("tcp", 6443, "haproxy")), "", "", ""},
		{"port-in-use", "vxlan of somebody else", on(listen("udp", 8472, "")), Block, "", "the kernel"},
		{"port-in-use", "vxlan of an earlier k3s", on(func(f *Facts) {
			listen("udp", 8472, "")(f)
			f.Links = append(f.Links, Link{Name: "flannel.1", Kind: "vxlan"})
		}), "", "", ""},
		{"port-in-use", "our k3s", on(func(f *Facts) { journal("lab")(f); unit("agent", "active")(f); listen("tcp", 10250, "k3s-agent")(f) }), "", "", ""},
		{"port-in-use", "not read", on(func(f *Facts) { listen("tcp", 10250, "kubelet")(f); f.Unknown["ports"] = "x" }), "", "", ""},
	}
}
