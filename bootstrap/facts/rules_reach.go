package facts

import (
	"fmt"
	"slices"
	"strings"
)

func addressUnreached() rule {
	return rule{mutual: true,
		Rule: Rule{ID: "address-unreached", Severity: Block,
			Meaning: "Other hosts tried this host's best address and did not get through: k3s could not join, and pods could not talk.",
			Fix:     "see the route and the firewall between the hosts, or name another network: interface: CIDR in the inventory"},
		host: func(c hostCase) []hit {
			p := c.f.Proof
			var out []hit
			if len(p.Blind) > 0 {
				out = one("the host reaches no other host, although they reach each other", "it tried "+some(p.Blind))
			}
			if len(p.Missed) == 0 {
				return out
			}
			return append(out, one(fmt.Sprintf("%s on %s is not reached by %s", p.Address.NodeIP, p.Address.Interface, some(p.Missed)),
				fmt.Sprintf("reached by %d of the %d hosts that tried", len(p.Reached), len(p.Reached)+len(p.Missed)))...)
		},
	}
}

func portClosed() rule {
	return rule{mutual: true,
		Rule: Rule{ID: "port-closed", Severity: Block,
			Meaning: "A port that other hosts need on this host is closed by a firewall: the host listened there for the time of a test, and the others did not get through. For the kubelet's port alone it is a warning.",
			Fix:     "open the port for the other hosts' addresses, on the host and at the provider"},
		host: func(c hostCase) []hit {
			closed := c.f.Proof.Closed
			if len(closed) == 0 {
				return nil
			}
			severity := Severity("")
			if !slices.ContainsFunc(closed, func(p ClosedPort) bool { return p.Port != kubeletPort }) {
				severity = Warn
			}
			var ports, seen []string
			for _, p := range closed {
				ports = append(ports, p.name())
				how := "get lost"
				if p.Rejected {
					how = "are rejected"
				}
				seen = append(seen, fmt.Sprintf("packets to %s from %s %s", p.name(), some(p.From), how))
			}
			return []hit{{severity: severity,
				summary:  fmt.Sprintf("a firewall closes %s to other hosts (%s)", strings.Join(ports, ", "), c.f.firewall()),
				evidence: strings.Join(seen, "; "), fix: c.f.openPorts(closed)}}
		},
	}
}

// kubeletPort is only asked by servers for metrics: logs and exec go through a
// tunnel that the agents open.
const kubeletPort = 10250

func pathMTU() rule {
	return rule{
		Rule: Rule{ID: "path-mtu", Severity: Warn,
			Meaning: "Between two hosts packets get lost that both network cards can send: small requests between pods work, large ones hang.",
			Fix:     "set the MTU of the cards to what the path carries, on all hosts"},
		host: func(c hostCase) []hit {
			var seen []string
			least := 0
			for _, n := range c.f.Proof.Narrow {
				if n.Path == 0 {
					seen = append(seen, fmt.Sprintf("a connection from %s does not carry 96 KiB", n.From))
					continue
				}
				seen = append(seen, fmt.Sprintf("of %d bytes that the cards take, %d arrive from %s", n.Cards, n.Path, n.From))
				if least == 0 || n.Path < least {
					least = n.Path
				}
			}
			if len(seen) == 0 {
				return nil
			}
			h := hit{summary: "the path to this host loses large packets", evidence: some(seen)}
			if least > 0 {
				h.summary = fmt.Sprintf("the path to this host carries packets of %d bytes at most, less than its card says", least)
				h.fix = fmt.Sprintf("ip link set dev %s mtu %d on every host of this network, and the same in the network's own configuration so that it stays", c.f.Proof.Address.Interface, least)
			}
			return []hit{h}
		},
	}
}

func reachUntested() rule {
	return rule{
		Rule: Rule{ID: "reach-untested", Severity: Info,
			Meaning: "The test between the hosts could not try everything, so a closed port or a narrow path may remain unseen.",
			Fix:     "install python3 or perl on the host for a full test; gpuboot needs neither"},
		host: func(c hostCase) []hit {
			if c.f.Proof.Untested == "" {
				return nil
			}
			return one("the test between the hosts left something out", c.f.Proof.Untested)
		},
	}
}
