package facts

import "strings"

// readVirt collects the signs of a container; deriveContainer judges them.
func readVirt(f *Facts, s section) error {
	for _, p := range pairs(s.body) {
		switch p.key {
		case "detect":
			f.Virt = parseDetectVirt(p.value)
		case "kmsg":
			f.Isolation.Kmsg = true
		case "cgroup1":
			if engine := cgroupEngine(p.value); engine != "" {
				f.Isolation.Signs = append(f.Isolation.Signs, "cgroup="+engine)
			}
		case "environ_name":
			f.Isolation.Signs = append(f.Isolation.Signs, "environment="+p.value)
		default:
			f.Isolation.Signs = append(f.Isolation.Signs, p.key+"="+p.value)
		}
	}
	return nil
}

// parseDetectVirt takes the one word of systemd-detect-virt, and nothing that
// looks like an error text.
func parseDetectVirt(s string) string {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, " :\n\t") {
		return ""
	}
	return s
}

// containerWord says whether a word of systemd-detect-virt means a container.
func containerWord(virt string) bool {
	switch virt {
	case "container-other", "docker", "lxc", "lxc-libvirt", "openvz", "podman", "pouch", "proot", "rkt",
		"systemd-nspawn", "wsl":
		return true
	}
	return false
}

// cgroupEngine names what put process 1 into its control group, by a line of
// /proc/1/cgroup: "" for what a host's own init shows.
func cgroupEngine(line string) string {
	_, rest, _ := strings.Cut(line, ":")
	_, path, _ := strings.Cut(rest, ":")
	for _, engine := range []string{"docker", "kubepods", "libpod", "lxc", "containerd", "garden", "machine"} {
		if strings.HasPrefix(path, "/"+engine) {
			return engine
		}
	}
	return ""
}

// deriveContainer decides from all signs. A root file system of a container
// engine alone does not tell: image-based hosts have overlays too.
func (f *Facts) deriveContainer() {
	f.Container = containerWord(f.Virt)
	for _, sign := range f.Isolation.Signs {
		key, value, _ := strings.Cut(sign, "=")
		switch key {
		case "dockerenv", "containerenv", "systemd_container", "environ_container", "environment":
			f.Container = true
		case "cgroup":
			f.Container = f.Container || value != "machine"
		}
	}
	if f.Virt == "" && f.Container {
		f.Virt = f.guessContainer()
	}
	if f.Virt == "" {
		f.unknown("virt.detect", "systemd-detect-virt is not there, and nothing else tells")
	}
}

func (f *Facts) guessContainer() string {
	for _, sign := range f.Isolation.Signs {
		key, value, _ := strings.Cut(sign, "=")
		switch key {
		case "dockerenv":
			return "docker"
		case "containerenv":
			return "podman"
		case "systemd_container", "environ_container":
			return value
		}
	}
	return "container-other"
}
