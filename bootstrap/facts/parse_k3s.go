package facts

import (
	"errors"
	"path"
	"slices"
	"strings"
)

func readK3sVersion(f *Facts, s section) error {
	if strings.TrimSpace(s.body) == "" {
		return nil // no executable
	}
	v, err := parseK3sVersion(s.body)
	f.K3s.Version = v
	return err
}

// parseK3sVersion reads "k3s version v1.34.4+k3s1 (c7b3e1a2)".
func parseK3sVersion(text string) (string, error) {
	for _, line := range lines(text) {
		if rest, ok := strings.CutPrefix(line, "k3s version "); ok {
			version, _, _ := strings.Cut(rest, " ")
			return version, nil
		}
	}
	return "", errors.New("k3s --version says: " + evidence(text))
}

// readK3sConfig reads single lines of config.yaml; a later file wins.
func readK3sConfig(f *Facts, s section) error {
	f.K3s.Config = map[string]string{}
	for _, line := range lines(s.body) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		value, _, _ = strings.Cut(value, " #")
		f.K3s.Config[strings.TrimSuffix(key, "+")] = strings.Trim(strings.TrimSpace(value), `"'`)
	}
	return nil
}

func readJournal(f *Facts, s section) error {
	f.Journal = []byte(s.body)
	return nil
}

// readDirs reads the paths that exist of those the probe asked for.
func readDirs(f *Facts, s section) error {
	for _, p := range lines(s.body) {
		switch p {
		case "/run/cloud-init":
			f.Packages.CloudInit = "running"
		case "/run/cloud-init/result.json":
			f.Packages.CloudInit = "done"
		case "/run/ostree-booted":
			f.OS.Ostree = true
		default:
			f.K3s.Leftovers = append(f.K3s.Leftovers, p)
		}
	}
	return nil
}

// readProcesses reads grep -H over /proc/*/comm: "/proc/812/comm:k3s-server".
func readProcesses(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		file, name, ok := strings.Cut(line, ":")
		pid, isPID := atoi(path.Base(path.Dir(file)))
		if ok && isPID {
			f.Processes = append(f.Processes, Process{PID: pid, Name: name})
		}
	}
	slices.SortFunc(f.Processes, func(a, b Process) int { return a.PID - b.PID })
	return nil
}

// Running gives the process ids of a program.
func (f *Facts) Running(name string) []int {
	var out []int
	for _, p := range f.Processes {
		if p.Name == name {
			out = append(out, p.PID)
		}
	}
	return out
}

// deriveK3s puts together what units, processes and links say about k3s and
// other clusters.
func (f *Facts) deriveK3s() {
	k := &f.K3s
	for _, u := range []struct{ unit, role string }{{"k3s.service", "server"}, {"k3s-agent.service", "agent"}} {
		unit, ok := f.Units[u.unit]
		if !ok {
			if _, ok = f.Files["/etc/systemd/system/"+u.unit]; !ok {
				continue
			}
			unit = Unit{Name: u.unit}
		}
		// Where both exist, the one that runs is meant.
		if k.Role == "" || (unit.Running() && !k.Unit.Running()) {
			k.Role, k.Unit = u.role, unit
		}
	}
	for _, p := range f.Processes {
		k.Processes = k.Processes || strings.HasPrefix(p.Name, "k3s")
	}
	for _, l := range f.Links {
		if clusterLink(l.Name) {
			k.Leftovers = append(k.Leftovers, "link "+l.Name)
		}
	}
	if k.PodMounts > 0 {
		k.Leftovers = append(k.Leftovers, "mounts of pods")
	}
	slices.Sort(k.Leftovers)
	for _, l := range k.Leftovers {
		if ownTrace(l) {
			k.Own = append(k.Own, l)
		}
	}
}

// ownTrace says whether k3s leaves a trace, and not only other engines.
func ownTrace(trace string) bool {
	switch trace {
	case "link cni0", "link flannel.1", "link flannel-v6.1", "link flannel-wg", "link kube-ipvs0", "mounts of pods",
		"/etc/rancher/k3s", "/run/k3s", "/run/flannel", "/var/lib/kubelet", "/var/lib/cni":
		return true
	}
	return within(trace, "/var/lib/rancher/k3s")
}

// clusterLink says whether container networks make links of this name.
func clusterLink(name string) bool {
	switch name {
	case "cni0", "flannel.1", "flannel-v6.1", "flannel-wg", "kube-ipvs0", "nodelocaldns", "kube-bridge", "docker0",
		"vxlan.calico", "tunl0", "weave", "cilium_host", "cilium_net", "cilium_vxlan":
		return true
	}
	return false
}
