package app

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/gpuboot/gpuboot/bootstrap"
)

func newUp(g *global) *cobra.Command {
	var f runFlags
	var dry, yes bool
	cmd := &cobra.Command{
		Use:   "up [INVENTORY]",
		Short: "Make the hosts the cluster that the inventory describes",
		Long: `Connects to every host, looks at it, plans, and carries the plan out: k3s on servers
first, workers as soon as the API answers. Only what differs is changed, only what
changed is restarted. Run it again at any time, also after it was interrupted.`,
		Args: inventoryArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			if dry {
				return runPlan(cmd.Context(), g, args, &f, false)
			}
			return runUp(cmd.Context(), g, args, &f, yes)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show the plan, as gpuboot plan does")
	cmd.Flags().BoolVar(&yes, "yes", false, "go on without asking, also where running GPU work is disturbed")
	return cmd
}

func runUp(ctx context.Context, g *global, args []string, f *runFlags, yes bool) error {
	return g.run(ctx, "up", args, f, true, func(ctx context.Context, s *session) (*bootstrap.Outcome, error) {
		return s.Up(ctx, s.request(g.env.confirmDisruption(yes)))
	})
}

func newPlan(g *global) *cobra.Command {
	var f runFlags
	var detailed bool
	cmd := &cobra.Command{
		Use:   "plan [INVENTORY]",
		Short: "Show what up would do, with a reason for each change; writes nothing",
		Long: `Shows what up would do, with a reason for each change, and writes nothing.
Hosts that have no address in the cluster yet listen for some seconds on the
ports that it will use, so that they can try each other. preflight does so too.`,
		Args: inventoryArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runPlan(cmd.Context(), g, args, &f, detailed)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&detailed, "detailed-exitcode", false, "exit with 5 when there are changes")
	return cmd
}

func runPlan(ctx context.Context, g *global, args []string, f *runFlags, detailed bool) error {
	return g.run(ctx, "plan", args, f, false, func(ctx context.Context, s *session) (*bootstrap.Outcome, error) {
		out, err := s.Plan(ctx, s.request(nil))
		if err == nil && detailed && !out.Plan.Unchanged() {
			return out, changesError{}
		}
		return out, err
	})
}

func newPreflight(g *global) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "preflight [INVENTORY]",
		Short: "Look at every host, read-only: findings with evidence and the fix",
		Args:  inventoryArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return g.run(cmd.Context(), "preflight", args, &f, false, func(ctx context.Context, s *session) (*bootstrap.Outcome, error) {
				return s.Preflight(ctx, s.request(nil))
			})
		},
	}
	f.add(cmd)
	return cmd
}

func newDown(g *global) *cobra.Command {
	var f runFlags
	var yes bool
	cmd := &cobra.Command{
		Use:   "down [INVENTORY]",
		Short: "Take hosts out of the cluster and undo what was done to them",
		Long: `Undoes exactly what each host's journal says, verifies it, and lists what remains.
The hosts keep their network. With --limit, the named hosts leave a cluster that
stays.`,
		Args: inventoryArg,
		RunE: func(cmd *cobra.Command, args []string) error {
			return g.run(cmd.Context(), "down", args, &f, true, func(ctx context.Context, s *session) (*bootstrap.Outcome, error) {
				return s.Down(ctx, s.request(g.env.confirmDown(yes)))
			})
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// run opens a session, runs what the command does, and lets the view say how it
// ended.
func (g *global) run(ctx context.Context, command string, args []string, f *runFlags, writes bool, do func(context.Context, *session) (*bootstrap.Outcome, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := g.open(ctx, args, f, writes)
	if err != nil {
		return err
	}
	v, err := g.newView(ctx, cancel, command, s, writes)
	if err != nil {
		return err
	}
	s.Sink = v.sink
	out, err := do(ctx, s)
	return v.finish(ctx, out, err)
}
