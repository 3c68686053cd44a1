#!/bin/sh
# Ends k3s on this host with every pod, and takes away what it made while it
# ran: container shims, mounts, network links and namespaces, firewall rules.
# Files are the journal's business. $1 is the unit, $2 k3s's data directory. Nothing
# here waits for ever.
set -u
unit=$1
data=$2

systemctl disable --now --quiet "$unit" 2>/dev/null || systemctl stop "$unit"
systemctl reset-failed "$unit" 2>/dev/null

# Pods outlive the unit (KillMode=process). Only shims of k3s's own containerd
# are ended, found by its socket, and their containers with them.
pids_of() {
	for p in /proc/[0-9]*/cmdline; do
		tr '\0' ' ' <"$p" 2>/dev/null | grep -q -- "$1" || continue
		pid=${p#/proc/}
		pid=${pid%/cmdline}
		[ "$pid" = "$$" ] || printf '%s\n' "$pid"
	done
}
children_of() {
	for pid in "$@"; do
		printf '%s\n' "$pid"
		# shellcheck disable=SC2046 # a list of numbers
		children_of $(cat "/proc/$pid/task/"*/children 2>/dev/null)
	done
}
end() {
	# shellcheck disable=SC2046 # a list of numbers
	set -- $(children_of $(pids_of "$1"))
	[ $# -eq 0 ] || kill -9 "$@" 2>/dev/null
}
end '^[^ ]*containerd-shim[^ ]* .*/run/k3s/containerd/containerd.sock'
end "^[^ ]*containerd .*$data/agent/etc/containerd/config.toml"

tries=0
while [ $tries -lt 50 ] && [ -n "$(pids_of '^[^ ]*containerd-shim[^ ]* .*/run/k3s/containerd/containerd.sock')" ]; do
	tries=$((tries + 1))
	sleep 0.1
done

# Deepest mounts first. Mounts below the data directory are not k3s's: a disk
# or folder that somebody put there stays.
for top in /run/k3s /var/lib/kubelet/pods /var/lib/kubelet/plugins; do
	awk -v t="$top/" 'index($2 "/", t) == 1 && $2 != substr(t, 1, length(t) - 1) { print $2 }' /proc/self/mounts | sort -r | while IFS= read -r m; do
		m=$(printf '%b' "$m")
		umount "$m" 2>/dev/null || umount -l "$m"
	done
done
for ns in /run/netns/cni-*; do
	[ -e "$ns" ] || continue
	umount "$ns" 2>/dev/null
	rm -f "$ns"
done

for link in cni0 flannel.1 flannel-v6.1 flannel-wg flannel-wg-v6 kube-ipvs0; do
	[ ! -e "/sys/class/net/$link" ] || ip link delete "$link"
done

# Rules: everybody else's stay as they are.
for tables in iptables ip6tables; do
	command -v $tables-save >/dev/null 2>&1 || continue
	rules=$($tables-save 2>/dev/null) || continue
	printf '%s\n' "$rules" | grep -Eq 'KUBE-|CNI-|[Ff][Ll][Aa][Nn][Nn][Ee][Ll]' || continue
	printf '%s\n' "$rules" | grep -Ev 'KUBE-|CNI-|[Ff][Ll][Aa][Nn][Nn][Ee][Ll]' | $tables-restore
done
exit 0
