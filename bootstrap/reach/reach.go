// Package reach finds out by trying which addresses hosts reach each other at,
// and decides from that which address each host uses.
//
// For a few seconds every host listens on the ports that the cluster will use,
// and tries those of the others. The listeners and tries are a small script in
// an interpreter that most hosts have; it comes through the SSH connection, is
// kept in no file, and ends with the command. [Decide] is a pure function of
// what was seen.
//
// The package does not say which addresses are candidates, does not judge how
// bad a closed port is, and changes nothing on any host.
package reach

import (
	"context"
	"net"
	"net/netip"
	"strconv"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// Conn is a connection to a host. [remote.Conn] is one.
type Conn interface {
	Run(ctx context.Context, cmd remote.Cmd) (remote.Result, error)
	DialContext(ctx context.Context, network, addr string) (net.Conn, error)
}

// Host is a host that takes part.
type Host struct {
	Name string
	Conn Conn
	// Server says that it runs the control plane.
	Server bool
	// Settled says that its address was chosen by an earlier run. Two settled
	// hosts do not try each other: they are a cluster already.
	Settled bool
	// Candidates are its addresses that may be a node's, best first.
	Candidates []Candidate
	// Ports are those that others need on it.
	Ports []Port
	// SSHPort is where its SSH server listens, 0 if unknown: a port that is open
	// shows that the address is reached even where a firewall closes the rest.
	SSHPort int
}

// Candidate is one address of a host.
type Candidate struct {
	Addr netip.Addr
	Link string
	// MTU is that of the link, 0 if unknown.
	MTU int
	// Private says that it is no address of the public internet; Shared, that all
	// hosts have one on its network.
	Private, Shared bool
	// Kept says that an earlier run chose it.
	Kept bool
	// Why says what speaks for it, for the plan.
	Why string
}

// Proto is tcp or udp.
type Proto string

// The protocols.
const (
	TCP Proto = "tcp"
	UDP Proto = "udp"
)

// Port is a port that a host has to be reached on.
type Port struct {
	Proto  Proto
	Number int
	// ServersOnly says that only servers need it.
	ServersOnly bool
}

// String is how firewalls write it: 8472/udp.
func (p Port) String() string { return strconv.Itoa(p.Number) + "/" + string(p.Proto) }

// State is what came of a try.
type State string

// The states.
const (
	// Untested: nothing was tried, or it did not end in time.
	Untested State = ""
	// Open: the host itself answered.
	Open State = "open"
	// Silent: the port was refused and nobody was known to listen. The address
	// is reached; whether a firewall would let the port through is not known.
	Silent State = "silent"
	// Filtered: no answer came: a firewall drops it, or there is no way.
	Filtered State = "filtered"
	// Rejected: the port was refused although the host listens on it: a firewall
	// says no.
	Rejected State = "rejected"
	// Unreachable: the network says that there is no way to the address.
	Unreachable State = "unreachable"
	// Stranger: another machine answered at this address.
	Stranger State = "stranger"
)

// closed says whether the port cannot be used.
func (s State) closed() bool { return s == Filtered || s == Rejected || s == Unreachable }

// Check is the result of one try.
type Check struct {
	State State
	// MTU is the largest packet that arrived unbroken, in bytes with all headers;
	// 0 if not tested. Only UDP tells.
	MTU int
	// Stalls says that a connection was made but did not carry 96 KiB both ways.
	Stalls bool
}

// Key names one try: from a host to an address of another, on one port.
type Key struct {
	From, To string
	Addr     netip.Addr
	Proto    Proto
	Port     int
}

// Matrix is what was seen.
type Matrix struct {
	Checks map[Key]Check
	// Without are the hosts that had no interpreter, or whose script did not
	// begin, with the reason: from them only TCP was tried, and on them only the
	// ports that something listens on.
	Without map[string]string
}

// ports are all that is tried on a host, SSH last.
func (h Host) ports() []Port {
	out := append([]Port(nil), h.Ports...)
	if h.SSHPort > 0 {
		out = append(out, Port{Proto: TCP, Number: h.SSHPort})
	}
	return out
}
