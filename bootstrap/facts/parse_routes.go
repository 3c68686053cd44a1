package facts

import (
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
)

type ipRoute struct {
	Type    string `json:"type"`
	Dst     string `json:"dst"`
	Gateway string `json:"gateway"`
	Via     struct {
		Host string `json:"host"`
	} `json:"via"`
	Dev      string `json:"dev"`
	Source   string `json:"prefsrc"`
	Metric   int    `json:"metric"`
	NextHops []struct {
		Gateway string `json:"gateway"`
		Dev     string `json:"dev"`
	} `json:"nexthops"`
}

// readRoutes reads `ip -j route` of one family; it is called for both.
func readRoutes(f *Facts, s section) error {
	routes, err := parseRoutes(s.body)
	f.Routes = append(f.Routes, routes...)
	return err
}

// parseRoutes reads the JSON or the text of `ip route`. A list that is cut off
// at its end gives the routes before that, and an error.
func parseRoutes(text string) ([]Route, error) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "[") {
		return parseRouteText(text)
	}
	dec := json.NewDecoder(strings.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return nil, errors.New("ip route says: " + evidence(text))
	}
	var out []Route
	for dec.More() {
		var r ipRoute
		if err := dec.Decode(&r); err != nil {
			return out, errors.New("ip route's JSON is cut off or broken: " + evidence(text))
		}
		out = append(out, r.routes()...)
	}
	return out, nil
}

// routes gives one route for each next hop.
func (r ipRoute) routes() []Route {
	base := Route{Type: r.Type, Dev: r.Dev, Metric: r.Metric, Gateway: addrOrZero(r.Gateway), Source: addrOrZero(r.Source)}
	if base.Type == "" {
		base.Type = "unicast"
	}
	if !base.Gateway.IsValid() {
		base.Gateway = addrOrZero(r.Via.Host)
	}
	v6 := base.Gateway.Is6() || base.Source.Is6()
	for _, h := range r.NextHops {
		v6 = v6 || addrOrZero(h.Gateway).Is6()
	}
	dst, ok := routeDst(r.Dst, v6)
	if !ok {
		return nil
	}
	base.Dst = dst
	if len(r.NextHops) == 0 {
		return []Route{base}
	}
	var out []Route
	for _, h := range r.NextHops {
		hop := base
		hop.Gateway, hop.Dev = addrOrZero(h.Gateway), h.Dev
		out = append(out, hop)
	}
	return out
}

// routeDst reads a destination: default, an address, or a prefix.
func routeDst(dst string, v6 bool) (netip.Prefix, bool) {
	if dst == "default" {
		if v6 {
			return netip.PrefixFrom(netip.IPv6Unspecified(), 0), true
		}
		return netip.PrefixFrom(netip.IPv4Unspecified(), 0), true
	}
	if p, err := netip.ParsePrefix(dst); err == nil {
		return p.Masked(), true
	}
	a, err := netip.ParseAddr(dst)
	if err != nil {
		return netip.Prefix{}, false
	}
	return netip.PrefixFrom(a, a.BitLen()), true
}

func addrOrZero(s string) netip.Addr {
	a, err := netip.ParseAddr(s)
	if err != nil {
		return netip.Addr{}
	}
	return a
}

// parseRouteText reads "default via 192.168.1.1 dev eth0 metric 100" lines. No
// lines are no routes; a text in which no line is one is an error.
func parseRouteText(text string) ([]Route, error) {
	var out []Route
	for _, line := range lines(text) {
		w := strings.Fields(line)
		r := ipRoute{Type: "unicast"}
		switch w[0] {
		case "blackhole", "unreachable", "prohibit", "throw":
			r.Type, w = w[0], w[1:]
		}
		if len(w) == 0 {
			continue
		}
		r.Dst = w[0]
		for i := 1; i+1 < len(w); i++ {
			switch w[i] {
			case "via":
				r.Gateway = w[i+1]
			case "dev":
				r.Dev = w[i+1]
			case "src":
				r.Source = w[i+1]
			case "metric":
				r.Metric, _ = atoi(w[i+1])
			}
		}
		out = append(out, r.routes()...)
	}
	if len(out) == 0 && strings.TrimSpace(text) != "" {
		return nil, errors.New("ip route says: " + evidence(text))
	}
	return out, nil
}
