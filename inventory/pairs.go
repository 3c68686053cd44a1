package inventory

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

// pair is one key of a map with its value.
type pair struct{ key, value *yaml.Node }

// pairs lists the keys of a map, with merge keys (<<) worked in: a key written
// out wins over a merged one, an earlier merged map over a later one.
func (d *decoder) pairs(n *yaml.Node, path string) ([]pair, bool) {
	if n.Kind != yaml.MappingNode {
		d.wrongType(n, path, "a map")
		return nil, false
	}
	var own, merged []pair
	seen := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.ShortTag() == "!!merge":
			merged = append(merged, d.merge(value, path, 0)...)
		case key.Kind != yaml.ScalarNode || key.ShortTag() == "!!null":
			d.problem(key, path, "a key in "+section(path)+" must be text, not "+kindOf(key), "")
		case seen[key.Value] != nil:
			first := seen[key.Value]
			d.problem(key, child(path, key.Value), "key "+quote(key.Value)+" is given twice in "+section(path),
				"the first is on line "+strconv.Itoa(first.Line))
		default:
			seen[key.Value] = key
			own = append(own, pair{key, value})
		}
	}
	for _, p := range merged {
		if seen[p.key.Value] == nil {
			seen[p.key.Value] = p.key
			own = append(own, p)
		}
	}
	return own, true
}

// maxMergeDepth bounds merge keys inside merged maps; an anchor may even be
// merged into itself.
const maxMergeDepth = 8

func (d *decoder) merge(n *yaml.Node, path string, depth int) []pair {
	n, ok := d.enter(n, path)
	if !ok {
		return nil
	}
	if depth > maxMergeDepth {
		d.problem(n, path, "merge keys are nested too deep in "+section(path), "")
		return nil
	}
	var out []pair
	switch n.Kind {
	case yaml.SequenceNode:
		for _, item := range n.Content {
			out = append(out, d.merge(item, path, depth+1)...)
		}
	case yaml.MappingNode:
		var inherited []pair
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].ShortTag() == "!!merge" {
				inherited = append(inherited, d.merge(n.Content[i+1], path, depth+1)...)
			} else if _, ok := d.enter(n.Content[i], path); ok {
				out = append(out, pair{n.Content[i], n.Content[i+1]})
			}
		}
		out = append(out, inherited...)
	default:
		d.problem(n, path, "the merge key << needs a map, not "+kindOf(n), "")
	}
	return out
}
