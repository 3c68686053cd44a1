package inventory

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// at is where a value stands, for problems found after decoding.
type at struct {
	pos  Pos
	path string
}

// val is a value of the file with the place it stands at. Set tells an absent
// value from a zero one, which merging needs.
type val[T any] struct {
	V   T
	Set bool
	At  at
}

// or returns v, or lower where v is not set.
func (v val[T]) or(lower val[T]) val[T] {
	if v.Set {
		return v
	}
	return lower
}

// given reports whether the key is there at all, even with a refused value, so
// that a bad value is not also reported as missing.
func (v val[T]) given() bool { return v.At.pos.Line != 0 }

// list is a YAML sequence of which every item keeps its place.
type list[T any] = val[[]val[T]]

// nodeDecoder is a type that reads its own YAML node.
type nodeDecoder interface {
	decodeNode(d *decoder, n *yaml.Node, path string)
}

func (v *val[T]) decodeNode(d *decoder, n *yaml.Node, path string) {
	v.At = at{d.pos(n), path}
	v.Set = d.into(&v.V, n, path)
}

// into decodes n into target, a pointer, and reports whether it holds a value
// that later checks can use.
func (d *decoder) into(target any, n *yaml.Node, path string) bool {
	n, ok := d.enter(n, path)
	if !ok {
		return false
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" {
		d.problem(n, path, describe(path)+" has no value", "write a value, or leave it out")
		return false
	}
	switch t := target.(type) {
	case nodeDecoder:
		t.decodeNode(d, n, path)
		return true
	case encoding.TextUnmarshaler:
		return d.text(t, n, path)
	case *string:
		return d.string(t, n, path)
	case *int:
		return d.int(t, n, path)
	case *bool:
		return d.bool(t, n, path)
	}
	switch v := reflect.ValueOf(target).Elem(); v.Kind() {
	case reflect.Slice:
		return d.sequence(v, n, path)
	case reflect.Struct:
		return d.mapping(v, n, path)
	default:
		panic(fmt.Sprintf("inventory: no decoder for %s", v.Type()))
	}
}

// text hands on what was written, also where it looks like a number, so that
// gpus: 8 needs no quotes and anything else is refused in the type's own words.
func (d *decoder) text(t encoding.TextUnmarshaler, n *yaml.Node, path string) bool {
	if n.Kind != yaml.ScalarNode {
		d.wrongType(n, path, "text")
		return false
	}
	if err := t.UnmarshalText([]byte(n.Value)); err != nil {
		d.refuse(n, path, err)
		return false
	}
	return true
}

func (d *decoder) string(s *string, n *yaml.Node, path string) bool {
	switch n.ShortTag() {
	case "!!str", "!!timestamp":
		*s = n.Value
		return true
	case "!!int", "!!float", "!!bool":
		d.problem(n, path, describe(path)+" must be text, not "+kindOf(n), "put it in quotes: "+quote(n.Value))
		return false
	}
	d.wrongType(n, path, "text")
	return false
}

func (d *decoder) int(i *int, n *yaml.Node, path string) bool {
	if n.ShortTag() != "!!int" {
		d.wrongType(n, path, "a whole number")
		return false
	}
	value, err := strconv.Atoi(n.Value)
	if err != nil {
		d.problem(n, path, describe(path)+" must be a decimal number", "")
		return false
	}
	*i = value
	return true
}

func (d *decoder) bool(b *bool, n *yaml.Node, path string) bool {
	if n.ShortTag() != "!!bool" {
		d.wrongType(n, path, "true or false")
		return false
	}
	*b = strings.EqualFold(n.Value, "true")
	return true
}

// sequence decodes every item and reports true as long as n is a list. A bad
// item has told its problem and stays as a value that is not set.
func (d *decoder) sequence(v reflect.Value, n *yaml.Node, path string) bool {
	if n.Kind != yaml.SequenceNode {
		hint := ""
		if n.Kind == yaml.ScalarNode {
			hint = "put it in brackets: [" + n.Value + "]"
			if strings.ContainsAny(n.Value, "[]{},:#") || len(n.Value) > maxQuoted {
				hint = "put it in brackets and quotes: [" + quote(n.Value) + "]"
			}
		}
		d.problem(n, path, describe(path)+" must be a list, not "+kindOf(n), hint)
		return false
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, len(n.Content)))
	for i, item := range n.Content {
		one := reflect.New(v.Type().Elem())
		d.into(one.Interface(), item, fmt.Sprintf("%s[%d]", path, i))
		v.Set(reflect.Append(v, one.Elem()))
	}
	return true
}
