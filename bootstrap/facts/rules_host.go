package facts

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func notRoot() rule {
	return rule{
		Rule: Rule{ID: "not-root", Severity: Block,
			Meaning: "gpuboot needs root, by login or sudo, to install k3s; without it most facts are missing too.",
			Fix:     "log in as root, or give the user sudo (and sudoPassword in the inventory if it asks for one)"},
		host: func(c hostCase) []hit {
			if c.f.User <= 0 {
				return nil
			}
			return one("the probe did not run as root", fmt.Sprintf("it ran as user id %d", c.f.User))
		},
	}
}

// vitalSections are those without which a wrong decision could be taken.
const vitalSections = " self host os systemd units cgroup mounts df addr files dirs procs ports "

func factsIncomplete() rule {
	return rule{
		Rule: Rule{ID: "facts-incomplete", Severity: Warn,
			Meaning: "Something could not be read on the host; rules that need it stay silent. Info where it matters little.",
			Fix:     "run the command shown as evidence on the host and see why it fails"},
		host: func(c hostCase) []hit {
			if len(c.f.Unknown) == 0 {
				return nil
			}
			h := hit{severity: Info}
			var names, parts []string
			for _, name := range slices.Sorted(maps.Keys(c.f.Unknown)) {
				names = append(names, name)
				parts = append(parts, name+": "+tail(c.f.Unknown[name], 120))
				if strings.Contains(vitalSections, " "+name+" ") {
					h.severity = Warn
				}
			}
			h.summary = "not everything could be read on the host: " + strings.Join(names, ", ")
			h.evidence = strings.Join(parts, "; ")
			return []hit{h}
		},
	}
}

func noSystemd() rule {
	return rule{
		Rule: Rule{ID: "no-systemd", Severity: Block,
			Meaning: "k3s is run by a systemd unit; rented containers and some images have no systemd.",
			Fix:     "rent a virtual machine or bare metal with a systemd distribution"},
		host: func(c hostCase) []hit {
			if c.f.Systemd.Running || !c.read("systemd") {
				return nil
			}
			summary := "the host does not run systemd, so k3s cannot be kept running"
			if c.f.Container {
				summary = "this is a container without systemd and without a kernel of its own: no cluster can run in it"
			}
			return one(summary, fmt.Sprintf("process 1 is %q, /run/systemd/system is missing%s", c.f.Systemd.PID1, c.signs()))
		},
	}
}

// signs lists the signs of a container as an appendix to evidence.
func (c hostCase) signs() string {
	if len(c.f.Isolation.Signs) == 0 {
		return ""
	}
	return ", " + strings.Join(c.f.Isolation.Signs, ", ")
}

func systemdStarting() rule {
	return rule{
		Rule: Rule{ID: "systemd-not-up", Severity: Warn,
			Meaning: "systemd is still starting, or in its rescue mode: services may come and go under gpuboot.",
			Fix:     "systemctl is-system-running --wait"},
		host: func(c hostCase) []hit {
			switch c.f.Systemd.State {
			case "initializing", "starting", "maintenance", "stopping":
				return one("systemd is not up: "+c.f.Systemd.State, "SystemState="+c.f.Systemd.State)
			}
			return nil
		},
	}
}

func unprivilegedContainer() rule {
	return rule{
		Rule: Rule{ID: "unprivileged-container", Severity: Block,
			Meaning: "A container without CAP_SYS_ADMIN and CAP_NET_ADMIN, or in a user namespace, cannot mount or set up networks, which containerd and the kubelet must.",
			Fix:     "rent a virtual machine or bare metal, or let the provider make the container privileged"},
		host: func(c hostCase) []hit {
			if !c.f.Container || c.f.Isolation.Privileged || c.f.User != 0 || !c.read("self") {
				return nil
			}
			why := "it lacks capabilities"
			if c.f.Isolation.UserNamespace {
				why = "root in it is not root of the machine (user namespace)"
			}
			return one("this is an unprivileged container: Kubernetes cannot run in it", why+": "+c.f.Virt+c.signs())
		},
	}
}

func privilegedContainer() rule {
	return rule{
		Rule: Rule{ID: "privileged-container", Severity: Warn,
			Meaning: "A privileged container can run k3s, but shares its kernel, its modules and its limits with others.",
			Fix:     "prefer a virtual machine or bare metal; kernel modules and sysctls must be set on the machine beneath"},
		host: func(c hostCase) []hit {
			if !c.f.Container || !c.f.Isolation.Privileged || !c.f.Systemd.Running {
				return nil
			}
			return one("the host is a privileged container: its kernel is not its own", c.f.Virt+c.signs())
		},
	}
}

func kmsgMissing() rule {
	return rule{
		Rule: Rule{ID: "kmsg-missing", Severity: Block,
			Meaning: "The kubelet reads /dev/kmsg to see processes killed for memory, and exits without it.",
			Fix:     "pass /dev/kmsg into the container"},
		host: func(c hostCase) []hit {
			if c.f.Isolation.Kmsg || !c.read("virt") {
				return nil
			}
			return one("/dev/kmsg is missing: the kubelet exits", "no /dev/kmsg, virtualisation "+c.f.Virt)
		},
	}
}
