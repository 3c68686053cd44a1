package remote

import (
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/remote/internal/wire"
)

// Quote writes args as one command line for a POSIX shell. Run quotes its
// Args itself; this is for text that a person will paste.
func Quote(args ...string) string {
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = wire.QuoteSh(a)
	}
	return strings.Join(quoted, " ")
}
