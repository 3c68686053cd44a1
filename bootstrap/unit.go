package bootstrap

import "strings"

// UnitName is the systemd unit of a k3s role ("server" or "agent"), named as
// k3s's own installer names it, so that its users find it.
func UnitName(role string) string {
	if role == roleAgent {
		return "k3s-agent.service"
	}
	return "k3s.service"
}

// UnitPath is where the unit file lies.
func UnitPath(role string) string { return "/etc/systemd/system/" + UnitName(role) }

// unitText is the unit of a role. It follows k3s's own (install.sh of
// k3s-io/k3s) in what its users rely on, with one addition: LimitMEMLOCK,
// without which no container can register memory for RDMA.
func unitText(role string) string {
	return strings.NewReplacer("ROLE", role, "UNIT", UnitName(role)).Replace(unitTemplate)
}

const unitTemplate = `# Written by gpuboot. Put changes of your own into a drop-in: systemctl edit UNIT
[Unit]
Description=Lightweight Kubernetes (k3s ROLE)
Documentation=https://k3s.io
Wants=network-online.target
After=network-online.target

[Service]
Type=notify
EnvironmentFile=-/etc/default/%N
EnvironmentFile=-/etc/sysconfig/%N
ExecStartPre=-/sbin/modprobe br_netfilter
ExecStartPre=-/sbin/modprobe overlay
ExecStart=/usr/local/bin/k3s ROLE
# Pods outlive a restart of k3s.
KillMode=process
Delegate=yes
LimitNOFILE=1048576
LimitNPROC=infinity
LimitCORE=infinity
# Containers inherit it; RDMA and GPUDirect pin memory.
LimitMEMLOCK=infinity
TasksMax=infinity
# A node that cannot join yet keeps trying; gpuboot bounds its own wait.
TimeoutStartSec=0
Restart=always
RestartSec=5s

[Install]
WantedBy=multi-user.target
`
