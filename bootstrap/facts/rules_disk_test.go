package facts

func diskCases() []ruleCase {
	// all changes every asked path.
	all := func(change func(fs *FileSystem)) func(*world) {
		return on(func(f *Facts) {
			for i := range f.FileSystems {
				change(&f.FileSystems[i])
			}
		})
	}
	dataDir := map[string]any{"data-dir": "/mnt/nvme/k3s"}
	withNVMe := func(w *world) {
		w.all["w1"].FileSystems = append(w.all["w1"].FileSystems, FileSystem{Path: "/mnt/nvme", Existing: "/mnt/nvme", Mount: "/mnt/nvme",
			Type: "xfs", SizeBytes: 4000 * gib, AvailBytes: 3900 * gib})
	}
	return []ruleCase{
		{"disk-space", "full", all(func(fs *FileSystem) { fs.AvailBytes = gib }), Block, "", "is full"},
		{"disk-space", "no room for the executable", on(func(f *Facts) { f.FileSystems[3].AvailBytes = 100 * mib }), Block, "", "/usr/local/bin"},
		{"disk-space", "the executable is there", on(func(f *Facts) { f.FileSystems[3].AvailBytes, f.K3s.Version = 100*mib, "v1.36.2+k3s1" }), "", "", ""},
		{"disk-space", "another executable is there", on(func(f *Facts) { f.FileSystems[3].AvailBytes, f.K3s.Version = 100*mib, "v1.33.1+k3s1" }), Block, "", "/usr/local/bin"},
		{"disk-space", "small for GPU images", all(func(fs *FileSystem) { fs.SizeBytes, fs.AvailBytes = 60*gib, 50*gib }), Warn, "", "100 GiB"},
		{"disk-space", "a larger disk is there", func(w *world) {
			all(func(fs *FileSystem) { fs.SizeBytes, fs.AvailBytes = 60*gib, 50*gib })(w)
			withNVMe(w)
		}, Warn, "", "data-dir: /mnt/nvme/k3s"},
		{"disk-space", "soon evicting", all(func(fs *FileSystem) { fs.SizeBytes, fs.AvailBytes = 2000*gib, 200*gib }), Warn, "", "15 %"},
		{"disk-space", "enough for a server", func(w *world) {
			for i := range w.all["s1"].FileSystems {
				w.all["s1"].FileSystems[i].SizeBytes, w.all["s1"].FileSystems[i].AvailBytes = 40*gib, 30*gib
			}
		}, "", "s1", ""},
		{"disk-space", "data-dir elsewhere", func(w *world) {
			all(func(fs *FileSystem) { fs.SizeBytes, fs.AvailBytes = 60*gib, 50*gib })(w)
			withNVMe(w)
			w.host("w1").K3sConfig = dataDir
		}, "", "", ""},
		{"disk-space", "the data's own disk", on(func(f *Facts) {
			f.FileSystems[1].Mount, f.FileSystems[1].SizeBytes, f.FileSystems[1].AvailBytes = "/var/lib/rancher/k3s", 100*mib, 100*mib
		}), Block, "", "/var/lib/rancher/k3s (ext4 on /var/lib/rancher/k3s)"},
		{"disk-space", "the kubelet's own disk", on(func(f *Facts) {
			f.FileSystems[2].Mount, f.FileSystems[2].SizeBytes, f.FileSystems[2].AvailBytes = "/var/lib/kubelet", 100*gib, 5*gib
		}), Warn, "", "evict"},
		{"disk-space", "not read", on(func(f *Facts) { f.FileSystems = nil }), "", "", ""},
		{"disk-inodes", "low", all(func(fs *FileSystem) { fs.AvailInodes = fs.Inodes / 50 }), Warn, "", "inodes"},
		{"disk-inodes", "none", all(func(fs *FileSystem) { fs.AvailInodes = 0 }), Block, "", "0 of"},
		{"disk-inodes", "btrfs has no number", all(func(fs *FileSystem) { fs.Inodes, fs.AvailInodes = 0, 0 }), "", "", ""},
		{"data-dir-filesystem", "nfs", all(func(fs *FileSystem) { fs.Type = "nfs4" }), Block, "", "nfs4"},
		{"data-dir-filesystem", "nfs, native snapshotter, agent", func(w *world) {
			all(func(fs *FileSystem) { fs.Type = "nfs4" })(w)
			w.host("w1").K3sConfig = map[string]any{"snapshotter": "native"}
		}, Warn, "", "nfs4"},
		{"data-dir-filesystem", "overlay", all(func(fs *FileSystem) { fs.Type = "overlay" }), Warn, "", "overlay"},
		{"data-dir-filesystem", "memory", all(func(fs *FileSystem) { fs.Type = "tmpfs" }), Warn, "", "memory"},
		{"data-dir-filesystem", "zfs with its snapshotter", func(w *world) {
			all(func(fs *FileSystem) { fs.Type = "zfs" })(w)
			w.host("w1").K3sConfig = map[string]any{"snapshotter": "zfs"}
		}, "", "", ""},
		{"data-dir-filesystem", "xfs", all(func(fs *FileSystem) { fs.Type = "xfs" }), "", "", ""},
		{"mount-read-only", "usr", on(func(f *Facts) { f.FileSystems[3].ReadOnly = true }), Block, "", "/usr/local/bin"},
		{"mount-read-only", "tmp does not matter", on(func(f *Facts) { f.FileSystems[4].ReadOnly = true }), "", "", ""},
		{"mount-noexec", "data", on(func(f *Facts) { f.FileSystems[1].NoExec = true }), Block, "", "/var/lib/rancher"},
		{"mount-noexec", "tmp does not matter", on(func(f *Facts) { f.FileSystems[4].NoExec = true }), "", "", ""},
	}
}
