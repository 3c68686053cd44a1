package containerd

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
)

func hostOf(endpoint string) string {
	if u, err := url.Parse(endpoint); err == nil && u.Host != "" {
		return u.Host
	}
	return endpoint
}

// stopWithin is how long containerd gets to end before it is killed.
const stopWithin = 5 * time.Second

// Run runs containerd until ctx ends. Pods stay: their shims are no children of containerd.
func (s Settings) Run(ctx context.Context, config string) error {
	log, err := os.OpenFile(s.Dir.Agent("containerd/containerd.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.CommandContext(ctx, "containerd", "-c", config, "-a", layout.ContainerdSocket,
		"--state", layout.ContainerdState, "--root", s.Dir.Agent("containerd"))
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = stopWithin
	cmd.Env = environment(os.Environ())
	s.Log.Infof("Running containerd -c %s", s.Dir.Agent("etc/containerd/config.toml"))
	if err := cmd.Run(); ctx.Err() == nil {
		return fmt.Errorf("containerd exited: %w", err)
	}
	return nil
}

// environment drops what is meant for k3s itself and, as k3s does, passes CONTAINERD_x on as x.
func environment(all []string) []string {
	var env, moved []string
	for _, e := range all {
		if rest, ok := strings.CutPrefix(e, "CONTAINERD_"); ok {
			moved = append(moved, rest)
		} else if !strings.HasPrefix(e, "NOTIFY_SOCKET=") {
			env = append(env, e)
		}
	}
	return append(env, moved...)
}

// ImportImages loads each *.tar of the images folder into the namespace that Kubernetes uses. A file that cannot be loaded is
// said and passed over, as in k3s.
func (s Settings) ImportImages(ctx context.Context) error {
	entries, err := os.ReadDir(s.Dir.Agent("images"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if e.IsDir() || ext != ".tar" && ext != ".gz" && ext != ".tgz" {
			continue
		}
		start := time.Now()
		if err := s.importImage(ctx, s.Dir.Agent("images", e.Name())); err != nil {
			s.Log.Warnf("Failed to import %s: %v", e.Name(), err)
			continue
		}
		s.Log.Infof("Imported images from %s in %s", s.Dir.Agent("images", e.Name()), time.Since(start))
	}
	return nil
}

func (s Settings) importImage(ctx context.Context, file string) error {
	in, out, args := file, []byte(nil), []string{"-a", layout.ContainerdSocket, "-n", "k8s.io", "images", "import"}
	var err error
	if filepath.Ext(file) == ".tar" {
		out, err = exec.CommandContext(ctx, "ctr", append(args, in)...).CombinedOutput()
	} else {
		unzip := exec.CommandContext(ctx, "gzip", "-dc", file)
		load := exec.CommandContext(ctx, "ctr", append(args, "-")...)
		if load.Stdin, err = unzip.StdoutPipe(); err != nil {
			return err
		}
		if err = unzip.Start(); err != nil {
			return err
		}
		out, err = load.CombinedOutput()
		err = errors.Join(err, unzip.Wait())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", strings.TrimSpace(string(out)), err)
	}
	return nil
}

// LinkPlugins puts the host's CNI plugins into the folder where k3s brings its own.
func LinkPlugins(d layout.Dir, from string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return fmt.Errorf("failed to find host-local: %w", err)
	}
	for _, e := range entries {
		link := filepath.Join(d.CNIBin(), e.Name())
		if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err := os.Symlink(filepath.Join(from, e.Name()), link); err != nil {
			return err
		}
	}
	return nil
}
