package facts

import (
	"fmt"
	"strings"
)

// distribution is a Kubernetes by its units and the traces it leaves.
type distribution struct {
	name   string
	units  []string
	traces []string
}

func distributions() []distribution {
	return []distribution{
		{"kubeadm or another kubelet", []string{"kubelet.service"},
			[]string{"/etc/kubernetes/manifests", "/etc/kubernetes/kubelet.conf", "/etc/kubernetes/admin.conf", "/var/lib/kubelet/config.yaml"}},
		{"RKE2", []string{"rke2-server.service", "rke2-agent.service"}, []string{"/var/lib/rancher/rke2", "/etc/rancher/rke2"}},
		{"k0s", []string{"k0scontroller.service", "k0sworker.service"}, []string{"/var/lib/k0s", "/etc/k0s"}},
		{"MicroK8s", []string{"snap.microk8s.daemon-kubelite.service"}, []string{"/var/snap/microk8s"}},
	}
}

func otherKubernetes() rule {
	return rule{
		Rule: Rule{ID: "other-kubernetes", Severity: Block,
			Meaning: "Another Kubernetes runs on the host: two kubelets fight over ports, cgroups and firewall rules.",
			Fix:     "drain and remove it with its own tool (kubeadm reset, rke2-uninstall.sh, k0s reset, snap remove microk8s), or take the host out of the inventory"},
		host: func(c hostCase) []hit {
			var seen []string
			for _, d := range distributions() {
				for _, name := range d.units {
					if u := c.f.Units[name]; u.Running() {
						seen = append(seen, fmt.Sprintf("%s (%s is %s)", d.name, name, u.Active))
					}
				}
			}
			// k3s runs the kubelet inside its own process, so this is another.
			if pids := c.f.Running("kubelet"); len(seen) == 0 && len(pids) > 0 && !c.f.K3s.Unit.Running() {
				seen = append(seen, fmt.Sprintf("a kubelet (process %d)", pids[0]))
			}
			if len(seen) == 0 {
				return nil
			}
			return one("another Kubernetes is running on the host", strings.Join(seen, ", "))
		},
	}
}

func clusterLeftovers() rule {
	return rule{
		Rule: Rule{ID: "cluster-leftovers", Severity: Warn,
			Meaning: "Traces of another Kubernetes that does not run: its firewall rules, network configuration or volumes may disturb the new one.",
			Fix:     "remove them with that distribution's own tool, then reboot to clear links and firewall rules"},
		host: func(c hostCase) []hit {
			var seen []string
			for _, d := range distributions() {
				for _, t := range d.traces {
					// k3s itself keeps the kubelet's folder, but no file of this name in it.
					if c.f.left(t) {
						seen = append(seen, t)
					}
				}
			}
			if !c.f.adopted() && c.f.K3s.Role == "" {
				for _, l := range c.f.K3s.Leftovers {
					if name, ok := strings.CutPrefix(l, "link "); ok && name != "docker0" {
						seen = append(seen, l)
					}
				}
			}
			if len(seen) == 0 {
				return nil
			}
			return one("traces of another Kubernetes are on the host", strings.Join(seen, ", "))
		},
	}
}

func dockerPresent() rule {
	return rule{
		Rule: Rule{ID: "docker-present", Severity: Info,
			Meaning: "Docker beside k3s works, but has images and a containerd of its own: what docker pulls k3s does not see, and tools may ask the wrong containerd.",
			Fix:     "nothing; or stop it: systemctl disable --now docker containerd"},
		host: func(c hostCase) []hit {
			if c.f.Units["docker.service"].Running() || len(c.f.Running("dockerd")) > 0 || c.f.left("/run/docker.sock") {
				return one("Docker runs on the host; k3s uses its own containerd beside it", "docker.service is "+c.f.Units["docker.service"].Active)
			}
			return nil
		},
	}
}

func dockerSnap() rule {
	return rule{
		Rule: Rule{ID: "docker-snap", Severity: Warn,
			Meaning: "k3s does not support a Docker installed as a snap: its confinement gets into the way of containers.",
			Fix:     "snap remove docker"},
		host: func(c hostCase) []hit {
			if !c.f.left("/snap/docker") {
				return nil
			}
			return one("Docker is installed as a snap, which k3s does not support", "/snap/docker exists")
		},
	}
}
