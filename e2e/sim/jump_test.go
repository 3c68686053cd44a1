package sim_test

import (
	"net"
	"strconv"
	"strings"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// jumpTarget reads a jump host, "user@host:port", as the command line does. The
// fleet's hosts have keys of their own, which jump hosts of an inventory cannot
// pin; so the key is trusted here.
func jumpTarget(hop string, behind remote.Target) remote.Target {
	t := behind
	if user, rest, ok := strings.Cut(hop, "@"); ok {
		t.User, hop = user, rest
	}
	host, port, err := net.SplitHostPort(hop)
	if err == nil {
		t.Address = host
		t.Port, _ = strconv.Atoi(port)
	}
	t.Name = hop
	return t
}
