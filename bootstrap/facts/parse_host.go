package facts

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

func readSelf(f *Facts, s section) error {
	v := values(s.body)
	uid, ok := atoi(v["uid"])
	if !ok {
		return errors.New("no user id")
	}
	f.User = uid
	if w := strings.Fields(v["ssh"]); len(w) == 4 {
		f.SSHAddress = addrOrZero(w[2]).WithZone("").Unmap()
	}
	f.Isolation.UserNamespace = v["uid_map"] != "" && !wholeUIDMap(v["uid_map"])
	caps, err := strconv.ParseUint(v["capeff"], 16, 64)
	f.Isolation.Privileged = err == nil && caps&needCaps == needCaps && !f.Isolation.UserNamespace
	return nil
}

// needCaps are the capabilities without which no kubelet and no containerd can
// work: CAP_NET_ADMIN (12) and CAP_SYS_ADMIN (21), by their bits in
// linux/capability.h.
const needCaps = 1<<12 | 1<<21

// wholeUIDMap says whether a uid_map is that of the kernel's first user
// namespace: 0 0 4294967295.
func wholeUIDMap(m string) bool {
	w := strings.Fields(m)
	return len(w) == 3 && w[0] == "0" && w[1] == "0" && w[2] == "4294967295"
}

func readHost(f *Facts, s section) error {
	v := values(s.body)
	f.Hostname, f.MachineID, f.BootID = v["hostname"], v["machine_id"], v["boot_id"]
	f.ProductUUID = strings.ToLower(v["product_uuid"])
	f.Vendor, f.Product = strings.TrimSpace(v["sys_vendor"]), strings.TrimSpace(v["product_name"])
	f.CPUs = countCPUs(v["cpus_online"])
	if f.CPUs == 0 {
		f.unknown("host.cpus", v["cpus_online"])
	}
	uname := strings.Fields(v["uname"])
	if len(uname) != 4 {
		return fmt.Errorf("uname says %q", v["uname"])
	}
	if f.Hostname == "" {
		f.Hostname = uname[1]
	}
	f.Kernel, f.Arch = uname[2], goArch(uname[3])
	return nil
}

// goArch turns the machine word of uname -m into Go's name.
func goArch(machine string) string {
	switch machine {
	case "x86_64", "amd64":
		return "amd64"
	case "aarch64", "arm64":
		return "arm64"
	case "armv6l", "armv7l", "armv8l":
		return "arm"
	case "i386", "i686":
		return "386"
	}
	return machine
}

// countCPUs counts a kernel list such as "0-3,8-11"; 0 where it is none.
func countCPUs(list string) int {
	n := 0
	for part := range strings.SplitSeq(list, ",") {
		lo, hi, isRange := strings.Cut(strings.TrimSpace(part), "-")
		from, ok := atoi(lo)
		if !ok || from < 0 {
			return 0
		}
		to := from
		if isRange {
			if to, ok = atoi(hi); !ok || to < from {
				return 0
			}
		}
		if n += to - from + 1; n > 1<<16 {
			return 0
		}
	}
	return n
}

func readMemory(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			kb, ok := atoi64(strings.TrimSpace(strings.TrimSuffix(rest, "kB")))
			if !ok || kb <= 0 || kb > 1<<50 {
				return fmt.Errorf("MemTotal is %q", rest)
			}
			f.MemoryBytes = kb * 1024
			return nil
		}
	}
	return errors.New("no MemTotal")
}

// readSwaps reads /proc/swaps: a header, then name, type, size in KiB, used and
// priority.
func readSwaps(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		w := strings.Fields(line)
		if w[0] == "Filename" {
			continue
		}
		if len(w) < 3 {
			return fmt.Errorf("swap line %q", line)
		}
		kb, ok := atoi64(w[2])
		if !ok || kb < 0 || kb > 1<<50 {
			return fmt.Errorf("swap line %q", line)
		}
		f.SwapBytes += kb * 1024
	}
	return nil
}

func readLimits(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		at := strings.LastIndex(line, ":")
		if at < 0 {
			continue
		}
		n, ok := atoi64(line[at+1:])
		if !ok {
			continue
		}
		switch path := line[:at]; {
		case strings.HasSuffix(path, "/max_user_instances"):
			f.Limits.InotifyInstances = n
		case strings.HasSuffix(path, "/max_user_watches"):
			f.Limits.InotifyWatches = n
		case strings.HasSuffix(path, "/file-max"):
			f.Limits.FileMax = n
		case strings.HasSuffix(path, "/pid_max"):
			f.Limits.PIDMax = n
		}
	}
	return nil
}
