package facts

import (
	"fmt"
	"slices"
	"strings"
)

func archUnsupported() rule {
	return rule{
		Rule: Rule{ID: "arch-unsupported", Severity: Block,
			Meaning: "gpuboot installs k3s for amd64 and arm64.",
			Fix:     "take the host out of the inventory"},
		host: func(c hostCase) []hit {
			if c.f.Arch == "amd64" || c.f.Arch == "arm64" || c.f.Arch == "" {
				return nil
			}
			return one("there is no k3s for this host's processor", "architecture "+c.f.Arch)
		},
	}
}

func archMixed() rule {
	return rule{
		Rule: Rule{ID: "arch-mixed", Severity: Info,
			Meaning: "A cluster of two architectures works, but every image needs both.",
			Fix:     "build images for linux/amd64 and linux/arm64, or use nodeSelector kubernetes.io/arch"},
		all: func(s *scene) []hit {
			by := map[string][]string{}
			for _, c := range s.hosts {
				if c.f.Arch != "" {
					by[c.f.Arch] = append(by[c.f.Arch], c.host.Name)
				}
			}
			if len(by) < 2 {
				return nil
			}
			return []hit{{summary: "the hosts have different architectures: images must support each", evidence: groups(by)}}
		},
	}
}

// groups writes "value: host, host; value: host", sorted.
func groups(by map[string][]string) string {
	var out []string
	for value, hosts := range by {
		out = append(out, value+": "+some(hosts))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// some names up to five hosts, then counts.
func some(names []string) string {
	if len(names) <= 5 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:5], ", "), len(names)-5)
}

func osUnknown() rule {
	return rule{
		Rule: Rule{ID: "os-unknown", Severity: Warn,
			Meaning: "k3s itself runs on nearly any systemd Linux, but drivers and the GPU operator only on known ones. Info on hosts without GPUs.",
			Fix:     "use Ubuntu 22.04 or 24.04, or RHEL or Rocky 8, 9 or 10"},
		host: func(c hostCase) []hit {
			if !c.read("os") || knownOS(c.f.OS) {
				return nil
			}
			h := hit{severity: Info, summary: "this distribution is not one that gpuboot knows",
				evidence: fmt.Sprintf("ID=%s VERSION_ID=%s ID_LIKE=%s", c.f.OS.ID, c.f.OS.VersionID, strings.Join(c.f.OS.IDLike, " "))}
			if c.promised() || len(c.f.GPUs) > 0 {
				h.severity = Warn
			}
			return []hit{h}
		},
	}
}

// knownOS goes by the families that packages and unit paths are alike in.
func knownOS(o OS) bool {
	return slices.ContainsFunc([]string{"debian", "ubuntu", "rhel", "fedora", "centos", "amzn", "ol", "suse", "sles",
		"opensuse", "arch", "azurelinux", "mariner", "flatcar"}, o.Like)
}

func kernelTooOld() rule {
	return rule{
		Rule: Rule{ID: "kernel-too-old", Severity: Block,
			Meaning: "5.4 is the oldest kernel that Kubernetes' own node check accepts (k8s.io/system-validators 1.12.1); 4.18 of RHEL 8 carries many later fixes and gives a warning; older ones block.",
			Fix:     "upgrade the kernel or the distribution and reboot"},
		host: func(c hostCase) []hit {
			major, minor, ok := kernelVersion(c.f.Kernel)
			switch {
			case !ok || major > 5 || (major == 5 && minor >= 4):
				return nil
			case major == 5 || (major == 4 && minor >= 18):
				return []hit{{severity: Warn, summary: "the kernel is older than Kubernetes is tested with", evidence: c.f.Kernel}}
			}
			return one("the kernel is too old for today's containerd and Kubernetes", c.f.Kernel)
		},
	}
}

// kernelVersion reads the first two numbers of a kernel release.
func kernelVersion(release string) (major, minor int, ok bool) {
	first, rest, found := strings.Cut(release, ".")
	major, ok = atoi(first)
	return major, leadingInt(rest), ok && found && rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

func kernelModules() rule {
	return rule{
		Rule: Rule{ID: "kernel-module-missing", Severity: Warn,
			Meaning: "k3s needs overlay for images, br_netfilter for services, and the module of the chosen flannel backend.",
			Fix:     "install the package with the kernel's extra modules (linux-modules-extra-$(uname -r), kernel-modules-core), or use another kernel"},
		host: func(c hostCase) []hit {
			if !c.read("modfiles") {
				return nil
			}
			want := []string{"overlay", "br_netfilter"}
			if c.f.Modules.Folder { // else nothing says what is built in
				switch c.inv.Network.FlannelBackend {
				case "vxlan", "":
					want = append(want, "vxlan")
				case "wireguard-native":
					want = append(want, "wireguard")
				}
			}
			missing := slices.DeleteFunc(want, c.f.Modules.Has)
			if len(missing) == 0 {
				return nil
			}
			return one("the running kernel lacks modules that the cluster needs: "+strings.Join(missing, ", "),
				fmt.Sprintf("kernel %s has them neither built in nor in /lib/modules", c.f.Kernel))
		},
	}
}

func modulesGone() rule {
	return rule{
		Rule: Rule{ID: "kernel-modules-gone", Severity: Warn,
			Meaning: "After a kernel upgrade the modules of the running kernel may be deleted: none can be loaded until a reboot.",
			Fix:     "reboot"},
		host: func(c hostCase) []hit {
			m := c.f.Modules
			if m.Folder || len(m.Kernels) == 0 || c.f.Container {
				return nil
			}
			return one("the modules of the running kernel are gone from the disk; a reboot is due",
				fmt.Sprintf("running %s, on disk: %s", c.f.Kernel, some(m.Kernels)))
		},
	}
}
