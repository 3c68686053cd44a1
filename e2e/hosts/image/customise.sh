#!/bin/sh
# Runs once inside the new root file system (chroot, no init running), after the files below root/ were copied.
set -eu

# Fixed numbers, so that the provider can give files to these users without asking the host.
useradd --create-home --shell /bin/bash --uid 1000 ubuntu
useradd --create-home --shell /bin/bash --uid 1001 admin

systemctl enable gpuboot-e2e-host.service ssh.service
# A host as it is rented runs no container runtime, and a test host has no console and no clock of its own.
systemctl disable containerd.service
systemctl mask console-getty.service getty.target e2scrub_reap.service \
	apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer
systemctl set-default multi-user.target

# Every host gets keys, an id and a name of its own from the provider.
rm -f /etc/ssh/ssh_host_* /etc/machine-id /var/lib/dbus/machine-id /etc/hostname
# Smaller copies: /var is copied for every host.
rm -rf /var/cache/apt/* /var/lib/apt/lists/* /var/log/* /usr/share/doc/* /usr/share/man/* /usr/share/locale/*
