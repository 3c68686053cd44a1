package reach

import "net/netip"

// index is a matrix by where it was tried: a fleet of a thousand has a million
// pairs, most of them never tried.
type index map[place]map[string][]portCheck

// place is an address of a host.
type place struct {
	to   string
	addr netip.Addr
}

// portCheck is a result at one port. Their order means nothing.
type portCheck struct {
	Check
	proto Proto
	port  int
}

func newIndex(m Matrix) index {
	x := index{}
	for k, c := range m.Checks {
		at := place{k.To, k.Addr}
		if x[at] == nil {
			x[at] = map[string][]portCheck{}
		}
		x[at][k.From] = append(x[at][k.From], portCheck{c, k.Proto, k.Port})
	}
	return x
}

// at gives the checks of one address from one host.
func (x index) at(from, to string, a netip.Addr) []portCheck { return x[place{to, a}][from] }

// port gives one of them.
func (x index) port(from, to string, a netip.Addr, p Port) Check {
	for _, c := range x.at(from, to, a) {
		if c.proto == p.Proto && c.port == p.Number {
			return c.Check
		}
	}
	return Check{}
}

// reached says whether a host reaches an address of another: known is false if
// nothing was tested.
func (x index) reached(from, to string, a netip.Addr) (ok, known bool) {
	for _, c := range x.at(from, to, a) {
		switch {
		case c.State == Stranger:
			return false, true
		case c.State == Open || c.State == Silent:
			ok, known = true, true
		case c.State != Untested:
			known = true
		}
	}
	return ok, known
}
