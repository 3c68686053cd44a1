package reach

import "slices"

// paths fills in what is known of the size of packets.
func (d *Decision) paths(h Host, hosts []Host, x index) {
	for _, from := range hosts {
		mtu, stalls := 0, false
		for _, c := range x.at(from.Name, h.Name, d.Chosen.Addr) {
			if c.State == Open {
				mtu, stalls = max(mtu, c.MTU), stalls || c.Stalls
			}
		}
		if mtu > 0 && (d.MTU == 0 || mtu < d.MTU) {
			d.MTU = mtu
		}
		cards := smaller(d.Chosen.MTU, from.card())
		if stalls || mtu > 0 && cards > 0 && mtu < cards {
			d.Narrow = append(d.Narrow, Narrow{From: from.Name, Cards: cards, Path: mtu})
		}
	}
}

// card is the smallest MTU of a host's links: which of them a packet takes is
// not known, so only a path that is narrower than all of them is called so.
func (h Host) card() int {
	n := 0
	for _, c := range h.Candidates {
		n = smaller(n, c.MTU)
	}
	return n
}

// smaller is the smaller of two sizes, 0 being unknown.
func smaller(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// closed fills in the ports that hosts which reach the address cannot use. A
// port behind which nobody listens is not among them: nothing is known of it.
func (d *Decision) closed(h Host, hosts []Host, x index) {
	for _, p := range h.Ports {
		c := Closed{Port: p}
		for _, from := range hosts {
			if !slices.Contains(d.Reached, from.Name) {
				continue
			}
			if s := x.port(from.Name, h.Name, d.Chosen.Addr, p).State; s.closed() {
				c.From, c.State = append(c.From, from.Name), worse(c.State, s)
			}
		}
		if len(c.From) > 0 {
			d.Closed = append(d.Closed, c)
		}
	}
}

func worse(a, b State) State {
	order := []State{Untested, Filtered, Unreachable, Rejected}
	if slices.Index(order, b) > slices.Index(order, a) {
		return b
	}
	return a
}
