package facts

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"
)

func proxyEnvironment() rule {
	return rule{
		Rule: Rule{ID: "proxy-environment", Severity: Info,
			Meaning: "The host reaches the internet through a proxy. k3s and containerd only use it if it stands in /etc/default/k3s or k3s-agent, and cluster addresses must be excepted.",
			Fix:     "put HTTP_PROXY, HTTPS_PROXY and a NO_PROXY with the pod, service and host networks into /etc/default/k3s and /etc/default/k3s-agent"},
		host: func(c hostCase) []hit {
			var set []string
			for _, name := range slices.Sorted(maps.Keys(c.f.Network.Proxy)) {
				if !strings.HasSuffix(strings.ToLower(name), "no_proxy") {
					set = append(set, name+"="+c.f.Network.Proxy[name])
				}
			}
			if len(set) == 0 {
				return nil
			}
			return one("the host uses a proxy", strings.Join(set, ", "))
		},
	}
}

// loopbackOnly says whether a resolver file has name servers, all on the host
// itself.
func loopbackOnly(servers []string) bool {
	for _, s := range servers {
		if a, err := netip.ParseAddr(s); err != nil || !a.IsLoopback() {
			return false
		}
	}
	return len(servers) > 0
}

func resolverLoop() rule {
	return rule{
		Rule: Rule{ID: "resolver-loop", Severity: Warn,
			Meaning: "Name servers that are only on the host itself do not work from within pods. k3s then takes those of systemd-resolved; where there are none either, it falls back to a public one.",
			Fix:     "k3sConfig: {resolv-conf: /PATH} with a file that names a real name server"},
		host: func(c hostCase) []hit {
			if !c.read("resolv") {
				return nil
			}
			main := c.f.Network.Resolvers["/etc/resolv.conf"]
			behind := c.f.Network.Resolvers["/run/systemd/resolve/resolv.conf"]
			switch {
			case c.text("resolv-conf") != "":
				return nil
			case len(main) == 0:
				return one("the host has no name server", "no nameserver line in /etc/resolv.conf")
			case loopbackOnly(main) && (len(behind) == 0 || loopbackOnly(behind)):
				return one("the only name servers are on the host itself; pods cannot use them", fmt.Sprintf("nameserver %s", strings.Join(main, ", ")))
			}
			return nil
		},
	}
}

func ownName() rule {
	return rule{
		Rule: Rule{ID: "own-name", Severity: Info,
			Meaning: "A host name that neither /etc/hosts nor nss-myhostname knows is asked of the name server, which may cost ten seconds at each start.",
			Fix:     "echo \"127.0.1.1 $(hostname)\" >> /etc/hosts"},
		host: func(c hostCase) []hit {
			if c.f.Network.OwnName || !c.read("hosts") || c.f.Hostname == "" {
				return nil
			}
			return one("the host does not know its own name without a name server", fmt.Sprintf("%q is not in /etc/hosts", c.f.Hostname))
		},
	}
}
