//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"time"

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

// watched runs gpuboot and shows each event to see while it still runs. A slow
// see holds gpuboot's output back.
func (l *lab) watched(ctx context.Context, see func(engine.Event), args ...string) result {
	l.t.Helper()
	cmd := l.command(ctx, append(args, "--output", "json")...)
	r, w := io.Pipe()
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, w), &stderr
	seen := make(chan struct{})
	go func() {
		defer close(seen)
		watchFor(r, func(e engine.Event) bool { see(e); return false })
	}()
	begun := time.Now()
	err := cmd.Run()
	_ = w.Close() // never fails
	<-seen
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		l.t.Fatalf("running gpuboot: %v", err)
	}
	return result{Code: cmd.ProcessState.ExitCode(), Elapsed: time.Since(begun), Stdout: out.String(), Stderr: stderr.String(), Events: events(out.Bytes())}
}
