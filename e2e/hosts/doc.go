// Package hosts makes the machines that gpuboot's end-to-end tests run on: real systemd hosts with a real sshd, each with
// its own network, disks and control groups, a few seconds after they are asked for and gone without a trace afterwards.
//
//	fleet, err := hosts.FromEnv().Up(ctx, t.Logf, []hosts.Spec{{Name: "a"}, {Name: "b", User: "ubuntu"}})
//	defer fleet.Close(ctx)
//	// ssh -i fleet.Hosts[0].KeyFile root@fleet.Hosts[0].Address
//
// # Two providers
//
// Local boots hosts on this machine with systemd-nspawn. It needs Linux, root and the programs that Local.Available names.
// Owned hands out machines that exist, named by an inventory file in GPUBOOT_E2E_INVENTORY. Both give a Fleet; what a fleet
// cannot do, Fleet.Supports denies, and the scenario is skipped with that word in its message.
//
// # What a host of Local is
//
// An init, started by systemd-nspawn without systemd-machined, so that it works where no systemd runs. Around it:
//
//   - A root file system built once by debootstrap from the recipe in image/ and cached under the recipe's hash (see Local
//     for where). A host lays an overlay with its own upper folder over it, so another host costs no copy. Only /var is a
//     plain folder, a copy for each host: container runtimes keep their data below /var/lib, and their overlays cannot
//     stand on an overlay.
//   - Network: the switch of a fleet is a network namespace with a bridge for each network, and a host is another namespace
//     plugged into it. This machine has one link into the first network. The default gateway answers every attempt to
//     leave with "unreachable", as does the place where a name server should be: nothing gets out, and nothing waits for it.
//   - Control groups: one for the host in every hierarchy of this machine, made before init starts. With a shared one,
//     kubelets would meet in /kubepods and end each other's pods.
//   - A unit of the image (prepare-host) makes the controllers writable and mounts shared, which a kubelet needs. A drop-in
//     for k3s.service and k3s-agent.service writes containerd's restrict_oom_score_adj before each start, because a
//     container may lack CAP_SYS_RESOURCE. The drop-in is in /usr/lib, not in a folder that taking a cluster down removes.
//   - supervise.sh, the host's keeper: it makes the network new at each boot and boots again when the host reboots. All
//     mounts are made in a mount namespace of that boot, so that none can be left behind.
//
// # Cleaning up
//
// Before anything is made, a record of it lies in the state folder. Close works from that record and may be called twice.
// When a test process dies without Close, the next Up (or Sweep) finds records whose owner is gone and closes them. What is
// ended is found by process number with start time and by the fleet's own control groups, never by a program's name.
// Fleets of several processes can stand side by side; names and subnets are chosen under a lock.
//
// # What differs from a rented machine
//
// The kernel is this machine's, and shared: no modules, no clock of its own, the same GPUs or none, and of its settings only
// those of the network are a host's own (a kubelet sets vm.overcommit_memory and kernel.panic for this machine too). Logins open no session
// of systemd-logind, there is no udev, and the disk is this machine's. Power cuts keep what was written, synced or not.
//
// This package starts no Kubernetes and knows none; it does not judge what a test does.
package hosts
