package inventory

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"strings"
)

// Schema returns the JSON Schema (draft 2020-12) of the file, for editors. It is
// made from the tags that the decoder reads, so the two cannot differ on keys.
// Checks that need more than one value are left to Parse.
func Schema() []byte {
	g := schemaGen{defs: object{}}
	root := g.of(reflect.TypeFor[spec]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "gpuboot inventory"
	root["$defs"] = g.defs
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		// Only strings, numbers, lists and maps go in; this is a slip in this file.
		panic(fmt.Sprintf("inventory: writing the schema: %v", err))
	}
	return append(out, '\n')
}

type object = map[string]any

// schemaGen collects the schemas that are referred to from several places.
type schemaGen struct{ defs object }

// schemaType is a type that gives its own schema.
type schemaType interface{ schema(g *schemaGen) object }

func (g *schemaGen) of(t reflect.Type) object {
	if own, ok := reflect.TypeAssert[schemaType](reflect.Zero(t)); ok {
		return own.schema(g)
	}
	switch t.Kind() {
	case reflect.String:
		return object{"type": "string"}
	case reflect.Int:
		return object{"type": "integer"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Slice:
		return object{"type": "array", "items": g.of(t.Elem())}
	case reflect.Struct:
		return g.structOf(t)
	}
	panic(fmt.Sprintf("inventory: no schema for %s", t))
}

func (g *schemaGen) structOf(t reflect.Type) object {
	properties, required := object{}, []string{}
	for _, f := range fields(reflect.New(t).Elem()) {
		property := g.of(f.value.Type())
		property["description"] = f.tag.Get("doc")
		describeTag(property, f.tag)
		properties[f.key] = property
		if f.tag.Get("required") != "" {
			required = append(required, f.key)
		}
	}
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

func describeTag(property object, tag reflect.StructTag) {
	if text, ok := tag.Lookup("default"); ok {
		property["default"] = text
	}
	if text, ok := tag.Lookup("enum"); ok {
		property["enum"] = strings.Split(text, ",")
	}
	for key, name := range map[string]string{"min": "minimum", "max": "maximum"} {
		if n, err := strconv.Atoi(tag.Get(key)); err == nil {
			property[name] = n
		}
	}
}

// refer puts a schema under $defs once and returns a reference to it.
func (g *schemaGen) refer(name string, make func() object) object {
	if _, done := g.defs[name]; !done {
		g.defs[name] = object{}
		g.defs[name] = make()
	}
	return object{"$ref": "#/$defs/" + name}
}

func (v val[T]) schema(g *schemaGen) object { return g.of(reflect.TypeFor[T]()) }

func (m dict[T]) schema(g *schemaGen) object {
	return object{"type": "object", "additionalProperties": g.of(reflect.TypeFor[T]())}
}

func (r Role) schema(*schemaGen) object { return object{"enum": roles()} }

func (t Taint) schema(*schemaGen) object {
	return object{"type": "string", "pattern": "^[^:=]+(=[^:=]*)?:(" + strings.Join(taintEffects(), "|") + ")$"}
}

func (g GPUs) schema(*schemaGen) object {
	return object{"anyOf": []object{
		{"type": "integer", "minimum": 0, "maximum": maxGPUs},
		{"type": "string", "pattern": gpusPattern.String()},
	}}
}

func (s Secret) schema(g *schemaGen) object {
	return g.refer("secret", func() object {
		out := g.structOf(reflect.TypeFor[secretSpec]())
		out["minProperties"], out["maxProperties"] = 1, 1
		return out
	})
}

func (h hostSpec) schema(g *schemaGen) object {
	return g.refer("host", func() object { return hostForms(g.structOf(reflect.TypeFor[hostSpec]())) })
}

func (h topHostSpec) schema(g *schemaGen) object {
	return g.refer("hostWithPool", func() object { return hostForms(g.structOf(reflect.TypeFor[topHostSpec]())) })
}

func hostForms(whole object) object {
	return object{"anyOf": []object{
		{"type": "string", "minLength": 1, "description": "[name=][user@]address[:port], with ranges such as gpu[01-16]"},
		whole,
	}}
}

func (c k3sConfig) schema(g *schemaGen) object {
	return g.refer("k3sConfig", func() object {
		properties := object{}
		for _, f := range K3sFlags() {
			if f.Owned != "" {
				continue
			}
			properties[f.Name] = g.flag(f)
			if f.Kind == FlagList {
				properties[f.Name+"+"] = g.flag(f)
			}
		}
		return object{"type": "object", "properties": properties, "additionalProperties": false}
	})
}

func (g *schemaGen) flag(f K3sFlag) object {
	text := object{"type": "string"}
	switch {
	case f.Secret:
		return g.of(reflect.TypeFor[Secret]())
	case f.Kind == FlagBool:
		return object{"type": "boolean"}
	case f.Kind == FlagInt:
		return object{"type": "integer"}
	case f.Kind == FlagList:
		return object{"anyOf": []object{text, {"type": "array", "items": maps.Clone(text)}}}
	}
	return text
}
