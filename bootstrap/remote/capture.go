package remote

import "sync"

const (
	maxCollect = 8 << 20  // bytes of one stream that a Result holds
	maxTail    = 16 << 10 // bytes of one stream that an error holds
	maxNoise   = 64 << 10 // bytes before the begin mark that are kept as evidence
)

// head keeps the first max bytes and counts the rest.
type head struct {
	max     int
	data    []byte
	dropped int64
}

func (h *head) Write(p []byte) (int, error) {
	keep := min(len(p), h.max-len(h.data))
	h.data = append(h.data, p[:keep]...)
	h.dropped += int64(len(p) - keep)
	return len(p), nil
}

// tail keeps the last max bytes. It may be read while it is written.
type tail struct {
	mu   sync.Mutex
	max  int
	data []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p[max(0, len(p)-t.max):]...)
	// Cut at twice the size, so that small writes do not each move all.
	if len(t.data) > 2*t.max {
		t.data = append(t.data[:0], t.data[len(t.data)-t.max:]...)
	}
	return len(p), nil
}

// bytes is a copy of the last max bytes.
func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]byte(nil), t.data[max(0, len(t.data)-t.max):]...)
}
