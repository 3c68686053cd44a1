package facts

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// twins finds values that several hosts have and gives each of these hosts a
// hit that names the others. An empty value is none.
func (s *scene) twins(value func(hostCase) string, summary string) []hit {
	by := map[string][]string{}
	for _, c := range s.hosts {
		if v := value(c); v != "" {
			by[v] = append(by[v], c.host.Name)
		}
	}
	var out []hit
	for _, c := range s.hosts {
		v := value(c)
		if hosts := by[v]; v != "" && len(hosts) > 1 {
			others := slices.DeleteFunc(slices.Clone(hosts), func(n string) bool { return n == c.host.Name })
			out = append(out, hit{host: c.host.Name, summary: summary, evidence: fmt.Sprintf("%s, also on %s", v, some(others))})
		}
	}
	return out
}

func sameHostTwice() rule {
	return rule{
		Rule: Rule{ID: "same-host-twice", Severity: Block,
			Meaning: "Two hosts of the inventory are the same machine: same boot, same machine-id, same addresses.",
			Fix:     "take one of them out of the inventory"},
		all: func(s *scene) []hit {
			return s.twins(func(c hostCase) string {
				var addrs []string
				for _, a := range held(c.f) {
					addrs = append(addrs, a.String())
				}
				if c.f.BootID == "" || c.f.MachineID == "" || len(addrs) == 0 {
					return ""
				}
				slices.Sort(addrs)
				return "boot " + c.f.BootID + ", addresses " + strings.Join(addrs, " ")
			}, "this is the same machine as another host of the inventory")
		},
	}
}

func hostnameDuplicate() rule {
	return rule{
		Rule: Rule{ID: "hostname-duplicate", Severity: Info,
			Meaning: "Clones share a hostname. gpuboot names nodes after the inventory, so it only confuses people and logs.",
			Fix:     "hostnamectl set-hostname NAME"},
		all: func(s *scene) []hit {
			return s.twins(func(c hostCase) string { return c.f.Hostname }, "the hostname is that of another host too; the node is named after the inventory")
		},
	}
}

func machineIDDuplicate() rule {
	return rule{
		Rule: Rule{ID: "machine-id-duplicate", Severity: Warn,
			Meaning: "Clones share /etc/machine-id: DHCP may give them one address, and tools that tell nodes by it take them for one.",
			Fix:     "rm -f /etc/machine-id /var/lib/dbus/machine-id && systemd-machine-id-setup, then reboot"},
		all: func(s *scene) []hit {
			return s.twins(func(c hostCase) string { return c.f.MachineID }, "the machine-id is that of another host too: this is a clone")
		},
	}
}

func productUUIDDuplicate() rule {
	return rule{
		Rule: Rule{ID: "product-uuid-duplicate", Severity: Warn,
			Meaning: "Hosts with one product UUID are copies of one virtual machine. Containers of one machine share it and are left out.",
			Fix:     "let the hypervisor give each virtual machine a UUID of its own"},
		all: func(s *scene) []hit {
			return s.twins(func(c hostCase) string {
				if c.f.Container {
					return ""
				}
				return c.f.ProductUUID
			}, "the product UUID is that of another host too")
		},
	}
}

func macDuplicate() rule {
	return rule{
		Rule: Rule{ID: "mac-duplicate", Severity: Warn,
			Meaning: "Two hosts with one MAC address on the cluster's network take each other's packets. Links that carry no node address do not matter.",
			Fix:     "let the hypervisor give each network card a MAC address of its own"},
		all: func(s *scene) []hit {
			return s.twins(func(c hostCase) string {
				a, _, err := s.addresses.Choose(c.host, c.f)
				if err != nil {
					return ""
				}
				if l := c.f.link(a.Interface); l != nil && l.MAC != "" && strings.Trim(l.MAC, "0:") != "" {
					return l.MAC
				}
				return ""
			}, "the MAC address of the node's network card is that of another host too")
		},
	}
}

func nodeAddress() rule {
	return rule{
		Rule: Rule{ID: "node-address", Severity: Block,
			Meaning: "A node needs an address that the other hosts can reach: not one behind NAT, on a tunnel, or of a container engine.",
			Fix:     "set nodeIP or interface of the host in the inventory"},
		host: func(c hostCase) []hit {
			if !c.read("addr") {
				return nil
			}
			_, _, err := c.addresses.Choose(c.host, c.f)
			if err == nil {
				return nil
			}
			return one("no address of the host can be the node's", err.Error())
		},
	}
}

func addressDuplicate() rule {
	return rule{
		Rule: Rule{ID: "node-address-duplicate", Severity: Block,
			Meaning: "Two nodes cannot have one address.",
			Fix:     "set nodeIP or interface of each host in the inventory to what it alone holds"},
		all: func(s *scene) []hit {
			return s.twins(func(c hostCase) string {
				a, _, err := s.addresses.Choose(c.host, c.f)
				if err != nil || a.NodeIP == (netip.Addr{}) {
					return ""
				}
				return a.NodeIP.String()
			}, "the node address is that of another host too")
		},
	}
}
