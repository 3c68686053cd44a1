package machine

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/gpuboot/gpuboot/inventory"
)

const (
	binaryPath = "/usr/local/bin/k3s"
	configPath = "/etc/rancher/k3s/config.yaml"
)

// Magic stands in a simulated k3s executable before its version, which a line
// break ends.
const Magic = "\ngpuboot simulated k3s "

// version reads the version out of the simulated executable.
func (m *Machine) version() (string, error) {
	info, err := m.files.Stat(binaryPath)
	if err != nil || info.Mode&0o111 == 0 {
		return "", errors.New("k3s.service: Failed at step EXEC spawning /usr/local/bin/k3s: No such file or directory")
	}
	data, err := m.files.Read(binaryPath)
	if err != nil {
		return "", err
	}
	_, rest, ok := bytes.Cut(data, []byte(Magic))
	v, _, whole := bytes.Cut(rest, []byte("\n"))
	if !ok || !whole {
		return "", errors.New("/usr/local/bin/k3s: cannot execute binary file: Exec format error")
	}
	return string(v), nil
}

// config is what k3s reads of its config.yaml.
type config struct {
	values map[string]any
}

func (c config) text(key string) string {
	if v, ok := c.values[key]; ok {
		return fmt.Sprint(v)
	}
	return ""
}

func (c config) list(key string) []string {
	switch v := c.values[key].(type) {
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, fmt.Sprint(x))
		}
		return out
	case string:
		return []string{v}
	}
	return nil
}

// config reads the file as k3s does in a role: a key that the role does not
// know ends it.
func (m *Machine) config(role string) (config, error) {
	c := config{values: map[string]any{}}
	if !m.files.Exists(configPath) {
		return c, nil
	}
	data, err := m.files.Read(configPath)
	if err != nil {
		return c, err
	}
	if err := yaml.Unmarshal(data, &c.values); err != nil {
		return c, fmt.Errorf("time=%q level=fatal msg=%q", stamp(m), "failed to parse config file: "+err.Error())
	}
	flags := inventory.K3sFlags()
	for _, key := range slices.Sorted(maps.Keys(c.values)) {
		name := strings.TrimSuffix(key, "+")
		i := slices.IndexFunc(flags, func(f inventory.K3sFlag) bool { return f.Name == name })
		if i < 0 || role == "agent" && !flags[i].Agent || role == "server" && !flags[i].Server {
			return c, fmt.Errorf("flag provided but not defined: -%s", name)
		}
	}
	return c, nil
}

// critical are the settings that all servers must share: those that the table
// of flags knows as such, and those of the network, which gpuboot owns.
func (c config) critical() map[string]string {
	out := map[string]string{}
	for _, name := range []string{"cluster-cidr", "service-cidr", "flannel-backend"} {
		out[name] = c.text(name)
	}
	for _, f := range inventory.K3sFlags() {
		if f.Critical {
			out[f.Name] = c.text(f.Name)
		}
	}
	return out
}

// secretFile reads a token file that the configuration names.
func (m *Machine) secretFile(path string) string {
	data, err := m.files.Read(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

func (c config) dataDir() string {
	if d := c.text("data-dir"); d != "" {
		return d
	}
	return "/var/lib/rancher/k3s"
}

// taints reads node-taint: "key=value:Effect".
func (c config) taints() []corev1.Taint {
	var out []corev1.Taint
	for _, t := range c.list("node-taint") {
		pair, effect, _ := strings.Cut(t, ":")
		key, value, _ := strings.Cut(pair, "=")
		out = append(out, corev1.Taint{Key: key, Value: value, Effect: corev1.TaintEffect(effect)})
	}
	return out
}

func (c config) labels() map[string]string {
	out := map[string]string{}
	for _, l := range c.list("node-label") {
		key, value, _ := strings.Cut(l, "=")
		out[key] = value
	}
	return out
}
