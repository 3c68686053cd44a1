#!/bin/sh
# gpuboot's probe: prints what a host is, and changes nothing on it.
#
# It comes in on stdin (sh < probe.sh) and runs as root, or as a user with some
# sections then saying less. Sections lie between lines that begin with a
# marker which is new on every run, so neither a login banner nor a file that
# is printed can look like one. The exit status is always 0; each section
# carries its own. Secrets are only ever hashed.
#
# Rules for this file: POSIX sh only; no here-documents (bash keeps them in
# /tmp) and no other way of writing a file; every command that can hang runs
# under lim; builtins instead of processes where there are loops.
#
# shellcheck disable=SC2317 # sec calls the functions by name
#
# GPUBOOT_PROBE_ROOT puts another folder in front of every path read. Only
# tests set it.

rd() { # FILE -> v: the first line of a small file; no numbers of /proc/sys
	v=
	[ -r "$R$1" ] && IFS= read -r v 2>/dev/null <"$R$1"
	[ -n "$v" ]
}

kv() { printf '%s=%s\n' "$1" "$2"; }

kvf() { rd "$2" && kv "$1" "$v"; } # KEY FILE

has() { command -v "$1" >/dev/null 2>&1; }

lim() { # SECONDS COMMAND...
	if [ -n "$LIM" ]; then
		timeout -s KILL "$@"
	else
		shift
		"$@"
	fi
}

elapsed() { # -> e: whole seconds since the start, by the real clock
	e=0
	[ -r /proc/uptime ] && read -r e _ </proc/uptime
	e=$((${e%%.*} - T0))
}

must() { # NAME FUNCTION: one framed section
	printf '\n%s begin %s\n' "$M" "$1"
	"$2"
	printf '\n%s end %s %s\n' "$M" "$1" "$?"
}

sec() { # NAME FUNCTION: one framed section; skipped when time has run out
	elapsed
	if [ "$e" -ge 4 ]; then
		printf '\n%s begin %s\n' "$M" "$1"
		printf '\n%s end %s skipped\n' "$M" "$1"
		return
	fi
	must "$@"
}

now() { date '+%s.%N'; }

s_self() {
	kv shell "${BASH_VERSION:+bash}"
	[ -r /proc/self/status ] || return 0
	while read -r k x _; do
		case $k in
		Uid:) kv uid "$x" ;;
		CapEff:) kv capeff "$x" ;;
		Seccomp:) kv seccomp "$x" ;;
		esac
	done </proc/self/status
	kvf uid_map /proc/self/uid_map
	# sudo drops the variable, but still has it in its own environment.
	x=${SSH_CONNECTION:-}
	[ -n "$x" ] || x=$(tr '\0' '\n' <"/proc/$PPID/environ" | sed -n 's/^SSH_CONNECTION=//p')
	kv ssh "$x"
	return 0
}

s_host() {
	kv uname "$UNAME"
	kvf hostname /proc/sys/kernel/hostname
	kvf machine_id /etc/machine-id
	kvf boot_id /proc/sys/kernel/random/boot_id
	kvf product_uuid /sys/class/dmi/id/product_uuid
	kvf sys_vendor /sys/class/dmi/id/sys_vendor
	kvf product_name /sys/class/dmi/id/product_name
	kvf chassis_asset_tag /sys/class/dmi/id/chassis_asset_tag
	kvf cpus_online /sys/devices/system/cpu/online
	rd /proc/uptime && kv uptime "${v%% *}"
	return 0
}

s_os() {
	cat "$R/etc/os-release" 2>/dev/null || cat "$R/usr/lib/os-release"
}

s_dgx() { cat "$R/etc/dgx-release"; }

s_systemd() {
	kvf pid1 /proc/1/comm
	[ -d "$R/run/systemd/system" ] || return 0
	kv booted yes
	has systemctl || return 0
	lim 2 systemctl --no-pager show -p Version -p SystemState 2>&1
}

UNITS='k3s.service k3s-agent.service kubelet.service rke2-server.service
rke2-agent.service k0scontroller.service k0sworker.service
snap.microk8s.daemon-kubelite.service docker.service containerd.service
crio.service nvidia-fabricmanager.service nvidia-persistenced.service
ufw.service firewalld.service nftables.service unattended-upgrades.service
nm-cloud-setup.service multipathd.service'

s_units() {
	# shellcheck disable=SC2086 # a list of names
	lim 2 systemctl --no-pager show -p Id -p LoadState -p ActiveState \
		-p SubState -p UnitFileState -p MainPID -p NRestarts -p FragmentPath \
		$UNITS 2>&1
}

s_cgroup() {
	if [ -e "$R/sys/fs/cgroup/cgroup.controllers" ]; then
		kv version 2
		kvf controllers /sys/fs/cgroup/cgroup.controllers
		return 0
	fi
	kv version 1
	cat "$R/proc/cgroups"
}

s_virt() {
	if has systemd-detect-virt; then
		kv detect "$(lim 1 systemd-detect-virt 2>&1)"
	fi
	kvf systemd_container /run/systemd/container
	[ -e "$R/.dockerenv" ] && kv dockerenv yes
	[ -e "$R/run/.containerenv" ] && kv containerenv yes
	[ -e "$R/dev/kmsg" ] && kv kmsg yes
	kvf cgroup1 /proc/1/cgroup
	[ -d "$R/run/systemd/system" ] && return 0
	# Names only: a provider's variables hold keys.
	[ -r "$R/proc/1/environ" ] && tr '\0' '\n' <"$R/proc/1/environ" |
		sed -n -e 's/^container=\([a-z.-]*\)$/environ_container=\1/p' \
			-e 's/^\(RUNPOD_POD_ID\|VAST_CONTAINERLABEL\|KUBERNETES_SERVICE_HOST\)=.*/environ_name=\1/p'
	return 0
}

s_memory() { grep -E '^(Mem|Swap|HugePages_Total|Hugepagesize)' "$R/proc/meminfo"; }

s_clock() {
	if [ -e "$R/run/systemd/timesync/synchronized" ]; then
		kv timesyncd yes
	elif has chronyc; then
		lim 1 chronyc -n tracking 2>&1
	elif has timedatectl && [ -d "$R/run/systemd/system" ]; then
		lim 1 timedatectl show -p NTPSynchronized 2>&1
	fi
}

ASKED='/ /var/lib/rancher/k3s /var/lib/kubelet /usr/local/bin /tmp /etc'

mounts() {
	awk '
	$2 ~ /^\/(var\/lib\/kubelet\/(pods|plugins)|run\/k3s|run\/netns\/cni-)/ { pods++; next }
	n < 300 && (($1 ~ /^\/dev\// && $1 !~ /^\/dev\/loop/) || $2 == "/" ||
		$2 ~ /^\/(sys\/fs\/cgroup|tmp|usr|var|opt|etc|boot)(\/|$)/ ||
		$3 ~ /^(nfs4?|zfs|ceph|lustre|wekafs|virtiofs|9p)$/) { n++; print }
	END { print "# pods " pods + 0 }' "$R/proc/self/mounts"
}

s_mounts() { printf '%s\n' "$MOUNTS"; }

near() { # PATH -> v: the path itself, or its nearest parent that exists
	v=$1
	until [ -e "$R$v" ]; do
		v=${v%/*}
		[ -n "$v" ] || v=/
		[ "$v" = / ] && break
	done
	return 0
}

s_df() {
	set --
	for p in $ASKED; do
		near "$p"
		printf '# asked %s %s\n' "$p" "$v"
		set -- "$@" "$R$v"
	done
	oldifs=$IFS
	IFS='
'
	set -f
	for l in $MOUNTS; do
		case $l in
		/dev/*) ;;
		*) continue ;;
		esac
		l=${l#* }
		l=${l%% *}
		case $l in
		/ | /boot* | /snap/* | /run/* | /etc/* | *\\*) continue ;;
		esac
		[ -d "$R$l" ] || continue
		printf '# asked %s %s\n' "$l" "$l"
		set -- "$@" "$R$l"
	done
	set +f
	IFS=$oldifs
	lim 2 df -PT -B1 "$@" 2>/dev/null || lim 2 df -Pk "$@" 2>&1
	printf '# inodes\n'
	lim 2 df -Pi "$@" 2>/dev/null
	return 0
}

s_disks() {
	has lsblk || return 127
	lim 2 lsblk -J -b -o NAME,TYPE,SIZE,ROTA,MODEL,FSTYPE,MOUNTPOINT 2>&1
}

s_swaps() { cat "$R/proc/swaps"; }

s_pci() { # slot class vendor device driver vf
	for d in "$R"/sys/bus/pci/devices/*; do
		[ -r "$d/class" ] || continue
		read -r class <"$d/class"
		case $class in
		0x03* | 0x12* | 0x0680* | 0x0200* | 0x0207*) ;;
		*) continue ;;
		esac
		vendor=- device=- driver=- vf=-
		[ -r "$d/vendor" ] && read -r vendor <"$d/vendor"
		case $class$vendor in
		0x0680*0x10de) ;;
		0x0680*) continue ;;
		0x03*0x10de | 0x03*0x1002 | 0x03*0x8086 | 0x12*) GPUVENDORS="$GPUVENDORS $vendor" ;;
		esac
		[ -r "$d/device" ] && read -r device <"$d/device"
		if cd -P "$d/driver" 2>/dev/null; then
			driver=${PWD##*/}
		elif [ -h "$d/driver" ]; then
			driver=$(readlink "$d/driver")
			driver=${driver##*/}
		fi
		cd / || return
		[ -e "$d/physfn" ] && vf=vf
		printf '%s %s %s %s %s %s\n' "${d##*/}" "$class" "$vendor" "$device" "$driver" "$vf"
	done
}

s_pcinames() {
	has lspci || return 127
	seen=
	for x in $GPUVENDORS; do
		case $seen in
		*"$x"*) continue ;;
		esac
		seen="$seen $x"
		lim 2 lspci -Dnn -d "${x#0x}:" 2>&1
	done
}

s_nvidia() {
	kvf version /proc/driver/nvidia/version
	kvf module_version /sys/module/nvidia/version
	for x in nvidia nvidia_uvm nvidia_drm nvidia_modeset nvidia_peermem nouveau nova_core \
		nova_drm amdgpu i915 xe vfio_pci gdrdrv; do
		[ -d "$R/sys/module/$x" ] && kv module "$x"
	done
	for x in "$R"/dev/nvidia[0-9]*; do
		[ -e "$x" ] && kv node "${x##*/}"
	done
	for x in /usr/bin/nvidia-smi /usr/bin/nvidia-container-runtime /usr/bin/nvidia-ctk \
		/usr/local/nvidia/toolkit/nvidia-container-runtime /run/nvidia/driver/usr/bin/nvidia-smi; do
		[ -x "$R$x" ] && kv tool "$x"
	done
	return 0
}

s_modules() {
	grep -E '^(nvidia|nouveau|nova|amdgpu|overlay|br_netfilter|vxlan|wireguard|ib_|mlx|rdma|gdrdrv)' \
		"$R/proc/modules"
	return 0
}

s_modfiles() { # modules the running kernel can load
	rd /proc/sys/kernel/osrelease || return 1
	d=$R/lib/modules/$v
	[ -d "$d" ] && kv dir "/lib/modules/$v"
	for x in "$R"/lib/modules/*; do
		[ -d "$x" ] && kv kernel "${x##*/}"
	done
	[ -r "$R/proc/filesystems" ] && grep -q 'overlay' "$R/proc/filesystems" && kv have overlay
	[ -e "$R/proc/sys/net/bridge/bridge-nf-call-iptables" ] && kv have br_netfilter
	[ -r "$d/modules.dep" ] || return 0
	cat "$d/modules.dep" "$d/modules.builtin" 2>/dev/null |
		grep -E -o '^[^:]*/(overlay|br_netfilter|vxlan|wireguard|nvidia|nvidia-current)\.ko'
	return 0
}

s_addr() {
	has ip || return 127
	x=$(lim 2 ip -j addr 2>/dev/null)
	case $x in
	'['*) printf '%s\n' "$x" ;;
	*) lim 2 ip addr 2>&1 ;;
	esac
}

s_linkkinds() {
	has ip || return 127
	lim 2 ip -j -d link 2>/dev/null
}

s_net() { # what sysfs knows of each interface, but the ends of pods' links
	for d in "$R"/sys/class/net/*; do
		n=${d##*/}
		case $n in
		veth* | cali* | lxc* | bonding_masters) continue ;;
		esac
		[ -d "$d" ] || continue
		x="$n"
		[ -r "$d/type" ] && read -r v <"$d/type" && x="$x type=$v"
		[ -r "$d/uevent" ] && while read -r v; do
			case $v in DEVTYPE=*) x="$x devtype=${v#*=}" ;; esac
		done <"$d/uevent"
		[ -e "$d/device" ] && x="$x device=yes"
		[ -d "$d/bridge" ] && x="$x bridge=yes"
		[ -d "$d/bonding" ] && x="$x bonding=yes"
		[ -e "$d/tun_flags" ] && x="$x tun=yes"
		[ -e "$d/master" ] && x="$x slave=yes"
		[ -r "$d/speed" ] && read -r v 2>/dev/null <"$d/speed" && x="$x speed=$v"
		printf '%s\n' "$x"
	done
}

routes() { # FAMILY
	has ip || return 127
	x=$(lim 2 ip -j "$1" route 2>/dev/null | head -c 262144)
	case $x in
	'['*) printf '%s\n' "$x" ;;
	*) lim 2 ip "$1" route 2>&1 | head -n 500 ;;
	esac
}

s_route4() { routes -4; }
s_route6() { routes -6; }

s_resolv() {
	for f in /etc/resolv.conf /run/systemd/resolve/resolv.conf; do
		[ -r "$R$f" ] || continue
		printf '# file %s\n' "$f"
		grep -E '^[[:space:]]*(nameserver|search|domain|options)' "$R$f"
	done
	return 0
}

s_hosts() {
	rd /proc/sys/kernel/hostname || return 0
	h=$v
	[ -r "$R/etc/hosts" ] && grep -w -F -- "$h" "$R/etc/hosts" && return 0
	[ -r "$R/etc/nsswitch.conf" ] && grep -E '^hosts:.*myhostname' "$R/etc/nsswitch.conf"
	return 0
}

sha() { # sums of the files named, or of stdin
	if has sha256sum; then
		sha256sum "$@"
	elif has openssl; then
		openssl dgst -sha256 -r "$@"
	elif has shasum; then
		shasum -a 256 "$@"
	else
		return 127
	fi
}

s_files() {
	k=/etc/rancher/k3s
	u=/etc/systemd/system
	set --
	for f in /usr/local/bin/k3s $k/k3s.yaml $k/config.yaml $k/registries.yaml $k/token \
		$k/agent-token "$R$k/config.yaml.d"/* /var/lib/rancher/k3s/server/token \
		/var/lib/rancher/k3s/server/agent-token $u/k3s.service $u/k3s-agent.service \
		$u/k3s.service.env $u/k3s-agent.service.env "$R$u"/k3s*.service.d/* "$R$u"/k3s-*.service \
		/etc/rancher/node/password /var/lib/gpuboot/journal.json \
		/usr/local/bin/k3s-uninstall.sh /usr/local/bin/k3s-agent-uninstall.sh \
		/usr/local/bin/kubectl; do
		f=${f#"$R"}
		case " $* " in
		*" $R$f "*) continue ;;
		esac
		[ -f "$R$f" ] && set -- "$@" "$R$f"
	done
	[ $# -gt 0 ] || return 0
	stat -L -c '%a|%U:%G|%s|%Y|%y|%n' "$@" 2>&1
	printf '# sums\n'
	for f; do # only what is small, and no key of this host
		shift
		case ${f#"$R"} in
		/usr/local/bin/* | /etc/rancher/node/* | */journal.json | /var/lib/rancher/*) ;;
		*) set -- "$@" "$f" ;;
		esac
	done
	[ $# -gt 0 ] && sha "$@" 2>&1
	printf '# tokens\n'
	for f in $k/token $k/agent-token /var/lib/rancher/k3s/server/token \
		/var/lib/rancher/k3s/server/agent-token; do
		[ -r "$R$f" ] || continue
		s=$(cat "$R$f")
		x=$(printf '%s' "$s" | sha)
		case $s in
		K10*::*) y=$(printf '%s' "${s#*::*:}" | sha) ;;
		*) y=$x ;;
		esac
		s=
		printf '%s %s %s\n' "${x%% *}" "${y%% *}" "$f"
	done
	return 0
}

s_k3sconfig() { # no token lives in these keys
	for f in "$R/etc/rancher/k3s/config.yaml" "$R"/etc/rancher/k3s/config.yaml.d/*.y*ml; do
		[ -r "$f" ] && grep -E '^(node-ip|node-name|node-external-ip|flannel-iface|flannel-backend|server|cluster-init|data-dir|cluster-cidr|service-cidr)\+?:' "$f"
	done
	return 0
}

s_k3sversion() {
	[ -x "$R/usr/local/bin/k3s" ] || return 0
	lim 2 "$R/usr/local/bin/k3s" --version 2>&1
}

s_journal() {
	[ -r "$R/var/lib/gpuboot/journal.json" ] || return 1
	head -c 1048576 "$R/var/lib/gpuboot/journal.json"
}

s_dirs() {
	for f in /var/lib/rancher/k3s /var/lib/rancher/k3s/server/db /var/lib/rancher/k3s/agent \
		/etc/rancher/k3s /run/k3s /run/flannel /var/lib/rancher/rke2 /etc/rancher/rke2 \
		/var/lib/k0s /etc/k0s /etc/kubernetes/manifests /etc/kubernetes/kubelet.conf \
		/etc/kubernetes/admin.conf /var/lib/etcd /var/lib/kubelet /var/lib/kubelet/config.yaml \
		/var/snap/microk8s /snap/docker /var/lib/docker /run/docker.sock /var/lib/cni \
		/etc/cni/net.d /opt/cni/bin /usr/local/nvidia/toolkit /run/nvidia /etc/cdi \
		/var/run/cdi /run/cloud-init /run/cloud-init/result.json /run/ostree-booted; do
		[ -e "$R$f" ] && printf '%s\n' "$f"
	done
	return 0
}

s_procs() {
	grep -s -H -x -E \
		'k3s|k3s-server|k3s-agent|kubelet|kube-apiserver|etcd|rke2|k0s|kubelite|dockerd|containerd|crio|nv-fabricmanage|nvidia-persiste|dpkg|apt|apt-get|aptitude|unattended-upgr|packagekitd|dnf|yum|rpm|zypper|pacman|apk' \
		"$R"/proc/[0-9]*/comm
	return 0
}

s_locks() { # package locks that are held: "path pid command"
	set --
	for f in /var/lib/dpkg/lock-frontend /var/lib/dpkg/lock /var/lib/apt/lists/lock \
		/var/cache/apt/archives/lock /var/lib/rpm/.rpm.lock /usr/lib/sysimage/rpm/.rpm.lock \
		/lib/apk/db/lock; do
		[ -e "$R$f" ] && set -- "$@" "$R$f"
	done
	pat=
	if [ $# -gt 0 ]; then
		for i in $(stat -c %i "$@"); do pat="$pat|$i"; done
	fi
	# One line each: "2: POSIX ADVISORY WRITE 812 08:01:4711 0 EOF"; waiting ones have an arrow.
	if [ -n "$pat" ]; then
		grep -E "^[0-9]+: [A-Z].* WRITE [0-9]+ [^ ]*:(${pat#|}) " "$R/proc/locks" | while read -r _ _ _ _ p i _; do
			rd "/proc/$p/comm"
			for f; do
				[ "$(stat -c %i "$f")" = "${i##*:}" ] && printf '%s %s %s\n' "${f#"$R"}" "$p" "$v"
			done
		done
	fi
	for f in /var/run/yum.pid /var/run/zypp.pid /var/lib/pacman/db.lck; do
		[ -e "$R$f" ] || continue
		p=0
		rd "$f" && p=$v
		[ "$f" = /var/lib/pacman/db.lck ] || [ -d "$R/proc/$p" ] || continue
		rd "/proc/$p/comm"
		printf '%s %s %s\n' "$f" "$p" "$v"
	done
	return 0
}

s_reboot() {
	[ -e "$R/run/reboot-required" ] || return 0
	kv required yes
	[ -r "$R/run/reboot-required.pkgs" ] && head -n 20 "$R/run/reboot-required.pkgs"
	return 0
}

s_ports() {
	if ! has ss; then
		for f in tcp tcp6 udp udp6; do
			[ -r "$R/proc/net/$f" ] || continue
			printf '# proc %s\n' "$f"
			awk '$4 == "0A" || $4 == "07" { print $2 }' "$R/proc/net/$f" | head -n 300
		done
		return 0
	fi
	x=$(lim 2 ss -lntu 2>&1)
	case $x in # finding the holder walks every process: only when it is needed
	*:6443\ * | *:6444\ * | *:10250\ * | *:2379\ * | *:2380\ * | *:8472\ * | *:5001\ * | *:51820\ * | \
		*:102[45][0-9]\ * | *:2381\ * | *:10010\ *) x=$(lim 2 ss -lntup 2>&1) ;;
	esac
	printf '%s\n' "$x"
}

s_rdma() {
	for d in "$R"/sys/class/infiniband/*; do
		[ -d "$d/ports" ] || continue
		x=-
		for n in "$d"/device/net/*; do
			[ -e "$n" ] && x=${n##*/}
		done
		s=-
		if cd -P "$d/device" 2>/dev/null; then
			s=${PWD##*/}
		fi
		cd / || return
		printf '# dev %s %s %s\n' "${d##*/}" "$s" "$x"
	done
	grep -s -H . "$R"/sys/class/infiniband/*/ports/*/state "$R"/sys/class/infiniband/*/ports/*/phys_state \
		"$R"/sys/class/infiniband/*/ports/*/rate "$R"/sys/class/infiniband/*/ports/*/link_layer
	return 0
}

s_security() {
	kvf selinux /sys/fs/selinux/enforce
	kvf apparmor /sys/module/apparmor/parameters/enabled
	kvf lockdown /sys/kernel/security/lockdown
	[ -e "$R/usr/share/selinux/packages/k3s.pp" ] && kv k3s_selinux yes
	kvf module_sig /sys/module/module/parameters/sig_enforce
	if [ ! -d "$R/sys/firmware/efi" ]; then
		kv secureboot no-efi
		return 0
	fi
	f="$R/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
	if [ -r "$f" ] && has od; then
		# shellcheck disable=SC2046 # five numbers
		set -- $(od -An -t u1 "$f" 2>/dev/null)
		kv secureboot "${5:-unreadable}"
	elif has mokutil; then
		kv secureboot "$(lim 1 mokutil --sb-state 2>&1 | head -n 1)"
	fi
	return 0
}

s_limits() { # not by read: dash reads by the byte, and these give only one
	grep -s -H . "$R/proc/sys/fs/inotify/max_user_instances" \
		"$R/proc/sys/fs/inotify/max_user_watches" "$R/proc/sys/fs/file-max" \
		"$R/proc/sys/kernel/pid_max" "$R/proc/sys/net/ipv4/ip_forward"
	return 0
}

s_iptables() {
	has iptables || return 127
	lim 1 iptables --version 2>&1
}

s_firewall() {
	[ -r "$R/etc/ufw/ufw.conf" ] && grep -E '^ENABLED=' "$R/etc/ufw/ufw.conf"
	for x in nft iptables ufw firewall-cmd; do
		has "$x" && kv tool "$x"
	done
	[ -r "$R/proc/net/ip_tables_names" ] && while read -r x; do kv legacy_table "$x"; done \
		<"$R/proc/net/ip_tables_names"
	return 0
}

hidden() { # NAME VALUE: a proxy URL without its password
	case $2 in
	'') ;;
	*@*) kv "$1" "***@${2##*@}" ;;
	*) kv "$1" "$2" ;;
	esac
}

s_proxy() {
	hidden HTTP_PROXY "${HTTP_PROXY:-}"
	hidden HTTPS_PROXY "${HTTPS_PROXY:-}"
	hidden NO_PROXY "${NO_PROXY:-}"
	hidden http_proxy "${http_proxy:-}"
	hidden https_proxy "${https_proxy:-}"
	hidden no_proxy "${no_proxy:-}"
	[ -r "$R/etc/environment" ] || return 0
	while read -r x || [ -n "$x" ]; do
		x=${x#export }
		case $x in
		*_proxy=* | *_PROXY=*) hidden "environment ${x%%=*}" "${x#*=}" ;;
		esac
	done <"$R/etc/environment"
	return 0
}

s_klog() {
	has dmesg || return 127
	lim 2 dmesg 2>&1 | grep -E 'NVRM|SXid|nvidia-nvswitch|nouveau .*DRM: VRAM|Operation not permitted|Lockdown: modprobe|nvidia: module verification' | tail -n 80
	return 0
}

GPUQ=index,name,uuid,pci.bus_id,memory.total,driver_version

s_smi() {
	has nvidia-smi || return 127
	q=$GPUQ,compute_cap,mig.mode.current,ecc.errors.uncorrected.volatile.total,persistence_mode
	x=$(lim 3 nvidia-smi --query-gpu="$q" --format=csv 2>&1)
	r=$?
	if [ "$r" -eq 2 ]; then # a driver that lacks one of the fields lacks this one
		q=$GPUQ,mig.mode.current,ecc.errors.uncorrected.volatile.total,persistence_mode
		x=$(lim 2 nvidia-smi --query-gpu="$q" --format=csv 2>&1)
		r=$?
	fi
	SMI=$r
	printf '%s\n' "$x"
	return "$r"
}

s_fabric() {
	lim 1 nvidia-smi --query-gpu=index,fabric.state,fabric.status --format=csv,noheader 2>&1
}

s_remap() {
	lim 1 nvidia-smi --query-remapped-rows=gpu_bus_id,remapped_rows.pending,remapped_rows.failure \
		--format=csv,noheader 2>&1
}

# The slow things, beside the others. A driver that hangs holds this part for
# ever; the other part then goes on without it.
slow() {
	sec k3sversion s_k3sversion
	sec disks s_disks
	sec clock s_clock
	[ -e "$R/proc/driver/nvidia/version" ] || return
	SMI=1
	sec smi s_smi
	if [ "$SMI" -eq 0 ]; then
		sec fabric s_fabric
		sec remap s_remap
	fi
}

fast() {
	# Without these nothing can be decided: they are never skipped.
	must self s_self
	must host s_host
	must os s_os
	must systemd s_systemd
	[ -d "$R/run/systemd/system" ] && has systemctl && must units s_units
	must files s_files
	must k3sconfig s_k3sconfig
	[ -e "$R/var/lib/gpuboot/journal.json" ] && must journal s_journal
	must dirs s_dirs
	must procs s_procs
	must addr s_addr
	sec linkkinds s_linkkinds
	sec route4 s_route4
	sec route6 s_route6
	[ -e "$R/etc/dgx-release" ] && sec dgx s_dgx
	sec cgroup s_cgroup
	sec virt s_virt
	sec memory s_memory
	MOUNTS=$(mounts)
	sec mounts s_mounts
	sec df s_df
	sec swaps s_swaps
	GPUVENDORS=
	sec pci s_pci
	if [ -n "$GPUVENDORS" ]; then
		sec pcinames s_pcinames
		sec klog s_klog
	fi
	sec nvidia s_nvidia
	sec modules s_modules
	sec modfiles s_modfiles
	sec net s_net
	sec resolv s_resolv
	sec hosts s_hosts
	sec locks s_locks
	sec reboot s_reboot
	sec ports s_ports
	sec rdma s_rdma
	sec security s_security
	sec limits s_limits
	sec iptables s_iptables
	sec firewall s_firewall
	sec proxy s_proxy
}

main() {
	# For good, and not for a while: a shell that is to restore its stderr keeps
	# it open in all it starts, and the caller would wait for a command that hangs.
	exec </dev/null 2>/dev/null
	set +x
	set +e
	LC_ALL=C
	export LC_ALL
	PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
	unset CDPATH
	R=${GPUBOOT_PROBE_ROOT:-}
	cd / || exit 0

	M=
	[ -r /proc/sys/kernel/random/uuid ] && read -r M </proc/sys/kernel/random/uuid
	M="@@${M:-$$-$PPID}"
	T0=0
	elapsed
	T0=$e
	LIM=yes
	UNAME=$(timeout -s KILL 1 uname -snrm)
	if [ -z "$UNAME" ]; then # no timeout, or one that wants other words
		LIM=
		UNAME=$(uname -snrm)
	fi

	printf '\n@@gpuboot-probe 1 %s %s\n' "$M" "$(now)"
	{ slow & } | {
		exec 3<&0 </dev/null
		fast
		elapsed
		lim "$((e < 4 ? 5 - e : 1))" cat <&3
		printf '\n%s done %s\n' "$M" "$(now)"
	}
	exit 0
}

main
