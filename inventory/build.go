package inventory

import "strings"

// placed is a host with what its cross-checks need.
type placed struct {
	Host
	at       at        // the entry in the file
	nodeIPAt at        // of nodeIP, if given
	config   k3sConfig // merged, unfiltered
}

// build checks the spec and works defaults and pools into the hosts. It goes on
// after problems, so that all are found in one run.
func (d *decoder) build(s *spec) *Inventory {
	if !s.Name.given() {
		d.report(d.root, "the inventory must have a name", "write name: and a word for the cluster at the top")
	}
	d.checkAt(s.Name.At, s.Name.Set, checkClusterLabel("name", s.Name.V))
	inv := &Inventory{File: d.file, Name: s.Name.V, K3s: d.k3s(&s.K3s), Network: d.network(&s.Network), Existing: d.existing(&s.Existing)}
	d.checkSettings(&s.Defaults)
	if s.Hosts.given() != s.Hosts.Set || s.Pools.given() != s.Pools.Set || d.steps > maxSteps {
		d.incomplete = true
	}
	hosts := d.poolHosts(s, inv)
	hosts = append(hosts, d.topHosts(s, inv)...)
	d.crossCheck(s, inv, hosts)
	for _, h := range hosts {
		inv.Hosts = append(inv.Hosts, h.Host)
	}
	return inv
}

// poolHosts builds the pools and the hosts listed in them.
func (d *decoder) poolHosts(s *spec, inv *Inventory) []placed {
	var out []placed
	seen := map[string]at{}
	for i := range s.Pools.V {
		p := &s.Pools.V[i].V
		d.checkPool(p, s.Pools.V[i].At, seen)
		pool := Pool{Name: p.Name.V, Role: p.Role.V, GPUs: pointer(p.GPUs), Pos: s.Pools.V[i].At.pos}
		for j := range p.Hosts.V {
			if !p.Hosts.V[j].Set {
				d.incomplete = true
				continue
			}
			built := d.hosts(s, p, &p.Hosts.V[j].V, p.Hosts.V[j].At)
			pool.Hosts = append(pool.Hosts, names(built)...)
			out = append(out, built...)
		}
		inv.Pools = append(inv.Pools, pool)
	}
	return out
}

func (d *decoder) checkPool(p *poolSpec, where at, seen map[string]at) {
	if !p.Name.given() {
		d.report(where, "a pool must have a name", "")
	}
	d.checkAt(p.Name.At, p.Name.Set, checkClusterLabel("pool", p.Name.V))
	if first, double := seen[p.Name.V]; double && p.Name.Set {
		d.report(p.Name.At, "pool "+quote(p.Name.V)+" is there twice", "the first is on line "+line(first))
	}
	seen[p.Name.V] = p.Name.At
	d.checkSettings(&p.settings)
	d.checkConfigRole(p.K3sConfig, p.Role.V)
}

// topHosts builds the hosts of the top-level list and adds them to their pools.
func (d *decoder) topHosts(s *spec, inv *Inventory) []placed {
	var out []placed
	for i := range s.Hosts.V {
		if !s.Hosts.V[i].Set {
			d.incomplete = true
			continue
		}
		h := &s.Hosts.V[i].V
		pool := &poolSpec{}
		if h.Pool.Set {
			pool = d.findPool(s, h.Pool)
		}
		built := d.hosts(s, pool, &h.hostSpec, s.Hosts.V[i].At)
		for j := range inv.Pools {
			if h.Pool.Set && inv.Pools[j].Name == h.Pool.V {
				inv.Pools[j].Hosts = append(inv.Pools[j].Hosts, names(built)...)
			}
		}
		out = append(out, built...)
	}
	return out
}

func (d *decoder) findPool(s *spec, name val[string]) *poolSpec {
	var known []string
	for i := range s.Pools.V {
		if s.Pools.V[i].V.Name.V == name.V {
			return &s.Pools.V[i].V
		}
		known = append(known, s.Pools.V[i].V.Name.V)
	}
	message := "there is no pool " + quote(name.V)
	if len(known) > 0 {
		message += ", the pools are " + join(known)
	}
	d.report(name.At, message, suggest(name.V, known))
	// Its role counts as given, so that it is not reported as missing too.
	return &poolSpec{Name: name, Role: val[Role]{At: name.At}}
}

// hosts builds the machines of one entry.
func (d *decoder) hosts(s *spec, p *poolSpec, h *hostSpec, where at) []placed {
	d.checkSettings(&h.settings)
	role := h.Role.or(p.Role)
	if !h.refused {
		d.checkRole(p, h, where)
	}
	d.checkConfigRole(h.K3sConfig, role.V)
	nodeIP := d.nodeIP(h)
	merged := h.settings.over(p.settings).over(s.Defaults)
	config := merged.K3sConfig.over(s.K3s.Config.over(nil))
	known := func(f K3sFlag) bool { return f.knownTo(role.V) }
	out := make([]placed, 0, len(h.targets))
	for _, t := range h.targets {
		one := Host{
			Name: t.name, Address: t.address, Port: t.port, User: t.user,
			HostKey: merged.HostKey.V, Interface: merged.Interface.V, NodeIP: nodeIP,
			SudoPassword: pointer(merged.SudoPassword), Password: pointer(merged.Password),
			Role: role.V, Pool: p.Name.V, GPUs: pointer(h.GPUs.or(p.GPUs)),
			Labels: labelMap(merged.Labels), Taints: taintList(merged.Taints), K3sConfig: config.values(known), Pos: where.pos,
		}
		d.reach(&one, &merged)
		out = append(out, placed{Host: one, at: where, nodeIPAt: h.NodeIP.At, config: config})
	}
	if len(out) == 0 {
		d.incomplete = true
	}
	return out
}

// reach fills in how to log in; what the entry itself says in user@address:port
// wins.
func (d *decoder) reach(h *Host, s *settings) {
	if h.User == "" {
		h.User = s.User.V
	}
	if h.Port == 0 {
		h.Port = s.Port.V
	}
	for _, f := range s.IdentityFiles.V {
		// A path that cannot be resolved was reported by checkSettings.
		if path, err := resolvePath(d.file, f.V); err == nil {
			h.IdentityFiles = append(h.IdentityFiles, path)
		}
	}
	if s.JumpHosts.Set {
		h.JumpHosts = []string{}
	}
	for _, j := range s.JumpHosts.V {
		if e, err := parseEndpoint(j.V); err == nil {
			h.JumpHosts = append(h.JumpHosts, e.String())
		}
	}
}

func pointer[T any](v val[T]) *T {
	if !v.Set {
		return nil
	}
	copied := v.V
	return &copied
}

func labelMap(labels dict[string]) map[string]string {
	out := make(map[string]string, len(labels))
	for _, l := range labels {
		out[l.key] = l.value.V
	}
	return out
}

func taintList(taints list[Taint]) []Taint {
	var out []Taint
	for _, t := range taints.V {
		if t.Set {
			out = append(out, t.V)
		}
	}
	return out
}

func names(hosts []placed) []string {
	var out []string
	for _, h := range hosts {
		out = append(out, h.Name)
	}
	return out
}

// key identifies the machine that a login reaches: the same address behind
// another jump host or port is another machine.
func (p placed) key() string {
	e := endpoint{host: strings.ToLower(p.Address), port: p.Port}
	if e.port == 0 {
		e.port = 22
	}
	return e.String() + " " + strings.Join(p.JumpHosts, " ")
}
