package remote

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// maxWriteFiles bounds the content that WriteFiles takes: a shell reads it
// byte by byte.
const maxWriteFiles = 256 << 10

// Content is a file with its bytes.
type Content struct {
	File // Size is not looked at
	Data []byte
}

// WriteFiles makes or replaces several small files with one command, each
// as WriteFile does. All contents are on the disk before the first file
// takes its place, in the order given; they do not change in one instant.
// Together they may have 256 KiB.
func (c *Conn) WriteFiles(ctx context.Context, files ...Content) error {
	var in bytes.Buffer
	var names []string
	total := 0
	for _, f := range files {
		if err := f.check(); err != nil {
			return err
		}
		total += len(f.Data)
		names = append(names, f.Path)
		fmt.Fprintf(&in, "%s\t%d\t%s\t%s\t%s\n", f.Path, len(f.Data), f.owner(), f.mode(), base64.StdEncoding.EncodeToString(f.Data))
	}
	switch {
	case len(files) == 0:
		return nil
	case total > maxWriteFiles:
		return fmt.Errorf("writing %d files: %d bytes are more than the %d for small files", len(files), total, maxWriteFiles)
	}
	in.WriteString(".\n")
	_, err := c.Run(ctx, Cmd{Args: wire.WritesArgs(newNonce()), Stdin: &in, Root: true, internal: true})
	if err != nil {
		return &WriteError{strings.Join(names, ", "), fileError(err)}
	}
	return nil
}
