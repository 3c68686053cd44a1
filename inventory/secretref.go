package inventory

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/util/validation"
)

// secretHint tells how to refer to a secret.
const secretHint = `write {env: NAME}, {file: PATH} or {command: "…"}`

type secretSpec struct {
	Env     val[string] `yaml:"env" doc:"Name of an environment variable of gpuboot that holds the secret."`
	File    val[string] `yaml:"file" doc:"File that holds the secret; relative to the inventory, ~ is the home folder."`
	Command val[string] `yaml:"command" doc:"Command run by sh on this machine; its output is the secret."`
}

// decodeNode accepts a reference only. Nothing it reports repeats a value: what
// was written there may be the secret itself.
func (s *Secret) decodeNode(d *decoder, n *yaml.Node, path string) {
	if n.Kind != yaml.MappingNode {
		d.reportSecret(at{d.pos(n), path}, describe(path)+" must refer to the secret, not hold it", secretHint)
		return
	}
	var spec secretSpec
	before := len(d.problems)
	d.mapping(reflect.ValueOf(&spec).Elem(), n, path)
	if len(d.problems) > before {
		return
	}
	given := 0
	for _, v := range []val[string]{spec.Env, spec.File, spec.Command} {
		if v.V != "" {
			given++
		}
	}
	if given != 1 {
		d.problem(n, path, describe(path)+" must name exactly one of env, file and command", secretHint)
		return
	}
	if spec.Env.V != "" && len(validation.IsEnvVarName(spec.Env.V)) != 0 {
		d.reportSecret(spec.Env.At, "env must be the name of a variable", secretHint)
		return
	}
	*s = Secret{Env: spec.Env.V, Command: spec.Command.V, File: d.filePath(spec.File)}
}

// ResolveSecrets returns a copy of a k3s config or registries map in which every
// Secret is replaced by its value, and those values, for redaction. A map that
// holds no secret needs no call.
func ResolveSecrets(ctx context.Context, m map[string]any) (map[string]any, []string, error) {
	out := make(map[string]any, len(m))
	var values []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		switch v := m[key].(type) {
		case Secret:
			value, err := v.Resolve(ctx)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", key, err)
			}
			out[key], values = value, append(values, value)
		case map[string]any:
			inner, more, err := ResolveSecrets(ctx, v)
			if err != nil {
				return nil, nil, fmt.Errorf("%s: %w", key, err)
			}
			out[key], values = inner, append(values, more...)
		default:
			out[key] = v
		}
	}
	return out, values, nil
}
