package inventory

// What to do instead of setting a flag that gpuboot owns.
const (
	ownToken    = "gpuboot makes the tokens of the cluster and keeps them"
	ownJoin     = "gpuboot decides by role who starts the cluster and who joins it"
	ownReset    = "use gpuboot restore"
	ownConfig   = "gpuboot writes k3s's config.yaml itself"
	ownKube     = "use gpuboot kubeconfig; the file on the host stays readable by root only"
	ownPort     = "gpuboot expects the API on port 6443 of every server"
	ownAddress  = "use nodeIP or interface on the host"
	ownStore    = "gpuboot builds on the embedded etcd of its servers"
	ownPart     = "every server of gpuboot runs all parts of the control plane"
	ownRuntime  = "gpuboot builds on the containerd inside k3s"
	ownName     = "use name on the host"
	ownRootless = "GPUs need k3s to run as root"
)

func clusterFlags() []K3sFlag {
	var b flagBuilder
	b.own("sa", FlagString, ownConfig, "config")
	b.add("sa", FlagBool, "debug", "alsologtostderr", "prefer-bundled-bin", "enable-pprof")
	b.add("sa", FlagInt, "v")
	b.add("sa", FlagString, "vmodule", "log", "data-dir")
	b.own("sa", FlagString, ownToken, "token", "token-file", "cluster-secret")
	b.own("s", FlagString, ownToken, "agent-token", "agent-token-file")
	b.own("sa", FlagString, ownJoin, "server")
	b.own("s", FlagBool, ownJoin, "cluster-init")
	b.own("s", FlagBool, ownReset, "cluster-reset")
	b.own("s", FlagString, ownReset, "cluster-reset-restore-path")
	b.own("s", FlagString, ownKube, "write-kubeconfig", "write-kubeconfig-mode", "write-kubeconfig-group")
	b.add("sc", FlagBool, "secrets-encryption", "supervisor-metrics")
	b.add("sc", FlagString, "secrets-encryption-provider")
	b.own("sa", FlagBool, ownRootless, "rootless")
	return b
}

func networkFlags() []K3sFlag {
	var b flagBuilder
	b.add("sa", FlagString, "bind-address")
	b.own("s", FlagInt, ownPort, "https-listen-port", "supervisor-port", "apiserver-port", "advertise-port")
	b.own("s", FlagString, ownPort, "apiserver-bind-address")
	b.own("s", FlagString, ownAddress, "advertise-address")
	b.own("s", FlagList, "use k3s.tlsSANs", "tls-san")
	b.add("s", FlagBool, "tls-san-security")
	b.own("s", FlagList, "use network.podCIDR", "cluster-cidr")
	b.own("s", FlagList, "use network.serviceCIDR", "service-cidr")
	b.add("s", FlagString, "service-node-port-range", "servicelb-namespace")
	b.add("sc", FlagList, "cluster-dns")
	b.add("sc", FlagString, "cluster-domain", "egress-selector-mode")
	b.own("s", FlagString, "use network.flannelBackend", "flannel-backend")
	b.own("sa", FlagBool, "use network.flannelBackend: none", "no-flannel")
	b.add("sc", FlagBool, "flannel-ipv6-masq", "flannel-ip-masq-disable-random-fully", "flannel-external-ip")
	b.own("sa", FlagString, "use interface on the host", "flannel-iface")
	b.add("sa", FlagString, "flannel-conf", "flannel-cni-conf", "resolv-conf")
	b.own("sa", FlagString, "use interface on the host, with the name of the VPN's interface", "vpn-auth", "vpn-auth-file")
	b.own("sa", FlagList, ownAddress, "node-ip")
	b.add("sa", FlagList, "node-external-ip", "node-internal-dns", "node-external-dns")
	b.add("sa", FlagInt, "lb-server-port")
	b.add("a", FlagBool, "disable-apiserver-lb")
	return b
}

func storeFlags() []K3sFlag {
	var b flagBuilder
	b.own("s", FlagString, ownStore, "datastore-endpoint", "datastore-cafile", "datastore-certfile", "datastore-keyfile")
	b.own("s", FlagBool, ownStore, "kine-tls", "disable-etcd")
	b.add("s", FlagBool, "etcd-expose-metrics", "etcd-disable-snapshots", "etcd-snapshot-compress",
		"etcd-s3", "etcd-s3-skip-ssl-verify", "etcd-s3-insecure")
	b.add("s", FlagString, "etcd-snapshot-name", "etcd-snapshot-schedule-cron", "etcd-snapshot-dir",
		"etcd-s3-endpoint", "etcd-s3-endpoint-ca", "etcd-s3-bucket", "etcd-s3-bucket-lookup-type", "etcd-s3-region",
		"etcd-s3-folder", "etcd-s3-proxy", "etcd-s3-config-secret", "default-local-storage-path")
	b.add("sx", FlagString, "etcd-s3-access-key", "etcd-s3-secret-key", "etcd-s3-session-token")
	b.add("s", FlagInt, "etcd-snapshot-retention", "etcd-s3-retention")
	b.add("s", FlagDuration, "etcd-snapshot-reconcile-interval", "etcd-s3-timeout")
	return b
}

func componentFlags() []K3sFlag {
	var b flagBuilder
	b.add("s", FlagList, "disable", "etcd-arg", "kube-apiserver-arg", "kube-controller-manager-arg", "kube-scheduler-arg",
		"kube-cloud-controller-manager-arg", "helm-controller-arg")
	b.own("s", FlagList, "use kube-controller-manager-arg", "kube-controller-arg")
	b.own("s", FlagList, "use kube-cloud-controller-manager-arg", "kube-cloud-controller-arg")
	b.own("s", FlagList, "use disable", "no-deploy")
	b.add("s", FlagBool, "disable-scheduler", "disable-kube-proxy")
	b.add("sc", FlagBool, "disable-cloud-controller", "disable-network-policy", "disable-helm-controller", "embedded-registry")
	b.own("s", FlagBool, ownPart, "disable-agent", "disable-apiserver", "disable-controller-manager")
	b.add("s", FlagString, "helm-job-image", "system-default-registry")
	return b
}

func nodeFlags() []K3sFlag {
	var b flagBuilder
	b.own("sa", FlagString, ownName, "node-name")
	b.own("sa", FlagBool, ownName, "with-node-id")
	b.own("sa", FlagList, "use labels on the host, its pool or in defaults", "node-label")
	b.own("sa", FlagList, "use taints on the host, its pool or in defaults", "node-taint")
	b.add("sa", FlagBool, "protect-kernel-defaults", "selinux")
	b.own("sa", FlagBool, "use selinux", "disable-selinux")
	b.add("sa", FlagString, "image-credential-provider-bin-dir", "image-credential-provider-config")
	b.add("sa", FlagList, "kubelet-arg", "kube-proxy-arg")
	return b
}

func runtimeFlags() []K3sFlag {
	var b flagBuilder
	b.own("sa", FlagBool, ownRuntime, "docker")
	b.own("sa", FlagString, ownRuntime, "container-runtime-endpoint", "image-service-endpoint")
	b.own("sa", FlagString, "gpuboot sets it once the runtime is on the host; before that k3s would not start", "default-runtime")
	b.own("sa", FlagString, "use k3s.registries", "private-registry")
	b.add("sa", FlagBool, "disable-default-registry-endpoint", "nonroot-devices")
	b.add("sa", FlagString, "pause-image", "snapshotter")
	b.add("sa", FlagList, "airgap-extra-registry")
	return b
}
