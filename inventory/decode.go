package inventory

import (
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// decoder reads one file and collects problems instead of stopping.
type decoder struct {
	file     string
	lines    []string
	problems Problems
	warned   Problems
	// machines counts the hosts so far; entries after too many are not looked at.
	machines int
	// root is the place of the inventory as a whole.
	root at
	// incomplete is set once a host or role was refused: counts would mislead.
	incomplete bool
	// roleless holds the pools whose missing role was reported.
	roleless map[*poolSpec]bool
	// steps counts visited nodes, so that a file whose aliases unfold to millions
	// of values ends early.
	steps int
}

// maxSteps is some hundred values for each of the largest number of hosts.
const maxSteps = 500_000

func (d *decoder) pos(n *yaml.Node) Pos { return Pos{File: d.file, Line: n.Line, Column: n.Column} }

func (d *decoder) problem(n *yaml.Node, path, message, hint string) {
	d.report(at{d.pos(n), path}, message, hint)
}

func (d *decoder) report(where at, message, hint string) {
	d.problems = append(d.problems, Problem{Pos: where.pos, Path: where.path, Message: message, Hint: hint,
		Source: sourceLine(d.lines, where.pos)})
}

func (d *decoder) warn(where at, message, hint string) {
	d.warned = append(d.warned, Problem{Pos: where.pos, Path: where.path, Message: message, Hint: hint,
		Source: sourceLine(d.lines, where.pos)})
}

// refuse reports err; a valueError gives its hint too.
func (d *decoder) refuse(n *yaml.Node, path string, err error) {
	d.refuseAt(at{d.pos(n), path}, err)
}

func (d *decoder) refuseAt(where at, err error) {
	var v *valueError
	switch {
	case !errors.As(err, &v):
		d.report(where, err.Error(), "")
	case v.secret:
		d.reportSecret(where, v.message, v.hint)
	default:
		d.report(where, v.message, v.hint)
	}
}

func (d *decoder) wrongType(n *yaml.Node, path, want string) {
	d.problem(n, path, describe(path)+" must be "+want+", not "+kindOf(n), "")
}

// describe names a key in a message: its last part, or the file as a whole.
func describe(path string) string {
	if path == "" {
		return "the inventory"
	}
	if i := strings.LastIndex(path, `["`); i >= 0 && strings.HasSuffix(path, `"]`) {
		return path[i+1 : len(path)-1]
	}
	return path[strings.LastIndexByte(path, '.')+1:]
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!bool":
		return "a boolean"
	case "!!int":
		return "a number"
	case "!!float":
		return "a fraction"
	case "!!str", "!!timestamp":
		return "text"
	}
	return "a value with the tag " + n.ShortTag()
}

// enter follows an alias to its value and keeps count. It reports false when
// the file has unfolded beyond maxSteps, once as a problem.
func (d *decoder) enter(n *yaml.Node, path string) (*yaml.Node, bool) {
	d.steps++
	if d.steps > maxSteps {
		if d.steps == maxSteps+1 {
			d.problem(n, path, "the file unfolds to more than "+strconv.Itoa(maxSteps)+" values", "use fewer aliases")
		}
		return n, false
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n, true
}

// field is a key that a struct accepts.
type field struct {
	key   string
	value reflect.Value
	tag   reflect.StructTag
}

// fields lists the keys of a struct in the order of declaration; embedded
// structs count as if written out.
func fields(v reflect.Value) []field {
	var out []field
	for i := range v.NumField() {
		f := v.Type().Field(i)
		key := f.Tag.Get("yaml")
		switch {
		case f.Anonymous:
			out = append(out, fields(v.Field(i))...)
		case key != "":
			out = append(out, field{key, v.Field(i), f.Tag})
		}
	}
	return out
}

func keys(fs []field) []string {
	out := make([]string, len(fs))
	for i, f := range fs {
		out[i] = f.key
	}
	slices.Sort(out)
	return out
}

// mapping decodes a map into a struct by the yaml tags of its fields.
func (d *decoder) mapping(v reflect.Value, n *yaml.Node, path string) bool {
	pairs, ok := d.pairs(n, path)
	if !ok {
		return false
	}
	fs := fields(v)
	for _, p := range pairs {
		i := slices.IndexFunc(fs, func(f field) bool { return f.key == p.key.Value })
		if i < 0 {
			d.unknownKey(p.key, path, keys(fs))
			continue
		}
		d.into(fs[i].value.Addr().Interface(), p.value, child(path, fs[i].key))
	}
	return true
}

func (d *decoder) unknownKey(key *yaml.Node, path string, allowed []string) {
	d.reportKey(at{d.pos(key), child(path, key.Value)}, "unknown key "+quote(key.Value)+" in "+section(path)+", allowed are "+join(allowed),
		suggest(key.Value, allowed))
}

func section(path string) string {
	if path == "" {
		return "the inventory"
	}
	return path
}

// child is the path of a key: a.b, or a["docker.io"] where dots would mislead.
func child(path, key string) string {
	switch {
	case strings.Trim(key, pathWord) != "":
		return path + "[" + quote(key) + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

const pathWord = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-"
