package reach

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// fake answers the lines of a script as a test says.
type fake struct {
	answer func(line string, nth int) string // "" ends the script, as a lost link does

	mu   sync.Mutex
	seen map[string]int // how often a line without its ID came
}

func (f *fake) Run(_ context.Context, cmd remote.Cmd) (remote.Result, error) {
	fmt.Fprintln(cmd.Stdout, "ready fake")
	for in := bufio.NewScanner(cmd.Stdin); in.Scan(); {
		id, rest, _ := strings.Cut(in.Text(), " ")
		f.mu.Lock()
		f.seen[rest]++
		nth := f.seen[rest]
		f.mu.Unlock()
		word := f.answer(rest, nth)
		if word == "" {
			return remote.Result{}, errors.New("connection lost")
		}
		fmt.Fprintf(cmd.Stdout, "%s %s\n", id, word)
	}
	return remote.Result{}, nil
}

func (f *fake) DialContext(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("not here")
}

// fakeHosts answer all lines in the same way.
func fakeHosts(n int, answer func(host int, line string, nth int) string) []Host {
	var hosts []Host
	for i := range n {
		hosts = append(hosts, Host{Name: fmt.Sprintf("h%d", i+1), Server: i == 0, Ports: []Port{kubelet(), vxlan()},
			Conn:       &fake{answer: func(line string, nth int) string { return answer(i+1, line, nth) }, seen: map[string]int{}},
			Candidates: []Candidate{{Addr: netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)}), Link: "eth0", MTU: 1500}}})
	}
	return hosts
}

// What did not work once is tried once more, and no more.
func TestAFailureIsTriedTwice(t *testing.T) {
	t.Parallel()
	hosts := fakeHosts(2, func(host int, line string, nth int) string {
		switch {
		case host == 1 && strings.HasPrefix(line, "udp"):
			return "timeout 0"
		case nth == 1:
			return "stranger 0"
		}
		return "open 0"
	})
	m := probe(t, hosts, Options{})
	x := newIndex(m)
	for _, c := range []struct {
		from, to string
		addr     netip.Addr
		port     Port
		want     State
	}{
		{"h1", "h2", hosts[1].Candidates[0].Addr, kubelet(), Open},
		{"h1", "h2", hosts[1].Candidates[0].Addr, vxlan(), Filtered},
		{"h2", "h1", hosts[0].Candidates[0].Addr, vxlan(), Open},
	} {
		if got := x.port(c.from, c.to, c.addr, c.port).State; got != c.want {
			t.Errorf("%s to %s on %s: %q, want %q", c.from, c.to, c.port, got, c.want)
		}
	}
	for line, n := range hosts[0].Conn.(*fake).seen {
		if n != 2 {
			t.Errorf("%q came %d times", line, n)
		}
	}
}

// A host that is lost in the middle is no host with a firewall.
func TestALostHostIsNotBlamed(t *testing.T) {
	t.Parallel()
	hosts := fakeHosts(3, func(host int, line string, _ int) string {
		switch {
		case host == 3:
			return ""
		case strings.Contains(line, "10.0.0.3"):
			return "refused 0"
		}
		return "open 1500"
	})
	m := probe(t, hosts, Options{})
	if m.Without["h3"] != "connection lost" {
		t.Errorf("without: %v", m.Without)
	}
	for _, d := range Decide(hosts, m) {
		if len(d.Missed)+len(d.Closed)+len(d.Blind) > 0 {
			t.Errorf("%s: %+v", d.Host, d)
		}
	}
}
