package reach

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// local is this machine as a host, with another launcher.
type local struct {
	*remote.Conn
	launch string
	deaf   string // an address that it does not listen on
}

func (l local) Run(ctx context.Context, cmd remote.Cmd) (remote.Result, error) {
	if l.launch != "" {
		cmd.Args[2] = l.launch
	}
	if last := len(cmd.Args) - 1; l.deaf != "" {
		cmd.Args[last] = strings.ReplaceAll(cmd.Args[last], "/"+l.deaf+"/", "/127.97.0.1/")
	}
	return l.Conn.Run(ctx, cmd)
}

const (
	perlOnly   = `p=$2; shift 2; exec perl -e "$p" -- "$@"`
	pythonOnly = `p=$1; shift 2; exec python3 -c "$p" "$@"`
	nothing    = `echo none`
	hanging    = `exec cat`
)

// counter is a source of names.
type counter struct{ n byte }

func (c *counter) Read(p []byte) (int, error) {
	for i := range p {
		c.n++
		p[i] = c.n
	}
	return len(p), nil
}

// localHosts makes hosts on loopback addresses of this machine; each test has
// ports of its own.
func localHosts(t *testing.T, net byte, launch ...string) []Host {
	t.Helper()
	var hosts []Host
	for i, l := range launch {
		conn := remote.Local("local", nil)
		t.Cleanup(func() { conn.Close() })
		a := netip.AddrFrom4([4]byte{127, 99, net, byte(i + 1)})
		hosts = append(hosts, Host{Name: fmt.Sprintf("h%d", i+1), Conn: local{conn, l, ""}, Server: i == 0,
			Candidates: []Candidate{{Addr: a, Link: "lo", MTU: 1500, Private: true}},
			Ports:      []Port{{TCP, 36443, false}, {TCP, 32379, true}, {UDP, 38472, false}}})
	}
	return hosts
}

func needs(t *testing.T, names ...string) {
	t.Helper()
	for _, n := range names {
		if _, err := exec.LookPath(n); err != nil {
			t.Skipf("SKIPPED: this machine has no %s", n)
		}
	}
}

func probe(t *testing.T, hosts []Host, opt Options) Matrix {
	t.Helper()
	opt.Rand = &counter{}
	m, err := Probe(t.Context(), hosts, opt)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestHostsTryEachOther(t *testing.T) {
	t.Parallel()
	needs(t, "python3", "perl")
	for i, launch := range [][]string{{pythonOnly, pythonOnly}, {perlOnly, perlOnly}, {perlOnly, pythonOnly, ""}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			hosts := localHosts(t, byte(i+1), launch...)
			m := probe(t, hosts, Options{})
			if len(m.Without) > 0 {
				t.Errorf("without a script: %v", m.Without)
			}
			for _, from := range hosts {
				for _, to := range hosts {
					for _, p := range to.Ports {
						got := m.Checks[Key{from.Name, to.Name, to.Candidates[0].Addr, p.Proto, p.Number}]
						want := Check{State: Open}
						if p.Proto == UDP {
							want.MTU = 1500
						}
						if from.Name == to.Name || p.ServersOnly && !from.Server {
							want = Check{}
						}
						if got != want {
							t.Errorf("%s to %s on %s: %+v, want %+v", from.Name, to.Name, p, got, want)
						}
					}
				}
			}
			closedAfter(t, hosts)
		})
	}
}

// closedAfter wants nobody to listen any more.
func closedAfter(t *testing.T, hosts []Host) {
	t.Helper()
	for _, h := range hosts {
		ln, err := net.Listen("tcp", fmt.Sprintf("%s:36443", h.Candidates[0].Addr))
		if err != nil {
			t.Errorf("after the test: %v", err)
			continue
		}
		ln.Close()
	}
}

// Two hosts behind NAT have the same address. Each that tries it meets itself.
func TestAnotherMachineIsNoticed(t *testing.T) {
	t.Parallel()
	needs(t, "python3", "perl")
	for i, launch := range []string{perlOnly, pythonOnly} {
		hosts := localHosts(t, byte(i+10), launch, launch)
		twin := netip.AddrFrom4([4]byte{127, 98, byte(i + 1), 1})
		for j := range hosts {
			hosts[j].Candidates = append(hosts[j].Candidates, Candidate{Addr: twin, Link: "nat", MTU: 1500, Private: true})
		}
		hosts[1].Conn = local{hosts[1].Conn.(local).Conn, launch, twin.String()} // both would hold it, on two machines
		m := probe(t, hosts, Options{})
		x := newIndex(m)
		for _, c := range x.at("h1", "h2", twin) {
			if c.State != Stranger {
				t.Errorf("%s: %+v, want a stranger", launch, c)
			}
		}
		if ok, known := x.reached("h1", "h2", twin); ok || !known {
			t.Error("a stranger counts as reached")
		}
	}
}

func TestWithoutAnInterpreterSSHTries(t *testing.T) {
	t.Parallel()
	needs(t, "perl")
	hosts := localHosts(t, 20, nothing, perlOnly)
	m := probe(t, hosts, Options{})
	if !strings.Contains(m.Without["h1"], "neither python3 nor perl") {
		t.Errorf("without: %v", m.Without)
	}
	x, a1, a2 := newIndex(m), hosts[0].Candidates[0].Addr, hosts[1].Candidates[0].Addr
	if x.port("h1", "h2", a2, hosts[1].Ports[0]).State != Open || x.port("h1", "h2", a2, hosts[1].Ports[2]).State != Untested {
		t.Errorf("h1 to h2: %+v", x.at("h1", "h2", a2))
	}
	if x.port("h2", "h1", a1, hosts[0].Ports[0]).State != Silent { // nobody listens, and that is known
		t.Errorf("h2 to h1: %+v", x.at("h2", "h1", a1))
	}
}

func TestAHostThatHangsHoldsNobody(t *testing.T) {
	t.Parallel()
	needs(t, "perl")
	hosts := localHosts(t, 30, hanging, perlOnly, perlOnly)
	begun := time.Now()
	m := probe(t, hosts, Options{Begin: time.Second, Wait: time.Second, Total: 8 * time.Second})
	if m.Checks[Key{"h2", "h3", hosts[2].Candidates[0].Addr, TCP, 36443}].State != Open {
		t.Errorf("h2 to h3: %+v", m.Checks)
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}

func TestProbeIsCancelled(t *testing.T) {
	t.Parallel()
	hosts := localHosts(t, 40, hanging, hanging)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := Probe(ctx, hosts, Options{Rand: &counter{}}); err == nil {
		t.Error("a cancelled test gives no error")
	}
}
