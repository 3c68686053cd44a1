package app

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
)

// Output modes.
const (
	outputAuto  = "auto"
	outputTTY   = "tty"
	outputPlain = "plain"
	outputJSON  = "json"
)

// global are the flags of every command.
type global struct {
	env    *Env
	output string
	// verbose shows every step's beginning and all remote output.
	verbose bool
}

func (g *global) json() bool { return g.output == outputJSON }

// live says whether runs are shown in the live view.
func (g *global) live() bool {
	return g.output == outputTTY || g.output == outputAuto && g.env.interactive()
}

const longHelp = `gpuboot turns rented GPU machines that answer SSH into a k3s cluster.

  gpuboot                  on a terminal: the wizard, from addresses to a cluster
  gpuboot providers        who rents GPU machines, and their traps
  gpuboot init             write an example inventory
  gpuboot preflight        look at every host, read-only: findings with evidence and fix
  gpuboot plan             what up would do, and why; writes nothing
  gpuboot up               do it; a second run shows only "unchanged"
  gpuboot kubeconfig       use the cluster
  gpuboot ssh HOST         a shell on a host
  gpuboot exec -- COMMAND  a command on all hosts
  gpuboot down             leave the hosts as they were found

Exit codes: 0 done, 1 a step failed, 2 bad usage or inventory, 3 a host is unreachable
or refuses us, 5 plan --detailed-exitcode found changes, 6 refused and nothing
written, 130 interrupted.`

func newRoot(env *Env) *cobra.Command {
	g := &global{env: env}
	root := &cobra.Command{
		Use:           "gpuboot",
		Short:         "Rented GPU machines in, a k3s cluster out",
		Long:          longHelp,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			modes := []string{outputAuto, outputTTY, outputPlain, outputJSON}
			if !slices.Contains(modes, g.output) {
				return usageError{fmt.Errorf("--output %q: want one of %v", g.output, modes)}
			}
			if g.output == outputTTY && !env.interactive() {
				return usageError{errors.New("--output tty needs a terminal on stdin and stdout")}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if g.live() {
				return g.wizard(cmd.Context())
			}
			return cmd.Help()
		},
	}
	root.PersistentFlags().StringVar(&g.output, "output", outputAuto, "auto, tty (live view), plain or json; auto is tty on a terminal, else plain; json prints only JSON to stdout")
	root.PersistentFlags().BoolVarP(&g.verbose, "verbose", "v", false, "plain output also shows notes and remote output")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(
		newInit(g), newValidate(g), newSchema(g), newPreflight(g), newPlan(g), newUp(g), newStatus(g),
		newKubeconfig(g), newSSH(g), newExec(g), newCheckImage(g), newDown(g), newReplay(g), newProviders(g), newVersion(g))
	return root
}

// defaultInventory is the file that init writes and the others read.
const defaultInventory = "inventory.yaml"

// inventoryArg allows one optional argument, the inventory.
func inventoryArg(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageError{fmt.Errorf("one inventory at most, got %d arguments", len(args))}
	}
	return nil
}

func inventoryPath(args []string) string {
	if len(args) == 0 {
		return defaultInventory
	}
	return args[0]
}
