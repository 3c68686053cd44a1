package inventory

import (
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

func line(a at) string { return strconv.Itoa(a.pos.Line) }

// checkRole reports a host without a role, once for a whole pool.
func (d *decoder) checkRole(p *poolSpec, h *hostSpec, where at) {
	if h.Role.Set || p.Role.Set {
		return
	}
	words := "role: server, worker or both"
	switch {
	case h.Role.given() || p.Role.given():
	case !p.Name.Set:
		d.report(where, "the host has no role", "write it as a map with "+words+", or list it in a pool")
	case !d.roleless[p]:
		d.roleless[p] = true
		d.report(p.Name.At, "pool "+quote(p.Name.V)+" has no role", "add "+words)
	}
	d.incomplete = true
}

// nodeIP checks the address a node is to have.
func (d *decoder) nodeIP(h *hostSpec) string {
	if !h.NodeIP.Set {
		return ""
	}
	ip, err := netip.ParseAddr(h.NodeIP.V)
	before := len(d.problems)
	switch {
	case err != nil || ip.Zone() != "":
		d.report(h.NodeIP.At, "nodeIP "+quote(h.NodeIP.V)+" is not an IP address", "")
	case ip.IsLoopback() || ip.IsUnspecified() || ip.IsMulticast() || ip.IsLinkLocalUnicast():
		d.report(h.NodeIP.At, "nodeIP "+quote(h.NodeIP.V)+" cannot be reached from other hosts", "")
	case len(h.targets) > 1:
		d.report(h.NodeIP.At, fmt.Sprintf("nodeIP is one address, but the entry stands for %d hosts", len(h.targets)),
			"use interface with a CIDR, or list the hosts one by one")
	}
	if len(d.problems) > before {
		return ""
	}
	return ip.Unmap().String()
}

// crossCheck looks at all hosts together.
func (d *decoder) crossCheck(s *spec, inv *Inventory, hosts []placed) {
	d.checkTwice(hosts)
	d.checkNetworks(s, inv, hosts)
	d.checkCritical(hosts)
	// A host that was refused may have been the missing server.
	switch {
	case d.incomplete:
	case inv.Existing != nil:
		d.checkMembers(hosts)
	default:
		d.checkServers(hosts)
	}
	d.warnings(inv, hosts)
}

// checkTwice finds names and machines that are there twice.
func (d *decoder) checkTwice(hosts []placed) {
	names, machines, ips := map[string]placed{}, map[string]placed{}, map[string]placed{}
	for _, h := range hosts {
		if first, double := names[h.Name]; double {
			d.report(h.at, "host name "+quote(h.Name)+" is there twice", "the first is on line "+line(first.at))
			continue
		}
		names[h.Name] = h
		if first, double := machines[h.key()]; double {
			d.report(h.at, "address "+quote(h.Address)+" of host "+quote(h.Name)+" is also that of host "+quote(first.Name),
				"the first is on line "+line(first.at))
			continue
		}
		machines[h.key()] = h
		if first, double := ips[h.NodeIP]; double && h.NodeIP != "" {
			d.report(h.nodeIPAt, "nodeIP "+quote(h.NodeIP)+" is also that of host "+quote(first.Name), "the first is on line "+line(first.at))
		}
		ips[h.NodeIP] = h
	}
}

// checkNetworks finds hosts inside the cluster's own networks, node addresses of
// the wrong family, and a pod network that is too small.
func (d *decoder) checkNetworks(s *spec, inv *Inventory, hosts []placed) {
	pods, errPods := netip.ParsePrefix(inv.Network.PodCIDR)
	services, errServices := netip.ParsePrefix(inv.Network.ServiceCIDR)
	if errPods != nil || errServices != nil {
		return
	}
	for _, h := range hosts {
		for _, place := range []struct {
			what, text string
			at         at
		}{{"address", h.Address, h.at}, {"nodeIP", h.NodeIP, h.nodeIPAt}} {
			ip, err := netip.ParseAddr(place.text)
			switch {
			case err != nil:
			case pods.Contains(ip):
				d.report(place.at, fmt.Sprintf("%s %s lies in podCIDR %s", place.what, ip, pods), "choose another network.podCIDR")
			case services.Contains(ip):
				d.report(place.at, fmt.Sprintf("%s %s lies in serviceCIDR %s", place.what, ip, services), "choose another network.serviceCIDR")
			case place.what == "nodeIP" && ip.Is4() != pods.Addr().Is4():
				d.report(place.at, fmt.Sprintf("nodeIP %s and podCIDR %s are of different address families", ip, pods), "")
			}
		}
	}
	room := nodeBits(pods) - pods.Bits()
	if room >= 0 && room < 16 && len(hosts) > 1<<room && !ownNodeMask(s.K3s.Config) {
		where := s.Network.PodCIDR.At
		d.report(where, fmt.Sprintf("podCIDR %s has room for %d nodes, each takes a /%d, and there are %d hosts",
			pods, 1<<room, nodeBits(pods), len(hosts)), "use a larger network")
	}
}

// ownNodeMask reports whether the size of a node's network was changed.
func ownNodeMask(c k3sConfig) bool {
	for _, e := range c {
		if e.flag.Name == "kube-controller-manager-arg" && strings.Contains(fmt.Sprint(e.value), "node-cidr-mask-size") {
			return true
		}
	}
	return false
}

// checkCritical finds k3s keys that differ between servers although k3s refuses
// that.
func (d *decoder) checkCritical(hosts []placed) {
	servers := slices.DeleteFunc(slices.Clone(hosts), func(h placed) bool { return !h.Role.IsServer() })
	for _, f := range K3sFlags() {
		if !f.Critical {
			continue
		}
		for _, h := range servers[min(1, len(servers)):] {
			if reflect.DeepEqual(h.K3sConfig[f.Name], servers[0].K3sConfig[f.Name]) {
				continue
			}
			d.report(criticalAt(f.Name, h, servers[0]), "k3s key "+quote(f.Name)+" differs between the servers "+
				quote(servers[0].Name)+" and "+quote(h.Name), "k3s wants it alike on all servers; set it in k3s.config")
			break
		}
	}
}

// criticalAt is the place of the key on either server, or the host.
func criticalAt(name string, hosts ...placed) at {
	for _, h := range hosts {
		for _, e := range h.config {
			if e.flag.Name == name {
				return e.at
			}
		}
	}
	return hosts[0].at
}

// checkServers holds the number of servers to what etcd can work with.
func (d *decoder) checkServers(hosts []placed) {
	var servers []placed
	for _, h := range hosts {
		if h.Role.IsServer() {
			servers = append(servers, h)
		}
	}
	switch {
	case len(hosts) == 0:
		d.report(d.root, "the inventory has no hosts", "list them under hosts, or under pools[].hosts")
	case len(servers) == 0:
		d.report(d.root, "no host has the role server or both, so nothing runs the control plane", "give one or three hosts role: server or both")
	case len(servers) == 2:
		d.report(servers[1].at, "two servers survive the loss of neither: etcd needs a majority, and one of two is none",
			"use one server, or three")
	}
}

func (d *decoder) warnings(inv *Inventory, hosts []placed) {
	servers := 0
	for _, h := range hosts {
		if h.Role.IsServer() {
			servers++
		}
		if h.Role == RoleServer && h.GPUs != nil && h.GPUs.Count > 0 {
			d.warn(h.at, "host "+quote(h.Name)+" promises GPUs, but as a server it runs no work", "use role: both")
		}
	}
	if servers > 2 && servers%2 == 0 {
		d.warn(d.root, fmt.Sprintf("%d servers survive the loss of no more than %d do", servers, servers-1), "use an odd number of servers")
	}
	if servers > 7 {
		d.warn(d.root, fmt.Sprintf("%d servers make every write slow", servers), "etcd advises at most seven")
	}
	for _, p := range inv.Pools {
		if len(p.Hosts) == 0 && !d.incomplete {
			d.warn(at{pos: p.Pos, path: "pools"}, "pool "+quote(p.Name)+" has no hosts", "")
		}
	}
}
