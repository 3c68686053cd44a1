package facts

import (
	"fmt"
	"strings"
)

// neededPort is a port that k3s opens.
type neededPort struct {
	proto string
	port  int
	use   string
}

// neededPorts are the ports of k3s in a role. Local ones must be free too.
func neededPorts(server bool, backend string) []neededPort {
	ports := []neededPort{
		{"tcp", 6444, "k3s's load balancer for the API"}, {"tcp", 10250, "kubelet"}, {"tcp", 10248, "kubelet health"},
		{"tcp", 10249, "kube-proxy metrics"}, {"tcp", 10256, "kube-proxy health"}, {"tcp", 10010, "containerd streams"},
	}
	if server {
		ports = append(ports, neededPort{"tcp", 6443, "API server"}, neededPort{"tcp", 2379, "etcd clients"},
			neededPort{"tcp", 2380, "etcd peers"}, neededPort{"tcp", 2381, "etcd metrics"},
			neededPort{"tcp", 10257, "controller manager"}, neededPort{"tcp", 10258, "cloud controller"},
			neededPort{"tcp", 10259, "scheduler"})
	}
	switch backend {
	case "wireguard-native":
		ports = append(ports, neededPort{"udp", 51820, "flannel over WireGuard"})
	case "vxlan", "":
		ports = append(ports, neededPort{"udp", 8472, "flannel VXLAN"})
	}
	return ports
}

func portInUse() rule {
	return rule{
		Rule: Rule{ID: "port-in-use", Severity: Block,
			Meaning: "A port that k3s opens is held by something else: k3s exits with \"address already in use\".",
			Fix:     "stop what holds the port, or move it to another"},
		host: func(c hostCase) []hit {
			if !c.read("ports") || (c.f.K3s.Unit.Running() && c.f.adopted()) {
				return nil // the ports are k3s's own
			}
			var out []hit
			for _, p := range neededPorts(c.host.Role.IsServer(), c.inv.Network.FlannelBackend) {
				l, ok := c.f.listener(p)
				if !ok || strings.HasPrefix(l.Process, "k3s") {
					continue
				}
				holder := "something unknown"
				switch {
				case l.Process != "":
					holder = fmt.Sprintf("%s (process %d)", l.Process, l.PID)
				case p.proto == "udp":
					if c.f.link("flannel.1") != nil || c.f.link("flannel-wg") != nil {
						continue // a tunnel left by an earlier k3s; the kernel holds it
					}
					holder = "the kernel, for a tunnel"
				}
				out = append(out, hit{summary: fmt.Sprintf("port %d/%s, which k3s needs (%s), is in use", p.port, p.proto, p.use),
					evidence: fmt.Sprintf("%s listens on %s port %d", holder, l.Addr, l.Port)})
			}
			return out
		},
	}
}

// listener finds who listens on a port.
func (f *Facts) listener(p neededPort) (Listener, bool) {
	for _, l := range f.Network.Listeners {
		if l.Proto == p.proto && l.Port == p.port {
			return l, true
		}
	}
	return Listener{}, false
}
