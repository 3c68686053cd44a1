package app

import (
	"net"
	"strconv"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// splitPort takes "host", "host:port" or "[v6]:port" apart; port 0 means none
// was given.
func splitPort(s string) (string, int) {
	if host, port, err := net.SplitHostPort(s); err == nil {
		if n, err := strconv.Atoi(port); err == nil {
			return host, n
		}
	}
	return strings.Trim(s, "[]"), 0
}

// sshPort is the port that a target's port means.
func sshPort(port int) int {
	if port == 0 {
		return 22
	}
	return port
}

// retryCommand gives the command line that tries one host again.
func retryCommand(args []string) func(host, step string) string {
	return func(host, _ string) string {
		words := []string{"gpuboot"}
		skip := false
		for _, a := range args {
			switch {
			case skip:
				skip = false
			case a == "--limit":
				skip = true
			case strings.HasPrefix(a, "--limit="):
			default:
				words = append(words, a)
			}
		}
		return remote.Quote(append(words, "--limit", host)...)
	}
}
