// Package kubeargs merges the arguments that the stand-in gives to a Kubernetes component with those a user adds
// (kubelet-arg and the like).
package kubeargs

import (
	"fmt"
	"slices"
	"strings"
)

// Merge gives "--name=value" arguments, sorted by name. A user's "name=value" replaces the default, "name+=value" comes after
// it and "name-=value" before it, as in k3s.
func Merge(defaults map[string]string, extra []string) []string {
	values := map[string][]string{}
	for name, value := range defaults {
		values[name] = []string{value}
	}
	replaced := map[string]bool{}
	for _, arg := range extra {
		name, value, ok := strings.Cut(strings.TrimPrefix(arg, "--"), "=")
		if !ok {
			value = "true"
		}
		clean := strings.TrimRight(name, "+-")
		switch {
		case strings.HasSuffix(name, "+"):
			values[clean] = append(values[clean], value)
		case strings.HasSuffix(name, "-"):
			values[clean] = append([]string{value}, values[clean]...)
		case replaced[clean]:
			values[clean] = append(values[clean], value)
		default:
			values[clean] = []string{value}
		}
		replaced[clean] = true
	}
	var args []string
	for name, list := range values {
		for i, value := range list {
			args = append(args, fmt.Sprintf("%s\x00%06d\x00--%s=%s", name, i, name, value))
		}
	}
	slices.Sort(args)
	for i, a := range args {
		args[i] = a[strings.LastIndexByte(a, 0)+1:]
	}
	return args
}
