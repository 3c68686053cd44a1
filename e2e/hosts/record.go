package hosts

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
)

// maxHosts is what fits into a fleet's /24 beside the test process and the router.
const maxHosts = 240

// record is everything about a fleet, written before anything of it exists outside its folder: whoever finds the file can
// take the fleet down, however its owner died.
type record struct {
	ID    string // also in the names of its namespaces and cgroups
	Owner process
	Kept  bool   // outlives its owner
	Image string // root file system
	Link  string // the link of this machine into the fleet's network
	Netem bool   // this machine's kernel can delay packets
	// Networks holds the one that this machine reaches first, then those of Spec.NICs.
	Networks []network
	Hosts    []hostRecord
	dir      string
}

// network is a switch, in a network namespace that all switches of a fleet share.
type network struct {
	Name, Bridge string
	Prefix       netip.Prefix
}

type hostRecord struct {
	Spec      Spec
	MachineID string
	HostKey   string // public, as in known_hosts
	NICs      []nicRecord
}

// nicRecord is one link of a host: a veth pair, Port is the end in the switch.
type nicRecord struct {
	Name, Network, Bridge, Port, MAC string
	Addr                             netip.Prefix
	MTU                              int
}

// prefix begins the name of everything outside the state folder.
const prefix = "gpuboot-e2e-"

func (r *record) switchNS() string             { return prefix + r.ID + ".switch" }
func (r *record) cgroup() string               { return prefix + r.ID }
func (r *record) hostNS(host string) string    { return prefix + r.ID + ".host." + host }
func (r *record) hostDir(host string) string   { return filepath.Join(r.dir, host) }
func (r *record) machine(host string) string   { return prefix + r.ID + "-" + host }
func (r *record) keyFile() string              { return filepath.Join(r.dir, "id_ed25519") }
func (r *record) console(host string) string   { return filepath.Join(r.hostDir(host), "console.log") }
func (r *record) hostGroup(host string) string { return r.cgroup() + "/" + host }

// router is the fleet's default gateway. It answers that everything is unreachable, so that a host which tries to reach
// the outside fails at once, and stands where a name server should be, so that a look-up fails at once.
func (r *record) router() netip.Addr { return r.hostAddr(0, 254) }

// uplink is this machine's own address in the fleet's network.
func (r *record) uplink() netip.Addr { return r.hostAddr(0, 1) }

// hostAddr is the address with the last byte n in the network number i.
func (r *record) hostAddr(i int, n byte) netip.Addr {
	a := r.Networks[i].Prefix.Addr().As4()
	a[3] = n
	return netip.AddrFrom4(a)
}

func (r *record) save() error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	part := filepath.Join(r.dir, "fleet.json.part")
	if err := os.WriteFile(part, data, 0o600); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(r.dir, "fleet.json"))
}

func loadRecord(dir string) (*record, error) {
	data, err := os.ReadFile(filepath.Join(dir, "fleet.json"))
	if err != nil {
		return nil, err
	}
	r := &record{dir: dir}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("reading the record of a fleet in %s: %w", dir, err)
	}
	// The ID is in every name that is deleted: a record that was moved or edited must not aim at others' things.
	if r.ID != filepath.Base(dir) || strings.ContainsAny(r.ID, "/. ") {
		return nil, fmt.Errorf("the record in %s belongs to a fleet named %q", dir, r.ID)
	}
	return r, nil
}

// keeper is the process that keeps a host running, see supervise.sh. The zero process means that it was never started.
func (r *record) keeper(host string) process {
	var p process
	data, err := os.ReadFile(filepath.Join(r.hostDir(host), "keeper.json"))
	if err != nil || json.Unmarshal(data, &p) != nil {
		return process{}
	}
	return p
}

func (r *record) saveKeeper(host string, p process) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.hostDir(host), "keeper.json"), data, 0o600)
}
