package facts

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

//go:embed probe.sh
var probe string

// Runner runs one command on a host. *remote.Conn is one.
type Runner interface {
	Run(ctx context.Context, cmd remote.Cmd) (remote.Result, error)
}

// Collect runs the probe on a host, as root, as exactly one command, and reads
// its answer. It is safe to repeat: the probe writes nothing. now is asked before
// and after, for Facts.Clock. Errors are those of the Runner and of [Parse].
func Collect(ctx context.Context, r Runner, now func() time.Time) (*Facts, error) {
	cmd := remote.Cmd{Args: []string{"sh"}, Stdin: strings.NewReader(probe), Root: true}
	sent := now()
	res, err := r.Run(ctx, cmd)
	received := now()
	if err != nil {
		return nil, fmt.Errorf("running the probe: %w", err)
	}
	f, err := Parse(res.Stdout)
	if err != nil {
		return nil, err
	}
	f.Clock.compare(sent, received)
	return f, nil
}
