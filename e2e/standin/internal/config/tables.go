package config

import "slices"

// DataDir is where k3s keeps its state when nothing else is said.
const DataDir = "/var/lib/rancher/k3s"

// DefaultPauseImage is the sandbox image; k3s 1.34 pins this tag.
const DefaultPauseImage = "rancher/mirrored-pause:3.6"

func logging() []Flag {
	return []Flag{
		str("config", "/etc/rancher/k3s/config.yaml", "c").env("K3S_CONFIG_FILE"),
		boolean("debug").env("K3S_DEBUG"),
		number("v", "0"),
		str("vmodule", "").inert(),
		str("log", "", "l").inert(),
		boolean("alsologtostderr").inert(),
	}
}

func dataDir() Flag { return str("data-dir", DataDir, "d").env("K3S_DATA_DIR") }

// node holds the options that a server shares with an agent.
func node() []Flag {
	return []Flag{
		str("node-name", "").env("K3S_NODE_NAME"),
		boolean("with-node-id"),
		slice("node-label"),
		slice("node-taint"),
		str("image-credential-provider-bin-dir", "/var/lib/rancher/credentialprovider/bin").inert(),
		str("image-credential-provider-config", "/var/lib/rancher/credentialprovider/config.yaml").inert(),
		boolean("docker").inert(),
		str("container-runtime-endpoint", "").inert(),
		str("default-runtime", ""),
		str("image-service-endpoint", "").inert(),
		boolean("disable-default-registry-endpoint"),
		boolean("nonroot-devices").inert(),
		str("pause-image", DefaultPauseImage),
		str("snapshotter", "overlayfs"),
		str("private-registry", "/etc/rancher/k3s/registries.yaml"),
		slice("airgap-extra-registry").inert(),
		slice("node-ip", "i"),
		slice("node-external-ip"),
		slice("node-internal-dns").inert(),
		slice("node-external-dns").inert(),
		str("resolv-conf", "").env("K3S_RESOLV_CONF"),
		str("flannel-iface", ""),
		str("flannel-conf", "").inert(),
		str("flannel-cni-conf", "").inert(),
		str("vpn-auth", "").env("K3S_VPN_AUTH").inert(),
		str("vpn-auth-file", "").env("K3S_VPN_AUTH_FILE").inert(),
		slice("kubelet-arg"),
		slice("kube-proxy-arg"),
		boolean("protect-kernel-defaults"),
		boolean("enable-pprof").inert(),
		boolean("rootless").inert(),
		boolean("prefer-bundled-bin").inert(),
		boolean("selinux").env("K3S_SELINUX").inert(),
		number("lb-server-port", "6444").env("K3S_LB_SERVER_PORT"),
		str("bind-address", ""),
		boolean("disable-agent"),
		boolean("no-flannel").inert(),
	}
}

// Agent is `k3s agent`. A key of its config file that it does not know is fatal, as observed on k3s.
func Agent() Command {
	flags := slices.Concat(logging(), []Flag{
		str("token", "", "t").env("K3S_TOKEN"),
		str("token-file", "").env("K3S_TOKEN_FILE"),
		str("server", "", "s").env("K3S_URL"),
		dataDir(),
		boolean("disable-apiserver-lb").inert(),
		str("cluster-secret", "").env("K3S_CLUSTER_SECRET").inert(),
	}, slices.DeleteFunc(node(), func(f Flag) bool { return f.Name == "disable-agent" }))
	return Command{Name: "agent", Flags: flags}
}

// Server is `k3s server`: it skips unknown keys of its config file with a warning.
func Server() Command {
	return Command{Name: "server", Lenient: true, Flags: slices.Concat(logging(), control(), datastore(), node())}
}

// EtcdSnapshot is each of `k3s etcd-snapshot save|ls|delete|prune`.
func EtcdSnapshot() Command {
	flags := slices.Concat(logging()[:2], []Flag{
		str("node-name", "").env("K3S_NODE_NAME").inert(),
		dataDir(),
		str("etcd-token", "", "t").env("K3S_TOKEN"),
		str("etcd-server", "https://127.0.0.1:6443", "s").env("K3S_URL"),
		str("dir", "", "etcd-snapshot-dir"),
		str("name", "on-demand"),
		boolean("snapshot-compress").inert(),
		str("output", "", "o"),
		number("snapshot-retention", "5"),
	}, s3("s3"))
	for i, f := range flags {
		if f.Name == "snapshot-compress" || f.Name == "snapshot-retention" {
			flags[i].Aliases = append(f.Aliases, "etcd-"+f.Name)
		}
	}
	return Command{Name: "etcd-snapshot", Lenient: true, Flags: flags}
}

// Token is each of `k3s token create|list|delete|generate|rotate`.
func Token() Command {
	return Command{Name: "token", Flags: []Flag{
		dataDir(),
		boolean("debug"),
		str("kubeconfig", "").env("KUBECONFIG"),
		str("description", ""),
		slice("groups"),
		Flag{Name: "ttl", Kind: Duration, Default: "24h0m0s"},
		slice("usages"),
		str("output", "text", "o"),
		str("token", "", "t").env("K3S_TOKEN"),
		str("server", "https://127.0.0.1:6443", "s").env("K3S_URL"),
		str("new-token", ""),
	}}
}
