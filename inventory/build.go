package inventory

// build works defaults and pools into the hosts.
func (d *decoder) build(s *spec) *Inventory {
	inv := &Inventory{File: d.file, Name: s.Name.V}
	for _, p := range s.Pools {
		for _, h := range p.Hosts.V {
			inv.Hosts = append(inv.Hosts, host(s, &p, &h.V))
		}
	}
	for _, h := range s.Hosts.V {
		inv.Hosts = append(inv.Hosts, host(s, &poolSpec{}, &h.V))
	}
	return inv
}

func host(s *spec, p *poolSpec, h *hostSpec) Host {
	return Host{
		Name: h.Name.V, Address: h.Address.V, Role: h.Role.or(p.Role).V,
		User: h.User.or(p.User).or(s.Defaults.User).V,
	}
}
