package app

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/gpuboot/gpuboot/bootstrap/release"
)

// Version is set by the linker; a `go install` without it takes the module's.
var Version = "" //nolint:gochecknoglobals // the linker can set nothing else

func version() string {
	if Version != "" {
		return Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}

func newVersion(g *global) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, and the k3s it installs by default",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if g.json() {
				return json.NewEncoder(g.env.Out).Encode(map[string]string{"gpuboot": version(), "k3s": release.Default, "go": runtime.Version()})
			}
			_, err := fmt.Fprintf(g.env.Out, "gpuboot %s (k3s %s, %s)\n", version(), release.Default, runtime.Version())
			return err
		},
	}
}
