package release

// Default is the version that gpuboot installs when the inventory names none: the newest known release of the 1.36
// line, because that is the newest line in the NVIDIA GPU Operator 26.7 support table's k3s column.
const Default = "v1.36.5+k3s1"

// A Version is one k3s release that gpuboot knows by name. Other release tags work too; these were looked up.
type Version struct {
	K3s    string // release tag
	Date   string // day of the release, 2006-01-02
	Source string // where tag and date were read
}

// Versions lists the newest known release of each supported minor line, newest first. The table was last read on
// 2026-12-01; a newer patch release is used by naming it in the inventory.
func Versions() []Version {
	return []Version{
		{"v1.37.1+k3s1", "2026-09-30", "k3s documentation, https://docs.k3s.io/release-notes/v1.37.X"},
		{"v1.36.5+k3s1", "2026-09-30", "k3s documentation, https://docs.k3s.io/release-notes/v1.36.X"},
		// These three were read in public repositories that install them or cite the release page; the page itself
		// was not read.
		{"v1.35.9+k3s1", "2026-09-30", "cited: https://github.com/k3s-io/k3s/releases/tag/v1.35.9%2Bk3s1"},
		{"v1.34.12+k3s1", "2026-09-30", "cited: https://github.com/k3s-io/k3s/releases/tag/v1.34.12%2Bk3s1"},
		{"v1.33.13+k3s2", "2026-08-04", "cited: https://github.com/k3s-io/k3s/releases/tag/v1.33.13%2Bk3s2"},
	}
}
