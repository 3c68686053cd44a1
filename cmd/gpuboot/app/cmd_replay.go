package app

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/gpuboot/gpuboot/cmd/gpuboot/app/render"
)

func newReplay(g *global) *cobra.Command {
	return &cobra.Command{
		Use:   "replay RUN.jsonl",
		Short: "Show a run again from its log",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := os.Open(args[0])
			if err != nil {
				return usageError{fmt.Errorf("opening the run log: %w", err)}
			}
			defer f.Close()
			v := &view{env: g.env, begun: g.env.Now(), line: "gpuboot replay " + args[0]}
			sink := g.renderer(cmd.Context(), v, g.live(), true)
			if err := render.Replay(f, sink); err != nil {
				return fmt.Errorf("replaying %s: %w", args[0], err)
			}
			return v.close()
		},
	}
}
