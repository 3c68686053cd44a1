package hosts

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// Process is what any user of a host could see of a process at one moment.
type Process struct {
	PID  int      // as numbered on this machine, not on the host
	Args []string // its command line; empty for a process that just ended
}

// Processes lists all processes of the host, those of its pods included, but not what Exec runs there.
func (h *Host) Processes() ([]Process, error) {
	if !h.fleet.Supports(FeatureProcesses) {
		return nil, unsupported(FeatureProcesses)
	}
	var found []Process
	for _, pid := range h.fleet.groups.pids(h.fleet.rec.hostGroup(h.Name)) {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil {
			continue // it ended
		}
		found = append(found, Process{PID: pid, Args: strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")})
	}
	return found, nil
}

// WatchProcesses looks at the command lines of all processes of the fleet over and over, about every 2 ms, until stop is
// called, which returns each different command line once, with the name of its host. A process that lived shorter than that
// can be missed: run what you watch a few times.
func (f *Fleet) WatchProcesses(ctx context.Context) (stop func() []Sighting, err error) {
	if !f.Supports(FeatureProcesses) {
		return nil, unsupported(FeatureProcesses)
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan []Sighting, 1)
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		var all []Sighting
		seen := map[string]bool{}
		for {
			all = f.look(all, seen)
			select {
			case <-ctx.Done():
				done <- all
				return
			case <-tick.C:
			}
		}
	}()
	var result []Sighting
	return func() []Sighting {
		cancel()
		if seen, ok := <-done; ok {
			result = seen
			close(done)
		}
		return result
	}, nil
}

// Sighting is a command line that was seen on a host.
type Sighting struct {
	Host string
	Args []string
}

func (f *Fleet) look(all []Sighting, seen map[string]bool) []Sighting {
	for _, h := range f.Hosts {
		processes, _ := h.Processes() // the feature was asked for before
		for _, p := range processes {
			key := h.Name + "\x00" + strings.Join(p.Args, "\x00")
			if !seen[key] {
				seen[key] = true
				all = append(all, Sighting{Host: h.Name, Args: p.Args})
			}
		}
	}
	return all
}
