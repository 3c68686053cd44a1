package reach

import (
	"bytes"
	"context"
	_ "embed" // the scripts
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

//go:embed launch.sh
var launchScript string

//go:embed agent.py
var pythonScript string

//go:embed agent.pl
var perlScript string

// Name is the name ($0) of the script on a host.
const Name = "gpuboot-reach"

// agent is the script on one host.
//
// Words: TOKEN SECONDS MILLISECONDS LISTEN. It listens on LISTEN, a list of
// tcp/ADDR/PORT and udp/ADDR/PORT with commas, and greets there with its TOKEN.
// It prints "taken PROTO ADDR PORT" for what it could not listen on, then
// "ready INTERPRETER". Then it reads lines "ID PROTO ADDR PORT TOKEN SIZE" and
// prints for each, in any order, "ID WORD NUMBER". It ends with its input, and
// after SECONDS at the latest; a TCP try waits MILLISECONDS.
type agent struct {
	host  Host
	token string
	in    *io.PipeWriter // its input
	out   *io.PipeReader // the other end of in
	// ready is closed after the line "ready", ended when the command is over.
	ready, ended chan struct{}
	answers      func(answer)

	mu    sync.Mutex
	taken map[string]bool // "tcp ADDR PORT"
	up    bool            // ready is closed
	err   error
	rest  []byte // a line that has not ended
}

func newAgent(h Host, token string) *agent {
	r, w := io.Pipe()
	return &agent{host: h, token: token, out: r, in: w, ready: make(chan struct{}), ended: make(chan struct{}), taken: map[string]bool{}}
}

// start begins the script; ctx ends it.
func (a *agent) start(ctx context.Context, life, wait time.Duration) {
	h := a.host
	cmd := remote.Cmd{Stdin: a.out, Stdout: a, Args: []string{"sh", "-c", launchScript, Name, pythonScript, perlScript,
		a.token, strconv.Itoa(int(life.Seconds())), strconv.Itoa(int(wait.Milliseconds())), h.listen()}}
	go func() {
		res, err := h.Conn.Run(ctx, cmd)
		a.mu.Lock()
		a.err = err
		if err == nil && !a.up {
			a.err = noAgent(res.Stderr)
		}
		a.mu.Unlock()
		_ = a.out.CloseWithError(io.ErrClosedPipe) // so that nobody writes for ever
		close(a.ended)
	}()
}

func (a *agent) isReady() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.up
}

// errNoInterpreter says that a host has neither python3 nor perl. It stays so.
var errNoInterpreter = errors.New("the host has neither python3 nor perl")

func noAgent(stderr []byte) error {
	if text := bytes.TrimSpace(stderr); len(text) > 0 {
		return fmt.Errorf("%w: %.200s", errNoInterpreter, text)
	}
	return errNoInterpreter
}

// listen is what the host listens on.
func (h Host) listen() string {
	var out []string
	for _, c := range h.Candidates {
		for _, p := range h.Ports {
			out = append(out, fmt.Sprintf("%s/%s/%d", p.Proto, c.Addr, p.Number))
		}
	}
	return strings.Join(out, ",")
}

// Write takes what the script prints.
func (a *agent) Write(p []byte) (int, error) {
	a.rest = append(a.rest, p...)
	for {
		line, rest, ok := bytes.Cut(a.rest, []byte("\n"))
		if !ok {
			break
		}
		a.rest = rest
		a.line(string(line))
	}
	if len(a.rest) > 4096 {
		return 0, errors.New("a line without end")
	}
	return len(p), nil
}

func (a *agent) line(text string) {
	switch what, rest, _ := strings.Cut(text, " "); what {
	case "taken":
		a.mu.Lock()
		a.taken[rest] = true
		a.mu.Unlock()
	case "ready":
		a.mu.Lock()
		first := !a.up
		a.up = true
		a.mu.Unlock()
		if first {
			close(a.ready)
		}
	default:
		if ans, ok := parseAnswer(text); ok {
			a.answers(ans)
		}
	}
}

// listens says whether it holds a port of its host.
func (a *agent) listens(c Candidate, p Port) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.up && !a.taken[fmt.Sprintf("%s %s %d", p.Proto, c.Addr, p.Number)]
}

// reason says why the script is not ready.
func (a *agent) reason() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.err != nil:
		return a.err.Error()
	case a.up:
		return "its test script ended early"
	}
	return "its test script did not begin in time"
}
