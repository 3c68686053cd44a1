package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

func newSSH(g *global) *cobra.Command {
	return &cobra.Command{
		Use:                   "ssh HOST [INVENTORY] [-- COMMAND [ARG...]]",
		DisableFlagsInUseLine: true,
		Short:                 "A shell on a host, or one command",
		Long: `Opens a shell on a host with the keys, jump hosts and host key rules of the other commands.
With a COMMAND that is run instead. In a terminal the host gives one too; elsewhere the three streams are
passed on as they are. The exit code is that of the shell or command, 3 when the host cannot be reached.`,
		Example: "  gpuboot ssh gpu01\n  gpuboot ssh gpu01 -- nvidia-smi -q > gpu01.txt",
		RunE: func(cmd *cobra.Command, args []string) error {
			var command []string
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args, command = args[:at], args[at:]
			}
			switch {
			case len(args) == 0 || len(args) > 2:
				return usageError{errors.New("want a host and at most an inventory: gpuboot ssh HOST [INVENTORY]")}
			case g.json():
				return usageError{errors.New("a shell has no JSON output; for a command use: gpuboot exec --output json --limit " + remote.Quote(args[0]) + " -- COMMAND")}
			case len(command) == 0 && g.env.Console == nil:
				return usageError{errors.New("there is no terminal for a shell; give a command: " + remote.Quote("gpuboot", "ssh", args[0]) + " -- COMMAND")}
			}
			return g.ssh(cmd.Context(), args[0], args[1:], command)
		},
	}
}

// ssh goes to one host.
func (g *global) ssh(ctx context.Context, name string, args, command []string) error {
	d, _, err := g.reach(args, &runFlags{})
	if err != nil {
		return err
	}
	h, ok := d.inv.Host(name)
	if !ok {
		return usageError{fmt.Errorf("no host %s in %s", name, d.inv.File)}
	}
	c, err := d.connect(ctx, h)
	if err == nil {
		err = g.shell(ctx, c, command)
		_ = c.Close() // the shell has ended; nothing is lost with the link
	}
	_ = d.shared.Close()
	var exit *remote.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit) && exit.Signal == "":
		return shown{&exitCodeError{exit}}
	case errors.As(err, &exit):
		return err
	}
	printInfo(g.env.Err, d.redact(&bootstrap.MissingError{Host: name, Err: err}))
	return shown{&bootstrap.MissingError{Host: name, Err: err}}
}

// shell gives the host our terminal, or our streams where there is none.
func (g *global) shell(ctx context.Context, c *remote.Conn, command []string) error {
	console := g.env.Console
	if console == nil {
		_, err := c.Run(ctx, remote.Cmd{Args: command, Stdin: g.env.In, Stdout: g.env.Out, Stderr: g.env.Err})
		return err
	}
	size, err := console.Size()
	if err != nil {
		return err
	}
	restore, err := console.Raw()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	err = c.Shell(ctx, remote.Shell{Args: command, Term: g.env.Getenv("TERM"), Size: size, Resized: console.Resized(ctx), In: console, Out: console})
	return errors.Join(err, restore())
}

// exitCodeError passes a remote shell's exit code on as our own.
type exitCodeError struct{ *remote.ExitError }

func (e *exitCodeError) Unwrap() error { return e.ExitError }
