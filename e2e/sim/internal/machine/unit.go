package machine

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
)

// maxLog is how many lines of a unit's log are kept.
const maxLog = 1000

// logLine is one line of a unit's log.
type logLine struct {
	at   time.Time
	text string
}

// unit is one systemd unit that was ever started here.
type unit struct {
	name string
	m    *Machine
	job  sync.Mutex // one start or stop at a time

	mu          sync.Mutex
	active, sub string
	pid         int
	restarts    int
	log         []logLine
	dropped     int // lines that are no more in log
	changed     chan struct{}
	stop        context.CancelFunc
	done        chan struct{}
	loaded      string // hash of the unit file as systemd read it
}

func (m *Machine) unit(name string) *unit {
	m.mu.Lock()
	defer m.mu.Unlock()
	u := m.units[name]
	if u == nil {
		u = &unit{name: name, m: m, active: "inactive", sub: "dead", changed: make(chan struct{})}
		m.units[name] = u
	}
	return u
}

// unitPath is where a unit's file lies; wants is what enabling it makes.
func unitPath(name string) string  { return "/etc/systemd/system/" + name }
func wantsPath(name string) string { return "/etc/systemd/system/multi-user.target.wants/" + name }

func (u *unit) set(active, sub string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.active, u.sub = active, sub
	u.wake()
}

// wake tells everybody who waits for a change; mu is held.
func (u *unit) wake() {
	close(u.changed)
	u.changed = make(chan struct{})
}

// print adds to the log.
func (u *unit) print(format string, args ...any) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for line := range strings.Lines(fmt.Sprintf(format, args...)) {
		u.log = append(u.log, logLine{u.m.world.Now(), strings.TrimSuffix(line, "\n")})
	}
	if over := len(u.log) - maxLog; over > 0 {
		u.log = u.log[over:]
		u.dropped += over
	}
	u.wake()
}

// since gives the log's lines from number n on, the number after them, and what
// is closed when there are more.
func (u *unit) since(n int) (lines []logLine, next int, changed <-chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	n = max(n, u.dropped)
	lines = append(lines, u.log[n-u.dropped:]...)
	return lines, n + len(lines), u.changed
}

// running says whether something runs for the unit.
func (u *unit) running() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.stop != nil
}

// end stops the unit and waits until it has.
func (u *unit) end() {
	u.job.Lock()
	defer u.job.Unlock()
	u.endLocked()
}

func (u *unit) endLocked() {
	u.mu.Lock()
	stop, done := u.stop, u.done
	u.stop = nil
	u.mu.Unlock()
	if stop != nil {
		stop()
		<-done
		u.print("%s: Deactivated successfully.", u.name)
	}
	u.set("inactive", "dead")
}

// begin starts the unit anew; what runs is ended first.
func (u *unit) begin() {
	u.job.Lock()
	defer u.job.Unlock()
	u.endLocked()
	u.checkLoaded()
	ctx, stop := context.WithCancel(u.m.world.ctx)
	done := make(chan struct{})
	u.mu.Lock()
	u.stop, u.done, u.restarts = stop, done, 0
	u.mu.Unlock()
	u.m.world.work.Go(func() {
		defer close(done)
		u.supervise(ctx)
	})
}

// checkLoaded notes a unit file that changed without systemd being told.
func (u *unit) checkLoaded() {
	info, err := u.m.files.Stat(unitPath(u.name))
	u.mu.Lock()
	defer u.mu.Unlock()
	if err == nil && u.loaded != "" && u.loaded != info.Sum {
		u.m.world.Problem("%s: %s was started with a changed file and no daemon-reload", u.m.Name, u.name)
	}
	u.loaded = info.Sum
}

// supervise is Restart=always with RestartSec=5s.
func (u *unit) supervise(ctx context.Context) {
	for {
		u.mu.Lock()
		u.pid = 800 + 7*u.restarts
		u.mu.Unlock()
		u.set("activating", "start")
		u.print("Starting %s - Lightweight Kubernetes (simulated)...", u.name)
		err := u.m.live(ctx, u)
		if ctx.Err() != nil {
			return
		}
		u.print("%v\n%s: Main process exited, code=exited, status=1/FAILURE\n%s: Failed with result 'exit-code'.", err, u.name, u.name)
		u.mu.Lock()
		u.restarts++
		u.mu.Unlock()
		u.set("activating", "auto-restart")
		if !u.m.wait(ctx, 5*time.Second) {
			return
		}
	}
}
