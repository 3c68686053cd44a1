package app

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

func newExec(g *global) *cobra.Command {
	var f runFlags
	var root bool
	cmd := &cobra.Command{
		Use:                   "exec [INVENTORY] [flags] -- COMMAND [ARG...]",
		DisableFlagsInUseLine: true,
		Short:                 "Run a command on all hosts at once",
		Long: `Runs the command on all hosts, or those of --limit, with the keys, jump hosts and host key
rules of the other commands. Its words reach the host as they are; for pipes and variables of the
host's shell use: gpuboot exec -- sh -c '...'

Each line of output stands behind its host's name; with --output json each host is one object with
stdout, stderr and exit code. A host that fails does not stop the others. The exit code is 0 when the
command ended with 0 everywhere, 1 when it failed on a host, 3 when a host could not be reached.`,
		Example: "  gpuboot exec -- nvidia-smi -L\n  gpuboot exec --limit gpu --root -- dmesg",
		RunE: func(cmd *cobra.Command, args []string) error {
			before, command, err := splitCommand(cmd, args, "gpuboot exec -- COMMAND")
			if err != nil {
				return err
			}
			if err := inventoryArg(cmd, before); err != nil {
				return err
			}
			d, hosts, err := g.reach(before, &f)
			if err != nil {
				return err
			}
			err = g.exec(cmd.Context(), d, hosts, f.parallel, remote.Cmd{Args: command, Root: root})
			return errors.Join(err, d.shared.Close())
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&root, "root", false, "as root: through sudo where the login is another")
	return cmd
}

// splitCommand parts a command line at "--" and wants a command behind it.
func splitCommand(cmd *cobra.Command, args []string, usage string) (before, command []string, err error) {
	at := cmd.ArgsLenAtDash()
	if at < 0 || at == len(args) {
		return nil, nil, usageError{fmt.Errorf("no command; it stands behind --, as in: %s", usage)}
	}
	return args[:at], args[at:], nil
}
