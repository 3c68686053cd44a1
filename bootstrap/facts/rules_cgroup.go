package facts

import (
	"fmt"
	"slices"
	"strings"
)

// cgroupV2Minor is the first Kubernetes minor whose kubelet refuses cgroup v1 by
// default (failCgroupV1, KEP-4569).
const cgroupV2Minor = 35

func cgroupV1() rule {
	return rule{
		Rule: Rule{ID: "cgroup-v1", Severity: Block,
			Meaning: "Since Kubernetes 1.35 the kubelet refuses to start on cgroup v1, and k3s then restarts for ever. A warning where the refusal is switched off, info for older releases.",
			Fix: "boot with cgroup v2 (kernel parameter systemd.unified_cgroup_hierarchy=1, then reboot); or k3s.version: a v1.34 release; " +
				"or k3sConfig: {kubelet-arg: [fail-cgroupv1=false]}"},
		host: func(c hostCase) []hit {
			if c.f.CgroupVersion != 1 {
				return nil
			}
			evidence := "/sys/fs/cgroup is not cgroup2"
			switch {
			case c.minor < cgroupV2Minor:
				return []hit{{severity: Info, evidence: evidence,
					summary: fmt.Sprintf("the host uses cgroup v1: Kubernetes 1.%d still takes it, 1.%d will not", c.minor, cgroupV2Minor)}}
			case c.option("kubelet-arg", "fail-cgroupv1=false"):
				return []hit{{severity: Warn, summary: "the host uses cgroup v1, which the inventory allows by fail-cgroupv1=false", evidence: evidence}}
			}
			return one("the host uses cgroup v1, with which the kubelet of this k3s refuses to start", evidence)
		},
	}
}

func cgroupController() rule {
	return rule{
		Rule: Rule{ID: "cgroup-controller-missing", Severity: Block,
			Meaning: "k3s needs the controllers memory and pids, and with cgroup v2 also cpu and cpuset; without them it exits at start.",
			Fix:     "add cgroup_enable=memory cgroup_memory=1 to the kernel command line and reboot; in a container, let the machine beneath delegate the controller"},
		host: func(c hostCase) []hit {
			if c.f.CgroupVersion == 0 || !c.read("cgroup", "cgroup.controllers") {
				return nil
			}
			want := []string{"memory", "pids"}
			if c.f.CgroupVersion == 2 {
				want = []string{"cpu", "cpuset", "memory", "pids"}
			}
			missing := slices.DeleteFunc(want, func(n string) bool { return slices.Contains(c.f.CgroupControllers, n) })
			if len(missing) == 0 {
				return nil
			}
			return one("cgroup controllers that k3s needs are missing: "+strings.Join(missing, ", "),
				fmt.Sprintf("cgroup v%d has: %s", c.f.CgroupVersion, strings.Join(c.f.CgroupControllers, " ")))
		},
	}
}
