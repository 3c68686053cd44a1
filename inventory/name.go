package inventory

import (
	"net/netip"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// checkNodeName refuses what Kubernetes refuses as a node name: anything but an
// RFC 1123 subdomain in lower case.
func checkNodeName(what, name string) error {
	if len(validation.IsDNS1123Subdomain(name)) == 0 {
		return nil
	}
	hint := "use a-z, 0-9, '-' and '.', at most 253 characters, each part beginning and ending with a letter or digit"
	if lower := strings.ToLower(name); len(validation.IsDNS1123Subdomain(lower)) == 0 {
		hint = "write " + quote(lower)
	}
	return refused(what+" "+quote(name)+" is not a Kubernetes node name", hint)
}

// checkClusterLabel holds the names of clusters and pools to one DNS label: they
// become parts of file names, contexts and label values.
func checkClusterLabel(what, name string) error {
	if len(validation.IsDNS1123Label(name)) == 0 {
		return nil
	}
	hint := "use a-z, 0-9 and '-', at most 63 characters, beginning and ending with a letter or digit"
	if lower := strings.ToLower(strings.ReplaceAll(name, "_", "-")); len(validation.IsDNS1123Label(lower)) == 0 {
		hint = "write " + quote(lower)
	}
	return refused(what+" "+quote(name)+" is not usable as a name", hint)
}

// deriveName makes a node name of an address when none is given. It depends on
// nothing but the entry itself, so adding a host renames no other.
//
//   - A DNS name or ssh_config alias is the name, in lower case.
//   - An IP address becomes ip- and its digits, as EC2 does it: ip-10-0-0-11,
//     ip-2001-db8--1.
//   - A port other than 22 written in the same entry is added, because several
//     machines are often rented behind the ports of one address:
//     ip-198-51-100-7-2201.
func deriveName(address string, port int) string {
	name := strings.ToLower(address)
	if ip, err := netip.ParseAddr(address); err == nil {
		text := ip.String()
		if strings.HasPrefix(text, ":") {
			text = "0" + text
		}
		if strings.HasSuffix(text, ":") {
			text += "0"
		}
		name = "ip-" + strings.NewReplacer(".", "-", ":", "-").Replace(text)
	}
	if port != 0 && port != 22 {
		name += "-" + strconv.Itoa(port)
	}
	return name
}
