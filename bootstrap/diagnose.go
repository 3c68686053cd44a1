package bootstrap

import "strings"

// k3sFailure is a line in k3s's log that has a known cause.
type k3sFailure struct {
	text string // part of the line, as k3s prints it
	// cause and hint are for people: what is wrong, and what to type.
	cause, hint string
	// permanent says that k3s never recovers by itself: it loops.
	permanent bool
	// wipe says that the server's directory holds a first start that died, and
	// nothing else.
	wipe bool
}

// Error is the cause.
func (f *k3sFailure) Error() string { return f.cause }

// diagnose finds the failure that a line of k3s's log stands for.
func diagnose(line string) *k3sFailure {
	for _, f := range k3sFailures() {
		if strings.Contains(line, f.text) {
			return &f
		}
	}
	return nil
}

// k3sFailures are the lines that k3s 1.34 to 1.36 prints and what they mean, as
// observed on running clusters.
func k3sFailures() []k3sFailure {
	return []k3sFailure{
		{text: "no bootstrap data found in datastore", cause: "an earlier first start died before it saved the cluster's keys", hint: "gpuboot up again clears it if no cluster ever answered", permanent: true, wipe: true},
		{text: "bootstrap data already found and encrypted with different token", cause: "the datastore was made with another token", hint: "put the old token back into " + tokenPath + ", or begin anew: gpuboot down, then gpuboot up", permanent: true},
		{text: "failed to bootstrap cluster data: not authorized", cause: "the cluster refuses this server's token", hint: "gpuboot up writes the cluster's present token; if it was rotated by hand, run it once more", permanent: true},
		{text: "failed to bootstrap cluster data: forbidden", cause: "a bootstrap token cannot join a server", hint: "run gpuboot up: it writes the server token", permanent: true},
		{text: "critical configuration value mismatch between servers", cause: "this server's cluster-wide settings differ from the other servers'", hint: "CIDRs, flannel-backend, disable and secrets-encryption must be the same on all servers: set them under k3s.config, not on one host", permanent: true},
		{text: "Node password rejected", cause: "the cluster knows another machine under this node name", hint: "if the host was re-imaged, delete its old node: kubectl delete node NAME; if two hosts share a name, rename one in the inventory"},
		{text: "token CA hash does not match the Cluster CA certificate hash", cause: "the token pins another cluster's CA: the server was made anew", hint: "gpuboot down --limit this host, then gpuboot up", permanent: true},
		{text: "invalid token CA hash length", cause: "the token file is malformed", hint: "gpuboot up writes it anew", permanent: true},
		{text: "failed to retrieve configuration from server: not authorized", cause: "the server refuses this agent's token", hint: "gpuboot up writes the cluster's present token", permanent: true},
		{text: "flag provided but not defined", cause: "the configuration names an option that this k3s does not have in this role", hint: "take it out of the inventory's k3s config for this host", permanent: true},
		{text: "kubelet is configured to not run on a host using cgroup v1", cause: "this kubelet refuses cgroup v1", hint: "boot with systemd.unified_cgroup_hierarchy=1, use a k3s before 1.35, or set kubelet-arg: [fail-cgroupv1=false]", permanent: true},
		{text: "failed to find memory cgroup", cause: "the kernel has no memory cgroup", hint: "add cgroup_enable=memory to the kernel's command line and reboot", permanent: true},
		{text: "default runtime nvidia was not found", cause: "default-runtime is nvidia, but the NVIDIA container runtime is not on this host", hint: "take default-runtime out of the inventory until the toolkit is installed", permanent: true},
		{text: "bind: address already in use", cause: "another process listens on a port that k3s needs", hint: "see who: ss -ltnp"},
		{text: "failed to get CA certs", cause: "the agent does not reach the server", hint: "open 6443/tcp to the servers"},
		{text: "no space left on device", cause: "a disk of the host is full", hint: "free space, or move k3s with k3sConfig data-dir"},
	}
}
