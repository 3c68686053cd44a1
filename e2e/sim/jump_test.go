package sim_test

import (
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/e2e/sim"
	"github.com/gpuboot/gpuboot/inventory"
)

// jumpTarget reads a jump host, "user@host:port", as the command line does; its
// key is recorded on first use.
func jumpTarget(hop string, behind remote.Target, trust string) remote.Target {
	t := behind
	t.HostKey, t.TrustFile, t.KnownHosts = "", trust, []string{}
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

func TestAFleetBehindAJumpHost(t *testing.T) {
	t.Parallel()
	hosts := append(sim.GPUHosts(3, 1), sim.Host{Name: "jump", Role: inventory.RoleWorker})
	r := newRig(t, sim.Options{Hosts: hosts})
	r.write(sim.Setup{Jump: "jump"})
	r.mustUp()
	r.unchanged()
	if c := r.fleet.Count("jump"); c.Connections > 4 || c.Commands != 0 {
		t.Errorf("the jump host saw %+v", c)
	}
}
