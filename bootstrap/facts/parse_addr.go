package facts

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// ipLink is one entry of `ip -j addr` or `ip -j -d link`. Filtered entries are
// empty objects, in the outer list and in addr_info.
type ipLink struct {
	Name      string   `json:"ifname"`
	Link      string   `json:"link"`
	Flags     []string `json:"flags"`
	MTU       int      `json:"mtu"`
	Master    string   `json:"master"`
	OperState string   `json:"operstate"`
	LinkType  string   `json:"link_type"`
	Address   string   `json:"address"`
	AltNames  []string `json:"altnames"`
	Addrs     []ipAddr `json:"addr_info"`
	Info      struct {
		Kind string `json:"info_kind"`
	} `json:"linkinfo"`
}

type ipAddr struct {
	Local         string `json:"local"`
	Peer          string `json:"address"`
	PrefixLen     int    `json:"prefixlen"`
	Scope         string `json:"scope"`
	Secondary     bool   `json:"secondary"`
	NoPrefixRoute bool   `json:"noprefixroute"`
	Dynamic       bool   `json:"dynamic"`
	Temporary     bool   `json:"temporary"`
	Deprecated    bool   `json:"deprecated"`
}

// readAddrs reads `ip -j addr`, or the text of `ip addr` where ip knows no -j.
func readAddrs(f *Facts, s section) error {
	links, err := parseAddr(s.body)
	f.Links = links
	return err
}

func parseAddr(text string) ([]Link, error) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "[") {
		return parseAddrJSON(text)
	}
	return parseAddrText(text)
}

func parseAddrJSON(text string) ([]Link, error) {
	var raw []ipLink
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, fmt.Errorf("reading ip's JSON: %w", err)
	}
	var out []Link
	for _, r := range raw {
		if r.Name == "" {
			continue
		}
		out = append(out, r.toLink())
	}
	if len(out) == 0 {
		return nil, errors.New("ip lists no interface")
	}
	return out, nil
}

func (r ipLink) toLink() Link {
	l := Link{Name: r.Name, Kind: linkKind(r.LinkType), MAC: r.Address, MTU: r.MTU, Up: isUp(r.Flags),
		Master: r.Master, Parent: r.Link, AltNames: r.AltNames}
	if l.Kind == "" && hasFlag(r.Flags, "LOOPBACK") {
		l.Kind = "loopback"
	}
	for _, a := range r.Addrs {
		if addr, ok := a.toAddr(); ok {
			l.Addrs = append(l.Addrs, addr)
		}
	}
	return l
}

func (a ipAddr) toAddr() (Addr, bool) {
	ip, err := netip.ParseAddr(a.Local)
	if err != nil || a.PrefixLen < 0 || a.PrefixLen > ip.BitLen() {
		return Addr{}, false
	}
	out := Addr{
		Prefix: netip.PrefixFrom(ip.WithZone(""), a.PrefixLen), Scope: a.Scope,
		Secondary: a.Secondary, NoPrefixRoute: a.NoPrefixRoute, Dynamic: a.Dynamic,
		Temporary: a.Temporary, Deprecated: a.Deprecated,
	}
	if peer, err := netip.ParseAddr(a.Peer); err == nil {
		out.Peer = peer
	}
	return out, true
}

// linkKind turns ip's hardware type into a kind. "none" is what tunnels without
// a link layer say.
func linkKind(linkType string) string {
	switch linkType {
	case "none":
		return "tun"
	case "ether", "loopback", "infiniband", "":
		return linkType
	}
	return linkType
}

func hasFlag(flags []string, want string) bool {
	return slices.Contains(flags, want)
}

func isUp(flags []string) bool {
	return hasFlag(flags, "UP") && hasFlag(flags, "LOWER_UP") && !hasFlag(flags, "NO-CARRIER")
}
