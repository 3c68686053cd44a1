package bootstrap

import (
	"context"
	"io"
	"net"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/inventory"
)

// Conn is one open connection to a host. [remote.Conn] is one.
type Conn interface {
	Run(ctx context.Context, cmd remote.Cmd) (remote.Result, error)
	ReadFile(ctx context.Context, path string) ([]byte, error)
	WriteFile(ctx context.Context, f remote.File, r io.Reader, progress func(written int64)) error
	DialContext(ctx context.Context, network, addr string) (net.Conn, error)
	Close() error
}

// DialHostFunc connects to a host.
type DialHostFunc func(ctx context.Context, h inventory.Host) (Conn, error)

// Seen is what a survey knows of one host.
type Seen struct {
	Host  inventory.Host
	Conn  Conn
	Facts *facts.Facts
	// Err is why there is no connection or there are no facts.
	Err error
}
