//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// watchFor reads a run's events until one fits.
func watchFor(r io.Reader, fits func(engine.Event) bool) bool {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e engine.Event
		if json.Unmarshal(lines.Bytes(), &e) == nil && fits(e) {
			return true
		}
	}
	return false
}
