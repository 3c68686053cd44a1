package probe

import (
	"encoding/json"
	"fmt"
	"strings"
)

type ipAddr struct {
	Local     string `json:"local"`
	PrefixLen int    `json:"prefixlen"`
	Scope     string `json:"scope"`
}

type ipInfo struct {
	Kind string `json:"info_kind,omitempty"`
}

type ipLink struct {
	Name     string   `json:"ifname"`
	Flags    []string `json:"flags"`
	MTU      int      `json:"mtu"`
	LinkType string   `json:"link_type"`
	Address  string   `json:"address"`
	Addrs    []ipAddr `json:"addr_info,omitempty"`
	Info     *ipInfo  `json:"linkinfo,omitempty"`
}

// mac is the card's address, made from the host's IPv4 address.
func (s *State) mac() string {
	a := s.Address.Addr().As4()
	return fmt.Sprintf("02:5a:%02x:%02x:%02x:%02x", a[0], a[1], a[2], a[3])
}

// links are the host's own, and those that k3s makes while it runs.
func (s *State) links() []ipLink {
	up := []string{"BROADCAST", "MULTICAST", "UP", "LOWER_UP"}
	out := []ipLink{
		{Name: "lo", Flags: []string{"LOOPBACK", "UP", "LOWER_UP"}, MTU: 65536, LinkType: "loopback", Address: "00:00:00:00:00:00",
			Addrs: []ipAddr{{"127.0.0.1", 8, "host"}}},
		{Name: "eth0", Flags: up, MTU: 1500, LinkType: "ether", Address: s.mac(),
			Addrs: []ipAddr{{s.Address.Addr().String(), s.Address.Bits(), "global"}}},
	}
	for i := range s.RDMA {
		out = append(out, ipLink{Name: fmt.Sprintf("ib%d", i), Flags: up, MTU: 4092, LinkType: "infiniband", Address: fmt.Sprintf("00:00:10:%02x", i)})
	}
	if s.Traces {
		out = append(out,
			ipLink{Name: "flannel.1", Flags: up, MTU: 1450, LinkType: "ether", Address: "02:5b" + s.mac()[5:], Addrs: []ipAddr{{"10.42.0.0", 32, "global"}}, Info: &ipInfo{"vxlan"}},
			ipLink{Name: "cni0", Flags: up, MTU: 1450, LinkType: "ether", Address: "02:5c" + s.mac()[5:], Addrs: []ipAddr{{"10.42.0.1", 24, "global"}}, Info: &ipInfo{"bridge"}})
	}
	return out
}

func (s *State) addr() string {
	links := s.links()
	for i := range links {
		links[i].Info = nil
	}
	return toJSON(links)
}

func (s *State) linkKinds() string {
	links := s.links()
	for i := range links {
		links[i].Addrs = nil
		if links[i].Info == nil {
			links[i].Info = &ipInfo{}
		}
	}
	return toJSON(links)
}

func toJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain structs of strings and numbers
	}
	return string(data) + "\n"
}

func (s *State) net() string {
	var b strings.Builder
	for _, l := range s.links() {
		switch {
		case l.LinkType == "loopback":
			b.WriteString("lo type=772\n")
		case l.LinkType == "infiniband":
			fmt.Fprintf(&b, "%s type=32 device=yes\n", l.Name)
		case l.Info == nil:
			fmt.Fprintf(&b, "%s type=1 device=yes speed=100000\n", l.Name)
		case l.Info.Kind == "bridge":
			fmt.Fprintf(&b, "%s type=1 devtype=bridge bridge=yes\n", l.Name)
		default:
			fmt.Fprintf(&b, "%s type=1 devtype=%s\n", l.Name, l.Info.Kind)
		}
	}
	return b.String()
}

func (s *State) route4() string {
	return toJSON([]map[string]any{
		{"dst": "default", "gateway": s.Gateway.String(), "dev": "eth0", "protocol": "static", "flags": []string{}},
		{"dst": s.Address.Masked().String(), "dev": "eth0", "protocol": "kernel", "scope": "link", "prefsrc": s.Address.Addr().String(), "flags": []string{}},
	})
}
