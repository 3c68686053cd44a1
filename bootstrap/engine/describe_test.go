package engine_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// remoteError has a hint and output, either of which may be empty.
type remoteError struct{ msg, hint, out string }

func (e *remoteError) Error() string  { return e.msg }
func (e *remoteError) Hint() string   { return e.hint }
func (e *remoteError) Output() string { return e.out }

func TestDescribe(t *testing.T) {
	t.Parallel()
	apt := &remoteError{"apt-get exited 100", "run apt-get check", "E: broken\n"}
	ssh := &remoteError{"link lost", "look at the network", "packet loss"}
	for _, c := range []struct {
		name string
		err  error
		want engine.ErrorInfo
	}{
		{"plain", errBoom, engine.ErrorInfo{Cause: "boom"}},
		{"host in front", fmt.Errorf("gpu1: %w", fmt.Errorf("gpu1: %w", errBoom)), engine.ErrorInfo{Cause: "boom"}},
		{"other host in front", fmt.Errorf("gpu10: %w", errBoom), engine.ErrorInfo{Cause: "gpu10: boom"}},
		{"wrapped", fmt.Errorf("installing: %w", apt),
			engine.ErrorInfo{Cause: "installing: apt-get exited 100", Output: "E: broken", Hint: "run apt-get check"}},
		{"joined", errors.Join(apt, ssh, apt), engine.ErrorInfo{
			Cause:  "apt-get exited 100\nlink lost\napt-get exited 100",
			Output: "E: broken\npacket loss", Hint: "run apt-get check\nlook at the network"}},
		{"same hint twice", errors.Join(apt, apt), engine.ErrorInfo{
			Cause: "apt-get exited 100\napt-get exited 100", Output: "E: broken", Hint: "run apt-get check"}},
		{"empty outside, full inside", errors.Join(&wrapper{apt}), engine.ErrorInfo{
			Cause: "wrapped", Output: "E: broken", Hint: "run apt-get check"}},
		{"blocked: cause, hint and output stay with the host that broke",
			&engine.GateError{Gate: "api", Host: "cp1", Step: "start", Err: apt},
			engine.ErrorInfo{Cause: `gate "api" stays shut: cp1 broke at step "start"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := engine.Describe("gpu1", c.err); *got != c.want {
				t.Errorf("got  %+v\nwant %+v", *got, c.want)
			}
		})
	}
}

// wrapper has Hint and Output methods that say nothing.
type wrapper struct{ err error }

func (w *wrapper) Error() string  { return "wrapped" }
func (w *wrapper) Unwrap() error  { return w.err }
func (w *wrapper) Hint() string   { return "" }
func (w *wrapper) Output() string { return "" }

func TestOutputIsCutToItsLastWholeLines(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "line %d\n", i)
	}
	got := engine.Describe("h", &remoteError{out: many.String()}).Output
	if lines := strings.Split(got, "\n"); len(lines) != 40 || lines[0] != "line 60" || lines[39] != "line 99" {
		t.Errorf("got %q", got)
	}
	long := strings.Repeat("x", 20<<10)
	got = engine.Describe("h", &remoteError{out: "short\n" + long}).Output
	if got != long {
		t.Errorf("a long line was cut: %d bytes", len(got))
	}
	got = engine.Describe("h", &remoteError{out: long + "\nshort"}).Output
	if got != "short" {
		t.Errorf("got %d bytes", len(got))
	}
}

func TestStepErrorNamesTheHostOnce(t *testing.T) {
	t.Parallel()
	err := error(&engine.StepError{Host: "gpu1", Step: "join", Err: fmt.Errorf("gpu1: %w", errBoom)})
	if got := err.Error(); got != "gpu1: join: boom" {
		t.Errorf("got %q", got)
	}
	if !errors.Is(err, errBoom) {
		t.Error("the cause is lost")
	}
}
