package kubeapi

import "strings"

// Objects are trees of maps, as JSON makes them. What is missing, or of another
// type, reads as empty.

func object(m map[string]any, path ...string) map[string]any {
	for _, p := range path {
		m, _ = m[p].(map[string]any)
	}
	return m
}

func text(m map[string]any, path ...string) string {
	last := len(path) - 1
	s, _ := object(m, path[:last]...)[path[last]].(string)
	return s
}

func items(m map[string]any, path ...string) []any {
	last := len(path) - 1
	l, _ := object(m, path[:last]...)[path[last]].([]any)
	return l
}

// meta is an object's metadata, made if there is none.
func meta(m map[string]any) map[string]any {
	out, ok := m["metadata"].(map[string]any)
	if !ok {
		out = map[string]any{}
		m["metadata"] = out
	}
	return out
}

// scalar writes a value of an object for a field selector.
func scalar(m map[string]any, path string) string {
	parts := strings.Split(path, ".")
	last := len(parts) - 1
	switch v := object(m, parts[:last]...)[parts[last]].(type) {
	case string:
		return v
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

func labelsOf(m map[string]any) map[string]string {
	out := map[string]string{}
	for k, v := range object(m, "metadata", "labels") {
		out[k], _ = v.(string)
	}
	return out
}
