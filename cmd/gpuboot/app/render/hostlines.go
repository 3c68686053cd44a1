package render

import (
	"bytes"
	"io"
	"sync"
)

// maxHostLine is how much of a line without an end is kept back.
const maxHostLine = 64 << 10

// HostLines shows what commands on several hosts print, line by line, each
// behind the name of its host. Lines of hosts that print at the same time do not
// mix.
type HostLines struct {
	mu    sync.Mutex
	clean *cleaner // nil: every byte as it came
}

// NewHostLines is for output to a terminal, which text of hosts must not steer,
// or for output to a program, which wants it unchanged.
func NewHostLines(terminal bool) *HostLines {
	h := &HostLines{}
	if terminal {
		c := newCleaner()
		h.clean = &c
	}
	return h
}

// Writer prints lines of a host to w. Close prints the last one, if it has no
// end.
func (h *HostLines) Writer(w io.Writer, host string) io.WriteCloser {
	return &hostWriter{all: h, w: w, prefix: host + "| "}
}

// hostWriter belongs to one command; only the line it prints is shared.
type hostWriter struct {
	all    *HostLines
	w      io.Writer
	prefix string
	held   []byte
}

func (h *hostWriter) Write(p []byte) (int, error) {
	h.held = append(h.held, p...)
	for {
		i := bytes.IndexByte(h.held, '\n')
		if i < 0 && len(h.held) < maxHostLine {
			return len(p), nil
		}
		line, rest := h.held, []byte(nil)
		if i >= 0 {
			line, rest = h.held[:i], h.held[i+1:]
		}
		if err := h.print(line); err != nil {
			return 0, err
		}
		h.held = rest
	}
}

// Close prints what is left.
func (h *hostWriter) Close() error {
	if len(h.held) == 0 {
		return nil
	}
	defer func() { h.held = nil }()
	return h.print(h.held)
}

func (h *hostWriter) print(line []byte) error {
	text := string(line)
	if h.all.clean != nil {
		text = h.all.clean.line(text)
	}
	h.all.mu.Lock()
	defer h.all.mu.Unlock()
	_, err := io.WriteString(h.w, h.prefix+text+"\n")
	return err
}
