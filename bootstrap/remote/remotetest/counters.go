package remotetest

import "sync"

// Counters is what happened on a host.
type Counters struct {
	Connections int64 // TCP connections
	Logins      int64 // that were let in
	KeysOffered int64 // client keys that were asked about or used
	Passwords   int64 // password logins that were tried
	Sessions    int64 // session channels
	Forwards    int64 // direct-tcpip channels
	Carried     int64 // connections carried by a command instead
	Commands    int64 // commands for handlers
	Reads       int64 // files read
	Writes      int64 // files written
	SudoAsked   int64 // prompts of sudo
	Signals     int64 // signals sent to commands
	Kills       int64 // process groups ended by a command
	KeepAlives  int64 // global requests, which are signs of life
}

// counters is the count and the word of its changes.
type counters struct {
	mu      sync.Mutex
	now     Counters
	changed chan struct{} // closed and replaced by each change
}

func (c *counters) add(count func(*Counters)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	count(&c.now)
	if c.changed != nil {
		close(c.changed)
		c.changed = nil
	}
}

// look is the count, and a channel that closes when it changes.
func (c *counters) look() (Counters, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changed == nil {
		c.changed = make(chan struct{})
	}
	return c.now, c.changed
}

// Counters is the count up to now.
func (h *Host) Counters() Counters {
	now, _ := h.count.look()
	return now
}

// Await waits until the count is as a test wants it. It gives up, and is
// false, when the test is over.
func (h *Host) Await(enough func(Counters) bool) bool {
	for {
		now, changed := h.count.look()
		if enough(now) {
			return true
		}
		select {
		case <-changed:
		case <-h.t.Context().Done():
			return false
		}
	}
}
