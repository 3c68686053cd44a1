package config

import "slices"

// control holds the options that only a server has, the datastore's aside.
func control() []Flag {
	return []Flag{
		number("https-listen-port", "6443"),
		number("supervisor-port", "0").inert(),
		boolean("supervisor-metrics").inert(),
		str("advertise-address", ""),
		number("advertise-port", "0").inert(),
		slice("tls-san"),
		{Name: "tls-san-security", Kind: Bool, Default: "true", Inert: true},
		dataDir(),
		slice("cluster-cidr"),
		slice("service-cidr"),
		str("service-node-port-range", "30000-32767"),
		slice("cluster-dns"),
		str("cluster-domain", "cluster.local"),
		str("flannel-backend", "vxlan"),
		boolean("flannel-ipv6-masq").inert(),
		boolean("flannel-external-ip"),
		str("egress-selector-mode", "agent").inert(),
		str("servicelb-namespace", "kube-system").inert(),
		str("write-kubeconfig", "", "o").env("K3S_KUBECONFIG_OUTPUT"),
		str("write-kubeconfig-mode", "").env("K3S_KUBECONFIG_MODE"),
		str("write-kubeconfig-group", "").env("K3S_KUBECONFIG_GROUP").inert(),
		str("helm-job-image", "").inert(),
		str("token", "", "t").env("K3S_TOKEN"),
		str("token-file", "").env("K3S_TOKEN_FILE"),
		str("agent-token", "").env("K3S_AGENT_TOKEN"),
		str("agent-token-file", "").env("K3S_AGENT_TOKEN_FILE"),
		str("server", "", "s").env("K3S_URL"),
		boolean("cluster-init").env("K3S_CLUSTER_INIT"),
		boolean("cluster-reset").env("K3S_CLUSTER_RESET"),
		str("cluster-reset-restore-path", ""),
		slice("kube-apiserver-arg"),
		slice("etcd-arg").inert(),
		slice("kube-controller-manager-arg", "kube-controller-arg"),
		slice("kube-scheduler-arg"),
		slice("kube-cloud-controller-manager-arg", "kube-cloud-controller-arg").inert(),
		boolean("secrets-encryption").inert(),
		str("secrets-encryption-provider", "aescbc").inert(),
		str("default-local-storage-path", "").inert(),
		slice("disable"),
		boolean("disable-scheduler"),
		boolean("disable-cloud-controller"),
		boolean("disable-kube-proxy"),
		boolean("disable-network-policy").inert(),
		boolean("disable-helm-controller").inert(),
		boolean("disable-apiserver").inert(),
		boolean("disable-controller-manager"),
		boolean("disable-etcd").inert(),
		boolean("embedded-registry").inert(),
		str("system-default-registry", "").env("K3S_SYSTEM_DEFAULT_REGISTRY"),
	}
}

func datastore() []Flag {
	return slices.Concat([]Flag{
		str("datastore-endpoint", "").env("K3S_DATASTORE_ENDPOINT"),
		str("datastore-cafile", "").env("K3S_DATASTORE_CAFILE").inert(),
		str("datastore-certfile", "").env("K3S_DATASTORE_CERTFILE").inert(),
		str("datastore-keyfile", "").env("K3S_DATASTORE_KEYFILE").inert(),
		boolean("kine-tls").inert(),
		boolean("etcd-expose-metrics"),
		boolean("etcd-disable-snapshots").inert(),
		str("etcd-snapshot-name", "etcd-snapshot"),
		str("etcd-snapshot-schedule-cron", "0 */12 * * *").inert(),
		Flag{Name: "etcd-snapshot-reconcile-interval", Kind: Duration, Default: "10m", Inert: true},
		number("etcd-snapshot-retention", "5"),
		str("etcd-snapshot-dir", ""),
		boolean("etcd-snapshot-compress").inert(),
	}, s3("etcd-s3"))
}

// s3 are the options for snapshots in object storage; none has an effect here, there is no such storage on a test machine.
func s3(prefix string) []Flag {
	flags := []Flag{boolean(prefix), boolean(prefix + "-skip-ssl-verify"), boolean(prefix + "-insecure"),
		{Name: prefix + "-timeout", Kind: Duration, Default: "5m0s"}, number(prefix+"-retention", "5")}
	for _, name := range []string{"endpoint", "endpoint-ca", "access-key", "secret-key", "session-token", "bucket",
		"bucket-lookup-type", "region", "folder", "proxy", "config-secret"} {
		flags = append(flags, str(prefix+"-"+name, ""))
	}
	for i := range flags {
		flags[i].Inert = true
		if prefix == "s3" {
			flags[i].Aliases = []string{"etcd-" + flags[i].Name}
		}
	}
	return flags
}
