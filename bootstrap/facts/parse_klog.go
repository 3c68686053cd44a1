package facts

import (
	"regexp"
	"strings"
)

// readKernlog reads the lines of the kernel log that the probe picked.
func readKernlog(f *Facts, s section) error {
	f.Kernlog = parseKernlog(s.body)
	if strings.Contains(s.body, "Operation not permitted") {
		f.unknown("klog", "dmesg is for root only here: "+evidence(s.body))
	}
	return nil
}

// xidLine is "NVRM: Xid (PCI:0000:17:00): 79, pid=…, GPU has fallen off the
// bus." whatever stands before it. A partition ("GPU-I:05") may follow the
// address.
var xidLine = regexp.MustCompile(`NVRM: Xid \(PCI:([0-9a-fA-F:.]+)[^)]*\): (\d{1,4}), ?(.*)`)

// sxidLine is "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20034, Fatal, …".
var sxidLine = regexp.MustCompile(`SXid \(PCI:([0-9a-fA-F:.]+)[^)]*\): (\d{1,6}), ?(.*)`)

// parseKernlog reads dmesg or journalctl -k text.
func parseKernlog(text string) Kernlog {
	var k Kernlog
	for _, line := range lines(text) {
		if m := xidLine.FindStringSubmatch(line); m != nil {
			code, _ := atoi(m[2])
			k.Xids = append(k.Xids, Xid{Bus: strings.ToLower(m[1]), Code: code, Text: m[3]})
			continue
		}
		if m := sxidLine.FindStringSubmatch(line); m != nil {
			code, _ := atoi(m[2])
			k.Xids = append(k.Xids, Xid{Bus: strings.ToLower(m[1]), Code: code, Text: m[3],
				Switch: true, Fatal: strings.HasPrefix(m[3], "Fatal")})
			continue
		}
		if _, after, ok := strings.Cut(line, "NVRM: "); ok {
			k.Lines = append(k.Lines, after)
		} else if strings.Contains(line, "Lockdown: modprobe") {
			k.Lines = append(k.Lines, line)
		}
	}
	return k
}
