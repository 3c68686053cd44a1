package inventory

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// target is one machine out of a host entry, which may stand for a range.
type target struct {
	name, address, user string
	port                int
}

func (h *hostSpec) decodeNode(d *decoder, n *yaml.Node, path string) {
	d.hostNode(h, reflect.ValueOf(h).Elem(), n, path)
}

func (h *topHostSpec) decodeNode(d *decoder, n *yaml.Node, path string) {
	d.hostNode(&h.hostSpec, reflect.ValueOf(h).Elem(), n, path)
}

// hostNode reads a host in either form; whole is the struct to fill from a map.
func (d *decoder) hostNode(h *hostSpec, whole reflect.Value, n *yaml.Node, path string) {
	where := at{d.pos(n), path}
	var err error
	switch {
	case d.machines > maxHosts:
		h.refused = true
		return
	case n.Kind == yaml.MappingNode:
		d.mapping(whole, n, path)
		h.targets, err = d.mapTargets(h, where)
		if h.Name.given() && !h.Address.given() {
			where = h.Name.At
		} else if h.Address.given() {
			where = h.Address.At
		}
	case n.Kind == yaml.ScalarNode && n.ShortTag() == "!!str":
		h.targets, err = stringTargets(n.Value)
	case n.Kind == yaml.SequenceNode:
		h.refused = true
		d.problem(n, path, "a host must be text or a map, not a list", "put an address that begins with a bracket in quotes")
	default:
		h.refused = true
		d.problem(n, path, "a host must be text or a map, not "+kindOf(n), "put it in quotes: "+quote(n.Value))
	}
	if err != nil {
		d.refuseAt(where, err)
	}
	if d.machines += len(h.targets); d.machines > maxHosts {
		d.report(where, fmt.Sprintf("with this entry the inventory has more than %d hosts", maxHosts), "")
		h.targets = nil
	}
}

// mapTargets works out name and address of the map form. It says nothing about a
// value that was already refused.
func (d *decoder) mapTargets(h *hostSpec, where at) ([]target, error) {
	switch {
	case !h.Address.given():
		d.report(where, "a host must have an address", "")
		return nil, nil
	case !h.Address.Set || h.Name.given() && !h.Name.Set:
		return nil, nil
	}
	if e, err := parseEndpoint(h.Address.V); err == nil && (e.user != "" || e.port != 0) {
		return nil, refused("address "+quote(h.Address.V)+" must be the host alone", "move the rest to user and port")
	}
	return targets(h.Name.V, h.Name.Set, h.Address.V)
}

// stringTargets reads "[name=][user@]address[:port]".
func stringTargets(s string) ([]target, error) {
	name, address, named := strings.Cut(s, "=")
	if !named {
		name, address = "", s
	}
	return targets(strings.TrimSpace(name), named, strings.TrimSpace(address))
}

// targets expands the ranges of a name and an address side by side.
func targets(name string, named bool, address string) ([]target, error) {
	addresses, err := expand(address)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(addresses))
	if named {
		if names, err = expand(name); err != nil {
			return nil, err
		}
	}
	if len(names) != len(addresses) {
		return nil, refused(
			fmt.Sprintf("name %s stands for %s, but address %s for %s",
				quote(name), hosts(len(names)), quote(address), hosts(len(addresses))),
			"give both a range of the same length")
	}
	out := make([]target, len(addresses))
	for i := range addresses {
		if out[i], err = oneTarget(names[i], named, addresses[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func hosts(n int) string {
	if n == 1 {
		return "one host"
	}
	return strconv.Itoa(n) + " hosts"
}

func oneTarget(name string, named bool, address string) (target, error) {
	e, err := parseEndpoint(address)
	if err != nil {
		return target{}, err
	}
	if named {
		return target{name: name, address: e.host, user: e.user, port: e.port}, checkNodeName("name", name)
	}
	name = deriveName(e.host, e.port)
	if checkNodeName("name", name) != nil {
		return target{}, refused("address "+quote(e.host)+" cannot also be the Kubernetes node name",
			"give a name: in a string name=address, in a map the key name")
	}
	return target{name: name, address: e.host, user: e.user, port: e.port}, nil
}
