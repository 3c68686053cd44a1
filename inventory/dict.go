package inventory

import "go.yaml.in/yaml/v3"

// entry is a key with its value, each with its place.
type entry[T any] struct {
	key   string
	at    at
	value val[T]
}

// dict is a map with keys of the user's choice, in file order.
type dict[T any] []entry[T]

func (m *dict[T]) decodeNode(d *decoder, n *yaml.Node, path string) {
	pairs, ok := d.pairs(n, path)
	if !ok {
		return
	}
	*m = make(dict[T], 0, len(pairs))
	for _, p := range pairs {
		e := entry[T]{key: p.key.Value, at: at{d.pos(p.key), child(path, p.key.Value)}}
		if d.into(&e.value, p.value, e.at.path) && e.value.Set {
			*m = append(*m, e)
		}
	}
}

// over returns m with those entries of lower whose key m does not have.
func (m dict[T]) over(lower dict[T]) dict[T] {
	out := append(dict[T]{}, m...)
	for _, e := range lower {
		if !m.has(e.key) {
			out = append(out, e)
		}
	}
	return out
}

func (m dict[T]) has(key string) bool {
	for _, e := range m {
		if e.key == key {
			return true
		}
	}
	return false
}
