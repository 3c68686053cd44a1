package inventory

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// network checks the network section and fills in its defaults.
func (d *decoder) network(s *networkSpec) Network {
	defaults := tagDefaults(s)
	backend := s.FlannelBackend.or(defaults["flannelBackend"]).V
	if known := tagEnum(s, "flannelBackend"); !slices.Contains(known, backend) {
		d.report(s.FlannelBackend.At, "flannelBackend "+quote(backend)+" is unknown, allowed are "+join(known), suggest(backend, known))
	}
	if s.APIEndpoint.Set {
		d.checkAt(s.APIEndpoint.At, true, checkAPIEndpoint(s.APIEndpoint.V))
	}
	n := Network{
		PodCIDR: s.PodCIDR.or(defaults["podCIDR"]).V, ServiceCIDR: s.ServiceCIDR.or(defaults["serviceCIDR"]).V,
		FlannelBackend: backend, APIEndpoint: s.APIEndpoint.V,
	}
	pods, podsOK := d.cidr(s.PodCIDR, "podCIDR", n.PodCIDR)
	services, servicesOK := d.cidr(s.ServiceCIDR, "serviceCIDR", n.ServiceCIDR)
	if servicesOK {
		d.checkAt(s.ServiceCIDR.At, s.ServiceCIDR.Set, checkServiceSize(services))
	}
	if podsOK {
		d.checkAt(s.PodCIDR.At, s.PodCIDR.Set, checkPodSize(pods))
	}
	if podsOK && servicesOK {
		d.checkPair(s, pods, services)
	}
	return n
}

func checkAPIEndpoint(s string) error {
	e, err := parseEndpoint(strings.TrimPrefix(s, "https://"))
	switch {
	case err == nil && strings.HasPrefix(s, "https://"):
		return refused("apiEndpoint "+quote(s)+" must not be a URL", "write "+e.String())
	case err != nil:
		return inPlace("apiEndpoint", err)
	case e.user != "":
		return refused("apiEndpoint "+quote(s)+" must not have a user", "write host or host:port")
	}
	return nil
}

func (d *decoder) cidr(v val[string], what, text string) (netip.Prefix, bool) {
	prefix, err := parseCIDR(what, text)
	d.checkAt(v.At, v.Set, err)
	return prefix, err == nil && (v.Set || !v.given())
}

func parseCIDR(what, s string) (netip.Prefix, error) {
	if strings.Contains(s, ",") {
		return netip.Prefix{}, refused(what+" "+quote(s)+" names two networks, and gpuboot sets up one address family",
			"write one network")
	}
	prefix, err := netip.ParsePrefix(s)
	if err != nil {
		return prefix, refused(what+" "+quote(s)+" is not a CIDR", "write an address and a length, such as 10.42.0.0/16")
	}
	return prefix, checkCanonical(what, s, prefix)
}

func checkCanonical(what, s string, prefix netip.Prefix) error {
	if want := prefix.Masked().String(); want != s {
		return refused(what+" "+quote(s)+" is not written canonically", "write "+want)
	}
	return nil
}

// checkServiceSize holds the limits of kube-apiserver: at least 8 addresses, and
// at most 20 bits of them (cmd/kube-apiserver/app/options/validation.go).
func checkServiceSize(p netip.Prefix) error {
	bits := p.Addr().BitLen() - p.Bits()
	switch {
	case bits > 20:
		return refused(fmt.Sprintf("serviceCIDR %s is larger than Kubernetes accepts", p),
			fmt.Sprintf("use /%d or longer", p.Addr().BitLen()-20))
	case bits < 3:
		return refused(fmt.Sprintf("serviceCIDR %s has fewer than the 8 addresses Kubernetes needs", p),
			fmt.Sprintf("use /%d or shorter", p.Addr().BitLen()-3))
	}
	return nil
}

// nodeBits is the length of the network that each node takes from podCIDR, by
// the defaults of kube-controller-manager.
func nodeBits(p netip.Prefix) int {
	if p.Addr().Is4() {
		return 24
	}
	return 64
}

// checkPodSize holds the limits of kube-controller-manager: room for one node,
// and with IPv6 at most 16 bits of nodes (cidrset/cidr_set.go).
func checkPodSize(p netip.Prefix) error {
	node := nodeBits(p)
	switch {
	case p.Bits() > node:
		return refused(fmt.Sprintf("podCIDR %s is too small, each node takes a /%d of it", p, node),
			fmt.Sprintf("use /%d or shorter", node))
	case p.Addr().Is6() && node-p.Bits() > 16:
		return refused(fmt.Sprintf("podCIDR %s is larger than Kubernetes accepts", p), fmt.Sprintf("use /%d or longer", node-16))
	}
	return nil
}

// checkPair checks what the two networks must be to each other.
func (d *decoder) checkPair(s *networkSpec, pods, services netip.Prefix) {
	where := s.ServiceCIDR.At
	if !s.ServiceCIDR.Set {
		where = s.PodCIDR.At
	}
	switch {
	case pods.Addr().Is4() != services.Addr().Is4():
		d.report(where, fmt.Sprintf("podCIDR %s and serviceCIDR %s are of different address families", pods, services),
			"give both as IPv4, or both as IPv6")
	case pods.Overlaps(services):
		d.report(where, fmt.Sprintf("podCIDR %s and serviceCIDR %s overlap", pods, services), "")
	}
}
