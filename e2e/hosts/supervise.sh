#!/bin/sh
# Keeps one test host: a fresh network and a boot, again as often as the host reboots. Ends when the host powers off or dies.
# The provider starts it with the run folder of the host as working directory and these variables:
#   NETNS, SWITCH   network namespaces of the host and of the fleet's switch
#   PORTS           names of the host's links inside SWITCH
#   CGROUPS         the host's own cgroup in every hierarchy
#   IMAGE           the read-only root file system below the host's own layer
#   MACHINE, NAME, MACHINE_ID
#   NSPAWN_ARGS     a file with further arguments for systemd-nspawn, one a line
set -u

plug() {
	# A machine that reboots forgets its links and packet filters, so the namespace is made anew. Deleting a namespace
	# frees its links some time later; deleting the other end first does it at once.
	for port in $PORTS; do ip -n "$SWITCH" link del "$port" 2>/dev/null; done
	ip netns del "$NETNS" 2>/dev/null
	ip netns add "$NETNS" &&
		ip -n "$SWITCH" -batch switch.ip &&
		ip -n "$NETNS" -batch host.ip
}

while :; do
	plug || exit 1
	# The overlay is mounted in a mount namespace of this boot alone: it goes when the boot ends, however that ends.
	# The network namespace is entered before systemd-nspawn starts because it mounts /sys before it enters it itself, and
	# /sys/class/net shows the links of where it was mounted.
	# shellcheck disable=SC2016 # the inner shell expands them
	nsenter --net="/run/netns/$NETNS" unshare --mount --propagation private sh -euc '
		for cgroup in $CGROUPS; do
			# What an earlier boot left: a machine that boots has no groups yet, and in version 2 a group that hands
			# controllers to others takes no process.
			find "$cgroup" -mindepth 1 -depth -type d -exec rmdir {} +
			if [ -e "$cgroup/cgroup.subtree_control" ]; then
				for c in $(cat "$cgroup/cgroup.subtree_control"); do echo "-$c" >"$cgroup/cgroup.subtree_control"; done
			fi
			echo $$ >"$cgroup/cgroup.procs"
		done
		mount -t overlay overlay -o "lowerdir=$IMAGE,upperdir=upper,workdir=work" merged
		mount --bind var merged/var
		set --
		while IFS= read -r arg; do set -- "$@" "$arg"; done <"$NSPAWN_ARGS"
		export SYSTEMD_NSPAWN_API_VFS_WRITABLE=1
		exec systemd-nspawn --quiet --register=no --keep-unit --network-namespace-path="/run/netns/$NETNS" \
			--directory=merged --machine="$MACHINE" --hostname="$NAME" --uuid="$MACHINE_ID" --console=pipe \
			--capability=all --system-call-filter="add_key bpf keyctl request_key" \
			--resolv-conf=off --timezone=off --link-journal=no --bind=/dev/kmsg "$@" --boot
	' </dev/null
	# systemd-nspawn --keep-unit ends with 133 when the machine asked for a reboot.
	[ $? -eq 133 ] || exit 0
done
