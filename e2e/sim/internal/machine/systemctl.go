package machine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/shell"
)

// systemctl knows the verbs that gpuboot uses, of k3s's two units.
func (m *Machine) systemctl(ctx context.Context, c *shell.Call) int {
	var opts, words []string
	for _, a := range c.Args[1:] {
		if strings.HasPrefix(a, "-") {
			opts = append(opts, a)
		} else {
			words = append(words, a)
		}
	}
	if len(words) == 0 {
		return m.odd(c)
	}
	if words[0] == "daemon-reload" {
		m.reload()
		return 0
	}
	for _, name := range words[1:] {
		if !strings.Contains(name, ".") {
			name += ".service"
		}
		if code := m.control(ctx, c, words[0], name, opts); code != 0 {
			return code
		}
	}
	return 0
}

// odd notes a command line that the host does not know.
func (m *Machine) odd(c *shell.Call) int {
	m.world.Problem("%s: the simulated host does not know %q", m.Name, c.Args)
	return c.Complain("%s: the simulated host does not know %q", c.Args[0], c.Args)
}

func (m *Machine) control(ctx context.Context, c *shell.Call, verb, name string, opts []string) int {
	u := m.unit(name)
	there := m.files.Exists(unitPath(name))
	if !there && verb != "stop" && verb != "disable" && verb != "reset-failed" && verb != "is-active" {
		_ = c.Complain("Unit %s could not be found.", name)
		return 5
	}
	switch verb {
	case "enable":
		if err := m.files.Write(wantsPath(name), nil, 0o777); err != nil {
			return c.Complain("Failed to enable unit: %v", err)
		}
		if !slices.Contains(opts, "--now") {
			return 0
		}
		u.begin()
	case "disable":
		_ = m.files.Remove(wantsPath(name)) // it may be disabled already
		if slices.Contains(opts, "--now") {
			u.end()
		}
	case "stop":
		u.end()
	case "start", "restart":
		return m.start(ctx, verb, u, opts)
	case "reset-failed":
	case "is-active":
		fmt.Fprintln(c.Stdout, u.state())
		if u.state() != "active" {
			return 3
		}
	default:
		return m.odd(c)
	}
	return 0
}

func (u *unit) state() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.active
}

// start starts a unit, and unless told otherwise waits until it is up: for
// ever, if it never is.
func (m *Machine) start(ctx context.Context, verb string, u *unit, opts []string) int {
	if verb == "restart" || !u.running() {
		u.begin()
	}
	if slices.Contains(opts, "--no-block") {
		return 0
	}
	for {
		u.mu.Lock()
		active, changed := u.active, u.changed
		u.mu.Unlock()
		if active == "active" {
			return 0
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 143
		}
	}
}

// reload reads all unit files again.
func (m *Machine) reload() {
	m.mu.Lock()
	units := make([]*unit, 0, len(m.units))
	for _, u := range m.units {
		units = append(units, u)
	}
	m.mu.Unlock()
	for _, u := range units {
		info, err := m.files.Stat(unitPath(u.name))
		u.mu.Lock()
		u.loaded = ""
		if err == nil {
			u.loaded = info.Sum
		}
		u.mu.Unlock()
	}
}

// journalctl prints a unit's log, and follows it.
func (m *Machine) journalctl(ctx context.Context, c *shell.Call) int {
	name, follow := "", false
	var since time.Time
	for _, a := range c.Args[1:] {
		key, value, _ := strings.Cut(a, "=")
		switch key {
		case "--unit":
			name = value
		case "--follow":
			follow = true
		case "--since":
			var sec int64
			_, _ = fmt.Sscanf(value, "@%d", &sec) // any other form shows all
			since = time.Unix(sec, 0)
		case "--no-tail", "--output", "--no-pager", "--quiet":
		default:
			return m.odd(c)
		}
	}
	u, now := m.unit(name), m.world.Now()
	for n := 0; ; {
		lines, next, changed := u.since(n)
		n = next
		for _, l := range lines {
			if m.world.then(l.at, now).Before(since) {
				continue
			}
			if _, err := fmt.Fprintln(c.Stdout, l.text); err != nil {
				return 1 // nobody reads any more
			}
		}
		if !follow {
			return 0
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 143
		}
	}
}
