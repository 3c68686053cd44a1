package facts

import (
	"context"
	_ "embed"
	"errors"
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

// ErrIncomplete says that a host was too slow, or too broken, to tell what every
// decision needs. It may be retried: [Collect] has done so once.
var ErrIncomplete = errors.New("the host did not tell what is needed to decide anything")

// Collect runs the probe on a host, as root, as exactly one command, and reads
// its answer; on a host so loaded that something essential is missing, it asks
// once more. It is safe to repeat: the probe writes nothing. now is asked before
// and after, for Facts.Clock. Errors are those of the Runner and of [Parse], and
// [ErrIncomplete].
func Collect(ctx context.Context, r Runner, now func() time.Time) (*Facts, error) {
	f, err := collect(ctx, r, now)
	if err != nil || len(f.missing()) == 0 {
		return f, err
	}
	if f, err = collect(ctx, r, now); err != nil {
		return nil, err
	}
	if missing := f.missing(); len(missing) > 0 {
		return nil, fmt.Errorf("%w: %s (%s)", ErrIncomplete, strings.Join(missing, ", "), f.Unknown[missing[0]])
	}
	return f, nil
}

// missing lists the sections without which nothing may be decided and that could
// not be read. An unread journal would look like a host that gpuboot never
// touched, an unread unit like one that is down.
func (f *Facts) missing() []string {
	var out []string
	for _, name := range []string{"systemd", "units", "files", "journal", "dirs", "procs", "addr"} {
		if why, unknown := f.Unknown[name]; unknown && why != notAsked {
			out = append(out, name)
		}
	}
	return out
}

func collect(ctx context.Context, r Runner, now func() time.Time) (*Facts, error) {
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
