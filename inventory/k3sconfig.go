package inventory

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// k3sConfig is a section of k3s config.yaml keys, in file order.
type k3sConfig []configEntry

type configEntry struct {
	flag  K3sFlag
	value any
	// extend is true for a key written with a '+', which adds to the list of the
	// levels below instead of replacing it, as in k3s's own config.yaml.d.
	extend bool
	at     at
}

func (c *k3sConfig) decodeNode(d *decoder, n *yaml.Node, path string) {
	pairs, ok := d.pairs(n, path)
	if !ok {
		return
	}
	flags := K3sFlags()
	for _, p := range pairs {
		e := configEntry{at: at{d.pos(p.key), child(path, p.key.Value)}}
		name, extend := strings.CutSuffix(p.key.Value, "+")
		i := slices.IndexFunc(flags, func(f K3sFlag) bool { return f.Name == name })
		switch {
		case i < 0:
			d.unknownFlag(e.at, p.key.Value, flags)
			continue
		case flags[i].Owned != "":
			d.report(e.at, "k3s key "+quote(name)+" cannot be set here", flags[i].Owned)
			continue
		case extend && flags[i].Kind != FlagList:
			d.report(e.at, "k3s key "+quote(name)+" is no list, so '+' has nothing to add to", "write "+name)
			continue
		}
		e.flag, e.extend = flags[i], extend
		if d.flagValue(&e, p.value) {
			*c = append(*c, e)
		}
	}
}

func (d *decoder) unknownFlag(where at, key string, flags []K3sFlag) {
	var names []string
	for _, f := range flags {
		names = append(names, f.Name)
	}
	hint := suggest(strings.ToLower(strings.ReplaceAll(key, "_", "-")), names)
	if stripped, ok := strings.CutPrefix(key, "--"); ok && slices.Contains(names, stripped) {
		hint = "write it without dashes: " + stripped
	}
	d.reportKey(where, "k3s knows no key "+quote(key), hint)
}

// flagValue decodes a value by the kind of its flag.
func (d *decoder) flagValue(e *configEntry, n *yaml.Node) bool {
	if e.flag.Secret {
		var v val[Secret]
		d.into(&v, n, e.at.path)
		e.value = v.V
		return v.Set
	}
	switch e.flag.Kind {
	case FlagBool:
		return decodeFlag[bool](d, e, n)
	case FlagInt:
		return decodeFlag[int](d, e, n)
	case FlagDuration:
		return decodeFlag[flagDuration](d, e, n)
	case FlagList:
		return decodeFlag[flagList](d, e, n)
	}
	return decodeFlag[string](d, e, n)
}

func decodeFlag[T any](d *decoder, e *configEntry, n *yaml.Node) bool {
	var v T
	if !d.into(&v, n, e.at.path) {
		return false
	}
	switch v := any(v).(type) {
	case flagDuration:
		e.value = string(v)
	case flagList:
		e.value = []any(v)
		return v != nil
	default:
		e.value = v
	}
	return true
}

// flagDuration is text that time.ParseDuration accepts, as k3s does.
type flagDuration string

// UnmarshalText accepts 5m, 1h30m and the like.
func (f *flagDuration) UnmarshalText(text []byte) error {
	if _, err := time.ParseDuration(string(text)); err != nil {
		return refused("duration "+quote(string(text))+" is not understood", "write 30s, 5m or 1h30m")
	}
	*f = flagDuration(text)
	return nil
}

// flagList is one string or a list of strings; nil after a problem.
type flagList []any

func (f *flagList) decodeNode(d *decoder, n *yaml.Node, path string) {
	if n.Kind == yaml.MappingNode {
		d.wrongType(n, path, "text or a list of text")
		return
	}
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	list := flagList{}
	for i, item := range items {
		where := path
		if n.Kind == yaml.SequenceNode {
			where += "[" + strconv.Itoa(i) + "]"
		}
		var s string
		if !d.into(&s, item, where) {
			return
		}
		list = append(list, s)
	}
	*f = list
}

// over lays c over lower, key by key.
func (c k3sConfig) over(lower k3sConfig) k3sConfig {
	out := slices.Clone(lower)
	for _, e := range c {
		i := slices.IndexFunc(out, func(o configEntry) bool { return o.flag.Name == e.flag.Name })
		switch {
		case i < 0:
			out = append(out, e)
		case e.extend:
			out[i].value = slices.Concat(out[i].value.([]any), e.value.([]any))
			out[i].at = e.at
		default:
			out[i] = e
		}
	}
	return out
}

// values is c as a map of its own, of those keys that wanted accepts.
func (c k3sConfig) values(wanted func(K3sFlag) bool) map[string]any {
	out := map[string]any{}
	for _, e := range c {
		if !wanted(e.flag) {
			continue
		}
		out[e.flag.Name] = e.value
		if list, ok := e.value.([]any); ok {
			out[e.flag.Name] = slices.Clone(list)
		}
	}
	return out
}

func (f K3sFlag) knownTo(role Role) bool {
	if role.IsServer() {
		return f.Server
	}
	return f.Agent
}
