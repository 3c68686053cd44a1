package inventory

import (
	"reflect"
	"strings"
)

// tagDefaults gives the default values that the tags of a spec name, by key.
func tagDefaults(s any) map[string]val[string] {
	out := map[string]val[string]{}
	for _, f := range fields(reflect.ValueOf(s).Elem()) {
		if text, ok := f.tag.Lookup("default"); ok {
			out[f.key] = val[string]{V: text}
		}
	}
	return out
}

// tagEnum gives the words that the tag of a key allows.
func tagEnum(s any, key string) []string {
	for _, f := range fields(reflect.ValueOf(s).Elem()) {
		if f.key == key {
			return strings.Split(f.tag.Get("enum"), ",")
		}
	}
	return nil
}
