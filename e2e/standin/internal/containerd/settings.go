// Package containerd configures and runs containerd as k3s does: a config.toml made anew at every start, drop-ins, registry
// files, images from a folder, and the search for GPU runtimes. The containerd is Debian's 1.6, which reads version 2 of the
// config; so a translation of config.toml is what really runs (see translate.go).
package containerd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
)

// Settings is what a host's containerd depends on.
type Settings struct {
	Dir                    layout.Dir
	Snapshotter            string
	PauseImage             string
	SystemdCgroup          bool
	DefaultRuntime         string
	DisableDefaultEndpoint bool
	Registries             string // path of registries.yaml
	Log                    Logger
}

// Logger is where the package says what it found.
type Logger interface {
	Infof(format string, args ...any)
	Warnf(format string, args ...any)
}

// Runtime is a container runtime beside runc.
type Runtime struct{ Name, Binary string }

// Toolkit is where the GPU operator puts its runtimes; it is searched before PATH.
const Toolkit = "/usr/local/nvidia/toolkit"

// FindRuntimes looks for the runtimes that k3s knows, once, in the operator's folder and in path (a PATH). Those found are
// said in the log with k3s's words.
func FindRuntimes(path string, log Logger) []Runtime {
	var found []Runtime
	dirs := append([]string{Toolkit, "/opt/kwasm/bin"}, filepath.SplitList(path)...)
	for _, r := range []struct{ name, binary, says string }{
		{"nvidia", "nvidia-container-runtime", "nvidia"},
		{"nvidia-experimental", "nvidia-container-runtime-experimental", "nvidia"},
		{"nvidia-cdi", "nvidia-container-runtime.cdi", "nvidia"},
		{"crun", "crun", "crun"},
	} {
		if bin := look(dirs, r.binary); bin != "" {
			log.Infof("Found %s container runtime at %s", r.says, bin)
			found = append(found, Runtime{r.name, bin})
		}
	}
	return found
}

func look(dirs []string, name string) string {
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

// ErrDefaultRuntime says that the default runtime that the configuration names is not on the host.
var ErrDefaultRuntime = errors.New("was not found")

func (s Settings) checkDefault(found []Runtime) error {
	if s.DefaultRuntime == "" || s.DefaultRuntime == "runc" {
		return nil
	}
	for _, r := range found {
		if r.Name == s.DefaultRuntime {
			return nil
		}
	}
	return fmt.Errorf("default runtime %s %w", s.DefaultRuntime, ErrDefaultRuntime)
}

// image gives an image name its registry.
func image(name string) string {
	if first, _, ok := strings.Cut(name, "/"); ok && strings.ContainsAny(first, ".:") {
		return name
	}
	return "docker.io/" + name
}
