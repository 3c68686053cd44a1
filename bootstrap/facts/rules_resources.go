package facts

import "fmt"

// What k3s itself takes, by its own measurements (docs.k3s.io, resource
// profiling: server with embedded etcd 1606 MB, agent 275 MB).
const (
	serverMemory = 1606 * 1000 * 1000
	agentMemory  = 275 * 1000 * 1000
)

func memoryLow() rule {
	return rule{
		Rule: Rule{ID: "memory-low", Severity: Block,
			Meaning: "k3s measured 1606 MB for a server with etcd and 275 MB for an agent. Less gives a warning, less than half of it blocks.",
			Fix:     "use a host with more memory"},
		host: func(c hostCase) []hit {
			need := int64(agentMemory)
			if c.host.Role.IsServer() {
				need = serverMemory
			}
			have := c.f.MemoryBytes
			if have >= need || have == 0 {
				return nil
			}
			h := hit{severity: Warn, summary: fmt.Sprintf("the host has less memory than k3s takes in this role (%s)", humanSize(need)),
				evidence: "MemTotal " + humanSize(have)}
			if have < need/2 {
				h.severity = Block
			}
			return []hit{h}
		},
	}
}

func cpuLow() rule {
	return rule{
		Rule: Rule{ID: "cpu-low", Severity: Warn,
			Meaning: "A server runs etcd, the API server and controllers beside the kubelet; k3s asks for two cores.",
			Fix:     "use a host with two or more cores as a server"},
		host: func(c hostCase) []hit {
			if c.f.CPUs != 1 || !c.host.Role.IsServer() {
				return nil
			}
			return one("a server with a single core: etcd may miss its heartbeats", "1 CPU online")
		},
	}
}

func swapActive() rule {
	return rule{
		Rule: Rule{ID: "swap-active", Severity: Info,
			Meaning: "k3s starts with swap on, but pods do not use it, and memory limits become less exact.",
			Fix:     "swapoff -a, and take swap out of /etc/fstab"},
		host: func(c hostCase) []hit {
			if c.f.SwapBytes == 0 {
				return nil
			}
			return one("swap is switched on; pods will not use it", humanSize(c.f.SwapBytes)+" of swap")
		},
	}
}

// Below these, nodes with many pods run out of watches: each kubelet, log
// reader and controller takes some.
const (
	inotifyInstances = 512
	inotifyWatches   = 65536
)

func inotifyLow() rule {
	return rule{
		Rule: Rule{ID: "inotify-low", Severity: Info,
			Meaning: "With few inotify instances or watches, log readers and operators fail with \"too many open files\".",
			Fix:     "sysctl -w fs.inotify.max_user_instances=1024 fs.inotify.max_user_watches=524288, and put both into /etc/sysctl.d"},
		host: func(c hostCase) []hit {
			l := c.f.Limits
			if (l.InotifyInstances == 0 || l.InotifyInstances >= inotifyInstances) &&
				(l.InotifyWatches == 0 || l.InotifyWatches >= inotifyWatches) {
				return nil
			}
			return one("the inotify limits are low for a node with many pods",
				fmt.Sprintf("max_user_instances=%d max_user_watches=%d", l.InotifyInstances, l.InotifyWatches))
		},
	}
}
