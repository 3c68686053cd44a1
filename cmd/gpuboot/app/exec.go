package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/cmd/gpuboot/app/render"
	"github.com/gpuboot/gpuboot/inventory"
)

// reach reads an inventory for a command that only goes to its hosts, and gives
// those that --limit names, in the inventory's order.
func (g *global) reach(args []string, f *runFlags) (*dialer, []inventory.Host, error) {
	inv, err := g.load(inventoryPath(args))
	if err != nil {
		return nil, nil, err
	}
	only, err := limit(inv, f.limit)
	if err != nil {
		return nil, nil, err
	}
	hosts := slices.DeleteFunc(slices.Clone(inv.Hosts), func(h inventory.Host) bool {
		return only != nil && !slices.Contains(only, h.Name)
	})
	return g.dialer(inv, engine.NewRedactor(), f, true), hosts, nil
}

// fanOut is one command on many hosts.
type fanOut struct {
	global *global
	dialer *dialer
	cmd    remote.Cmd // Args and Root

	lines *render.HostLines
	mu    sync.Mutex // guards JSON output
}

// exec runs a command on hosts at the same time. Each host's result is shown,
// whatever became of the others.
func (g *global) exec(ctx context.Context, d *dialer, hosts []inventory.Host, parallel int, cmd remote.Cmd) error {
	x := &fanOut{global: g, dialer: d, cmd: cmd, lines: render.NewHostLines(g.env.OutTerminal)}
	errs := make([]error, len(hosts))
	var all errgroup.Group
	all.SetLimit(max(1, parallel))
	for i, h := range hosts {
		all.Go(func() error {
			errs[i] = x.host(ctx, h)
			return nil // one host's failure must not keep the others from their turn
		})
	}
	_ = all.Wait()
	failed := errors.Join(errs...)
	if failed == nil || g.json() {
		return hidden(failed)
	}
	for _, err := range errs {
		if err != nil {
			printInfo(g.env.Err, d.redact(err))
		}
	}
	return shown{failed}
}

func hidden(err error) error {
	if err == nil {
		return nil
	}
	return shown{err}
}

// host runs the command on one host and gives an error with its class: a step
// that failed when the command ran, else a host that is missing.
func (x *fanOut) host(ctx context.Context, h inventory.Host) error {
	begun := x.global.env.Now()
	res, err := x.run(ctx, h)
	var exit *remote.ExitError
	ran := err == nil || errors.As(err, &exit)
	if x.global.json() {
		err = errors.Join(err, x.encode(h.Name, res, exit, ran, err, x.global.env.Now().Sub(begun)))
	}
	switch {
	case err == nil:
		return nil
	case ran:
		return &engine.StepError{Host: h.Name, Step: "exec", Err: err}
	}
	return &bootstrap.MissingError{Host: h.Name, Err: err}
}

func (x *fanOut) run(ctx context.Context, h inventory.Host) (remote.Result, error) {
	c, err := x.dialer.connect(ctx, h)
	if err != nil {
		return remote.Result{}, err
	}
	defer c.Close()
	cmd := x.cmd
	if x.global.json() {
		return c.Run(ctx, cmd)
	}
	stdout, stderr := x.lines.Writer(x.global.env.Out, h.Name), x.lines.Writer(x.global.env.Err, h.Name)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	res, err := c.Run(ctx, cmd)
	return res, errors.Join(err, stdout.Close(), stderr.Close())
}

// execResult is one host's line in json mode. A command that never ran has no
// exit code.
type execResult struct {
	Host     string            `json:"host"`
	ExitCode *int              `json:"exit_code,omitempty"`
	Signal   string            `json:"signal,omitempty"`
	Stdout   string            `json:"stdout"`
	Stderr   string            `json:"stderr"`
	Dropped  int64             `json:"dropped_bytes,omitempty"`
	Elapsed  int64             `json:"elapsed_ms"`
	Error    *engine.ErrorInfo `json:"error,omitempty"`
}

func (x *fanOut) encode(host string, res remote.Result, exit *remote.ExitError, ran bool, err error, took time.Duration) error {
	r := execResult{Host: host, Stdout: string(res.Stdout), Stderr: string(res.Stderr), Dropped: res.Dropped, Elapsed: took.Milliseconds()}
	switch {
	case exit != nil:
		r.ExitCode, r.Signal = &exit.Code, exit.Signal
	case ran:
		r.ExitCode = new(int)
	default:
		r.Error = x.dialer.redact(err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return json.NewEncoder(x.global.env.Out).Encode(r)
}

// redact makes an error ready to be shown, without the passwords that were used.
func (d *dialer) redact(err error) *engine.ErrorInfo {
	info := engine.Describe("", err)
	info.Cause, info.Output, info.Hint = d.redactor.String(info.Cause), d.redactor.String(info.Output), d.redactor.String(info.Hint)
	return info
}

// printInfo shows an error like [printError]. Its output is left out: it was
// streamed.
func printInfo(w io.Writer, info *engine.ErrorInfo) {
	fmt.Fprintf(w, "error: %s\n", info.Cause)
	if info.Hint != "" {
		fmt.Fprintf(w, "hint: %s\n", info.Hint)
	}
}
