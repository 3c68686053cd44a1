package facts

import "fmt"

func packageLock() rule {
	return rule{
		Rule: Rule{ID: "package-lock", Severity: Info,
			Meaning: "A package manager is at work. gpuboot installs no packages; but an upgrade of the NVIDIA driver under it would break the GPUs until a reboot.",
			Fix:     "wait for it to end"},
		host: func(c hostCase) []hit {
			if len(c.f.Packages.Locks) == 0 {
				return nil
			}
			l := c.f.Packages.Locks[0]
			return one("a package manager is at work on the host; gpuboot does not need it", fmt.Sprintf("%s is held by %s (process %d)", l.Path, l.Name, l.PID))
		},
	}
}

func rebootPending() rule {
	return rule{
		Rule: Rule{ID: "reboot-pending", Severity: Warn,
			Meaning: "An upgrade waits for a reboot. Better before the cluster runs than under it; a new kernel may also lack the NVIDIA module.",
			Fix:     "reboot"},
		host: func(c hostCase) []hit {
			if !c.f.Packages.RebootRequired {
				return nil
			}
			return one("an upgrade of the host waits for a reboot", "/run/reboot-required: "+some(c.f.Packages.RebootFor))
		},
	}
}

func cloudInitRunning() rule {
	return rule{
		Rule: Rule{ID: "cloud-init-running", Severity: Warn,
			Meaning: "cloud-init still sets the host up: packages, users, network and even a reboot may come.",
			Fix:     "cloud-init status --wait"},
		host: func(c hostCase) []hit {
			if c.f.Packages.CloudInit != "running" {
				return nil
			}
			return one("cloud-init has not finished on the host", "/run/cloud-init/result.json does not exist yet")
		},
	}
}

func selinuxEnforcing() rule {
	return rule{
		Rule: Rule{ID: "selinux-enforcing", Severity: Warn,
			Meaning: "SELinux enforces its policy. Without the k3s-selinux policy containers are denied what they need; with it this is only worth knowing.",
			Fix:     "install the package k3s-selinux (it brings container-selinux), and set k3sConfig: {selinux: true}"},
		host: func(c hostCase) []hit {
			if c.f.Security.SELinux != "enforcing" {
				return nil
			}
			if c.f.Security.K3sPolicy {
				return []hit{{severity: Info, summary: "SELinux is enforcing, with the policy for k3s installed",
					evidence: "k3s.pp is installed", fix: "k3sConfig: {selinux: true}"}}
			}
			return one("SELinux is enforcing and has no policy for k3s", "/sys/fs/selinux/enforce is 1, k3s.pp is not installed")
		},
	}
}
