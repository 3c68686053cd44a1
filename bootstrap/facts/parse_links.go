package facts

import (
	"encoding/json"
	"fmt"
	"strings"
)

// readLinkKinds reads `ip -j -d link`, of which only the kinds are taken. Some
// older iproute2 print no valid JSON here; then what sysfs says has to do.
func readLinkKinds(f *Facts, s section) error {
	if !json.Valid([]byte(s.body)) {
		return nil
	}
	var raw []ipLink
	if err := json.Unmarshal([]byte(s.body), &raw); err != nil {
		return fmt.Errorf("reading ip's JSON: %w", err)
	}
	for _, r := range raw {
		l := f.link(r.Name)
		if l == nil || r.Name == "" {
			continue
		}
		if r.Info.Kind != "" {
			l.Kind = r.Info.Kind
		}
		if l.MAC == "" && !strings.EqualFold(r.LinkType, "none") {
			l.MAC = r.Address
		}
	}
	return nil
}

func (f *Facts) link(name string) *Link {
	for i := range f.Links {
		if f.Links[i].Name == name {
			return &f.Links[i]
		}
	}
	return nil
}

// readNet reads the probe's lines about interfaces in sysfs: a name, then
// key=value words.
func readNet(f *Facts, s section) error {
	for _, line := range lines(s.body) {
		w := strings.Fields(line)
		l := f.link(w[0])
		if l == nil {
			continue
		}
		v := values(strings.Join(w[1:], "\n"))
		l.Physical = v["device"] == "yes"
		if n, ok := atoi(v["speed"]); ok && n > 0 {
			l.SpeedMbit = n
		}
		if kind := sysfsKind(v); kind != "" && (l.Kind == "" || l.Kind == "ether" || l.Kind == "tun") {
			l.Kind = kind
		}
	}
	return nil
}

// sysfsKind names an interface after sysfs: what only one kind of it has, then
// DEVTYPE, then the hardware type (linux/if_arp.h).
func sysfsKind(v map[string]string) string {
	switch {
	case v["tun"] == "yes":
		return "tun"
	case v["bridge"] == "yes":
		return "bridge"
	case v["bonding"] == "yes":
		return "bond"
	case v["devtype"] != "":
		return v["devtype"]
	}
	switch v["type"] {
	case "32":
		return "infiniband"
	case "772":
		return "loopback"
	}
	return ""
}
