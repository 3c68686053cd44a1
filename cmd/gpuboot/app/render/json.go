package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// JSON writes events as JSON, one a line, each with a single call of Write.
// Safe for concurrent use.
type JSON struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewJSON makes a JSON renderer. Begin its stream with [Header].
func NewJSON(w io.Writer) *JSON { return &JSON{w: w} }

// Sink writes one event. After a first error, such as a reader that has gone
// away, it writes no more: half a line would make the next one unreadable.
func (j *JSON) Sink(e engine.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		j.err = writeLine(j.w, e)
	}
}

// Err gives the first error of writing.
func (j *JSON) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

func writeLine(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encoding an event: %w", err)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing an event: %w", err)
	}
	return nil
}
