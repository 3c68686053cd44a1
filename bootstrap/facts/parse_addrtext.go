package facts

import (
	"errors"
	"net/netip"
	"strings"
)

// parseAddrText reads the text of `ip addr`, of busybox or iproute2:
//
//	2: eth0@if17: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP
//	    link/ether 02:42:ac:11:00:02 brd ff:ff:ff:ff:ff:ff
//	    inet 172.17.0.2/16 brd 172.17.255.255 scope global eth0
func parseAddrText(text string) ([]Link, error) {
	var out []Link
	for line := range strings.SplitSeq(text, "\n") {
		w := strings.Fields(line)
		if len(w) < 2 {
			continue
		}
		switch {
		case line[0] >= '0' && line[0] <= '9' && len(w) >= 3 && strings.HasPrefix(w[2], "<"):
			out = append(out, textLink(w))
		case len(out) == 0:
		case strings.HasPrefix(w[0], "link/"):
			l := &out[len(out)-1]
			l.Kind, l.MAC = linkKind(strings.TrimPrefix(w[0], "link/")), w[1]
		case w[0] == "inet" || w[0] == "inet6":
			l := &out[len(out)-1]
			if a, ok := textAddr(w); ok {
				l.Addrs = append(l.Addrs, a)
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("ip says: " + evidence(text))
	}
	return out, nil
}

// textLink reads the first line of an interface. A name "eth0@if17" has its
// other end in another namespace, "bond0.7@bond0" its parent here.
func textLink(w []string) Link {
	name, parent, _ := strings.Cut(strings.TrimSuffix(w[1], ":"), "@")
	flags := strings.Split(strings.Trim(w[2], "<>"), ",")
	l := Link{Name: name, Up: isUp(flags)}
	if parent != "" && !strings.HasPrefix(parent, "if") {
		l.Parent = parent
	}
	for i := 3; i+1 < len(w); i += 2 {
		switch w[i] {
		case "mtu":
			l.MTU, _ = atoi(w[i+1])
		case "master":
			l.Master = w[i+1]
		}
	}
	return l
}

// textAddr reads "inet 198.51.100.50 peer 198.51.100.1/32 scope global dynamic
// eth0".
func textAddr(w []string) (Addr, bool) {
	var a Addr
	prefix := w[1]
	for i, word := range w {
		switch {
		case word == "scope" && i+1 < len(w):
			a.Scope = w[i+1]
		case word == "peer" && i+1 < len(w):
			prefix = w[i+1]
		case word == "secondary":
			a.Secondary = true
		case word == "noprefixroute":
			a.NoPrefixRoute = true
		case word == "dynamic":
			a.Dynamic = true
		case word == "temporary":
			a.Temporary = true
		case word == "deprecated":
			a.Deprecated = true
		}
	}
	p, err := netip.ParsePrefix(prefix)
	if err != nil {
		return Addr{}, false
	}
	a.Prefix = p
	if prefix != w[1] {
		own, err := netip.ParseAddr(w[1])
		if err != nil || own.BitLen() != p.Addr().BitLen() {
			return Addr{}, false
		}
		a.Peer, a.Prefix = p.Addr(), netip.PrefixFrom(own, p.Bits())
	}
	return a, true
}
