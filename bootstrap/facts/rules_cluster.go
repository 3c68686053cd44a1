package facts

import (
	"encoding/json"
	"fmt"
	"strings"
)

func otherCluster() rule {
	return rule{
		Rule: Rule{ID: "other-cluster", Severity: Block,
			Meaning: "gpuboot's journal on the host names another cluster: it would be torn out of that one.",
			Fix:     "run `gpuboot down` with that cluster's inventory, or take the host out of this one"},
		host: func(c hostCase) []hit {
			name := c.f.journal().Cluster
			if name == "" || name == c.inv.Name {
				return nil
			}
			return one("the host belongs to another cluster of gpuboot", fmt.Sprintf("its journal says cluster %q, the inventory %q", name, c.inv.Name))
		},
	}
}

func journalUnreadable() rule {
	return rule{
		Rule: Rule{ID: "journal-unreadable", Severity: Block,
			Meaning: "gpuboot's journal on the host is damaged or not a journal; nothing says what was done to the host.",
			Fix:     "look at /var/lib/gpuboot/journal.json and restore it, or move it away to treat the host as untouched"},
		host: func(c hostCase) []hit {
			if len(c.f.Journal) == 0 {
				return nil
			}
			var j journalFacts
			err := json.Unmarshal(c.f.Journal, &j)
			switch {
			case err != nil:
				return one("gpuboot's journal on the host cannot be read", err.Error())
			case j.Cluster == "":
				return one("gpuboot's journal on the host names no cluster", tail(string(c.f.Journal), 120))
			}
			return nil
		},
	}
}

func k3sForeign() rule {
	return rule{
		Rule: Rule{ID: "k3s-foreign", Severity: Block,
			Meaning: "A k3s that gpuboot did not install runs, or is set up, on the host. gpuboot does not take over clusters it did not make.",
			Fix:     "save what you need, then run its own k3s-uninstall.sh or k3s-agent-uninstall.sh; or take the host out of the inventory"},
		host: func(c hostCase) []hit {
			if c.f.adopted() || c.f.K3s.Role == "" {
				return nil
			}
			h := hit{summary: "k3s (" + c.f.K3s.Role + ") is already set up on the host, and not by gpuboot", evidence: c.k3sEvidence()}
			for _, script := range []string{"/usr/local/bin/k3s-uninstall.sh", "/usr/local/bin/k3s-agent-uninstall.sh"} {
				if _, ok := c.f.Files[script]; ok {
					h.fix = "to remove it: " + script + " (deletes its cluster's data on this host); to keep it: take the host out of the inventory"
				}
			}
			return []hit{h}
		},
	}
}

func (c hostCase) k3sEvidence() string {
	u := c.f.K3s.Unit
	parts := []string{u.Name + " " + strings.TrimSpace(u.Active+" "+u.Sub)}
	if c.f.K3s.Version != "" {
		parts = append(parts, "version "+c.f.K3s.Version)
	}
	if s := c.f.K3s.Config["server"]; s != "" {
		parts = append(parts, "joined to "+s)
	}
	return strings.Join(append(parts, "no gpuboot journal"), ", ")
}

func k3sData() rule {
	return rule{
		Rule: Rule{ID: "k3s-data-left", Severity: Block,
			Meaning: "Data of an earlier k3s: a server would start the old cluster again, or refuse the new token (blocks); an agent may keep the old cluster's certificates (warns).",
			Fix:     "save what you need, then: mv /var/lib/rancher/k3s /var/lib/rancher/k3s.old"},
		host: func(c hostCase) []hit {
			if c.f.adopted() || c.f.K3s.Role != "" {
				return nil
			}
			db, agent := c.f.left("/var/lib/rancher/k3s/server/db"), c.f.left("/var/lib/rancher/k3s/agent")
			switch {
			case db && c.host.Role.IsServer():
				return one("the database of an earlier k3s server is still there", "/var/lib/rancher/k3s/server/db exists, no gpuboot journal")
			case db || agent:
				return []hit{{severity: Warn, summary: "data of an earlier k3s is still there", evidence: "/var/lib/rancher/k3s exists, no gpuboot journal"}}
			}
			return nil
		},
	}
}

// left says whether a trace was found.
func (f *Facts) left(trace string) bool {
	for _, l := range f.K3s.Leftovers {
		if l == trace {
			return true
		}
	}
	return false
}

func k3sCrashLoop() rule {
	return rule{
		Rule: Rule{ID: "k3s-crash-loop", Severity: Warn,
			Meaning: "systemd starts k3s again and again: it exits at once with an error in its journal.",
			Fix:     "journalctl -u k3s -u k3s-agent -n 50 --no-pager"},
		host: func(c hostCase) []hit {
			u := c.f.K3s.Unit
			if u.Restarts < 3 || u.Active == "active" {
				return nil
			}
			return one("k3s does not stay up", fmt.Sprintf("%s is %s (%s), restarted %d times", u.Name, u.Active, u.Sub, u.Restarts))
		},
	}
}

// others are Kubernetes distributions by their units and the traces they leave.
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
