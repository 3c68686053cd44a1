package bootstrap

import (
	"context"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
)

// HostStatus is what is there on one host.
type HostStatus struct {
	Host    string `json:"host"`
	Address string `json:"address"`
	Role    string `json:"role"` // as the inventory says
	Pool    string `json:"pool,omitempty"`
	// Reachable, and Error where not.
	Reachable bool   `json:"reachable"`
	Error     string `json:"error,omitempty"`
	K3s       string `json:"k3s,omitempty"`  // installed version
	Unit      string `json:"unit,omitempty"` // systemd's active state
	// Node is "Ready", "NotReady", "absent", or "unknown" when no API answered.
	Node   string   `json:"node"`
	Roles  []string `json:"roles,omitempty"`
	NodeIP string   `json:"nodeIP,omitempty"`
	GPUs   int      `json:"gpus"` // on the PCI bus
	Driver string   `json:"driver,omitempty"`
}

// Status is what is there.
type Status struct {
	Cluster string       `json:"cluster"`
	API     string       `json:"api"` // "answers", or why it does not
	Hosts   []HostStatus `json:"hosts"`
	// Strangers are nodes that the inventory does not name.
	Strangers []string `json:"strangers,omitempty"`
}

// Status looks at hosts and cluster and writes nothing. The error names hosts
// that did not answer; the status holds the others all the same.
func (g *Gpuboot) Status(ctx context.Context, req Request) (*Status, error) {
	s := g.Survey(ctx, surveyed(req))
	defer s.Close()
	if s.Report.Stopped != nil {
		return nil, s.Report.Stopped
	}
	out := &Status{Cluster: req.Inventory.Name, API: apiState(s)}
	out.Strangers = strangers(Input{Inventory: req.Inventory, Cluster: s.Cluster})
	for _, seen := range s.Hosts {
		if req.wanted(seen.Host.Name) {
			out.Hosts = append(out.Hosts, hostStatus(seen, s.Cluster))
		}
	}
	o := Outcome{Missing: s.Missing()}
	return out, o.missingError()
}

func apiState(s *Survey) string {
	switch {
	case s.Cluster.Answered:
		return "answers through " + s.APIHost
	case s.Cluster.Err != nil:
		return s.Cluster.Err.Error()
	}
	return "no server runs"
}

func hostStatus(seen *Seen, c ClusterState) HostStatus {
	st := HostStatus{Host: seen.Host.Name, Address: seen.Host.Address, Role: string(seen.Host.Role), Pool: seen.Host.Pool, Node: "unknown"}
	if seen.Err != nil {
		st.Error = seen.Err.Error()
	} else {
		st.Reachable = true
		st.fromFacts(seen.Facts)
	}
	n, ok := c.Node(seen.Host.Name)
	switch {
	case !c.Answered:
	case !ok:
		st.Node = "absent"
	case n.Ready:
		st.Node = "Ready"
	default:
		st.Node = "NotReady"
	}
	st.Roles, st.NodeIP = n.Roles, n.InternalIP
	return st
}

func (st *HostStatus) fromFacts(f *facts.Facts) {
	st.K3s, st.Unit = f.K3s.Version, f.K3s.Unit.Active
	st.Driver = f.NVIDIA.DriverVersion
	st.GPUs = len(f.GPUs)
}

// Facts looks at the hosts and writes nothing. The error names hosts that did
// not answer; the others' facts stand.
func (g *Gpuboot) Facts(ctx context.Context, req Request) (map[string]*facts.Facts, error) {
	s := g.Survey(ctx, surveyed(req))
	defer s.Close()
	if s.Report.Stopped != nil {
		return nil, s.Report.Stopped
	}
	o := Outcome{Missing: s.Missing()}
	return s.Facts(), o.missingError()
}

// Kubeconfig reads the admin kubeconfig of the first server that has one. The
// caller makes it fit for use elsewhere: it names 127.0.0.1.
func (g *Gpuboot) Kubeconfig(ctx context.Context, req Request) ([]byte, error) {
	if g.Existing != nil {
		return g.Existing.Kubeconfig, nil
	}
	s := g.Survey(ctx, req.Inventory.Servers())
	defer s.Close()
	if s.Report.Stopped != nil {
		return nil, s.Report.Stopped
	}
	for _, seen := range s.Hosts {
		if seen.Err != nil || seen.Facts.K3s.Role != roleServer {
			continue
		}
		return seen.Conn.ReadFile(ctx, kubeconfigPath)
	}
	o := Outcome{Missing: s.Missing()}
	if err := o.missingError(); err != nil {
		return nil, err
	}
	return nil, ErrNoCluster
}
