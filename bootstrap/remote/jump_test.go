package remote_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// behind is a target that is reached through hops.
func behind(h *remotetest.Host, hops ...*remotetest.Host) remote.Target {
	target := h.Target()
	for _, hop := range hops {
		target.JumpHosts = append(target.JumpHosts, hop.Target())
	}
	return target
}

func TestJumpChain(t *testing.T) {
	t.Parallel()
	outer, inner := remotetest.New(t, remotetest.User("out")), remotetest.New(t, remotetest.User("in"))
	h := remotetest.New(t)
	h.On("hostname").Reply("gpu-1\n")
	c := dial(t, behind(h, outer, inner))
	if got := output(t, c, remote.Cmd{Args: []string{"hostname"}}); got != "gpu-1\n" {
		t.Errorf("got %q", got)
	}
	checkForward(t, c)
	for name, n := range map[string]remotetest.Counters{"outer": outer.Counters(), "inner": inner.Counters()} {
		if n.Connections != 1 || n.Forwards != 1 || n.Sessions != 0 {
			t.Errorf("%s: %+v", name, n)
		}
	}
}

func TestJumpIsSharedByManyTargets(t *testing.T) {
	t.Parallel()
	const targets, perJump = 20, 8
	jump := remotetest.New(t)
	d := remote.Dialer{PerJump: perJump, Handshakes: 3}
	conns := make(chan *remote.Conn)
	for range targets {
		h := remotetest.New(t)
		go func() {
			c, err := d.Dial(t.Context(), behind(h, jump))
			if err != nil {
				t.Error(err)
			}
			conns <- c
		}()
	}
	var all []*remote.Conn
	for range targets {
		all = append(all, <-conns)
	}
	if n := jump.Counters(); n.Connections != 3 || n.Forwards != targets {
		t.Errorf("cost %+v", n)
	}
	for _, c := range all[:10] {
		must(t, c.Close())
	}
	must(t, all[10].Err())
	must(t, d.Close())
	for _, c := range all[10:] {
		must(t, c.Close())
	}
	if _, err := d.Dial(t.Context(), behind(remotetest.New(t), jump)); err == nil {
		t.Error("a closed dialer dials through a hop")
	}
}

func TestJumpProhibitsForwarding(t *testing.T) {
	t.Parallel()
	jump, h := remotetest.New(t), remotetest.New(t)
	jump.ProhibitForwarding(true)
	c := dial(t, behind(h, jump))
	if n := jump.Counters(); n.Carried != 1 {
		t.Errorf("cost %+v", n)
	}
	must(t, c.Err())
	jump.NoForwardTools(true)
	e := refused(t, behind(h, jump), remote.ErrForwarding)
	if !strings.Contains(e.Hint(), "AllowTcpForwarding") {
		t.Errorf("the hint is %q", e.Hint())
	}
}

func TestJumpErrorsNameTheHost(t *testing.T) {
	t.Parallel()
	jump, h := remotetest.New(t, remotetest.Name("bastion")), remotetest.New(t, remotetest.Name("gpu-1"))
	target := behind(h, jump)
	target.Port = 1
	if e := refused(t, target, remote.ErrRefused); e.Host != "gpu-1" || !strings.Contains(e.Error(), "through bastion") {
		t.Errorf("got %s: %v", e.Host, e)
	}
	target = behind(h, jump)
	target.JumpHosts[0].HostKey = strings.TrimSpace(h.HostKey())
	if e := refused(t, target, remote.ErrHostKeyChanged); e.Host != "bastion" {
		t.Errorf("got %s: %v", e.Host, e)
	}
	jump.RefuseLogin(true)
	if e := refused(t, behind(h, jump), remote.ErrAuth); e.Host != "bastion" {
		t.Errorf("got %s: %v", e.Host, e)
	}
}

func TestJumpThatDiesTakesItsTargets(t *testing.T) {
	t.Parallel()
	jump, h := remotetest.New(t), remotetest.New(t)
	var d remote.Dialer
	defer d.Close()
	c, err := d.Dial(t.Context(), behind(h, jump))
	must(t, err)
	jump.CutLink()
	if _, err := c.Run(t.Context(), remote.Cmd{Args: []string{"true"}}); err == nil {
		t.Error("a command ran over a dead jump host")
	}
	must(t, c.Close())
	c, err = d.Dial(t.Context(), behind(h, jump)) // over a new connection
	must(t, err)
	must(t, c.Close())
}

func TestWithJumps(t *testing.T) {
	t.Parallel()
	base := remote.Target{
		Name: "gpu-1", Address: "10.0.0.1", User: "ubuntu", Port: 2222, HostKey: "SHA256:x", IdentityFiles: []string{"k"},
		TrustFile: filepath.Join("t"), SudoPassword: answer("x"),
	}
	target, err := base.WithJumps("jump@bastion.example:2200", "inner", "[fd00::1]:22")
	must(t, err)
	var got []string
	for _, hop := range target.JumpHosts {
		got = append(got, fmt.Sprintf("%s@%s:%d", hop.User, hop.Address, hop.Port))
		if hop.HostKey != "" || hop.Name != "" || hop.SudoPassword != nil || len(hop.IdentityFiles) != 1 || hop.TrustFile != "t" {
			t.Errorf("hop is %+v", hop)
		}
	}
	if want := "jump@bastion.example:2200 @inner:0 @fd00::1:22"; strings.Join(got, " ") != want {
		t.Errorf("hops are %q, want %q", got, want)
	}
	for _, bad := range []string{"", "@host", "host:0", "host:99999", "host:ssh", "-oProxyCommand=x", "a b", "user@"} {
		if _, err := base.WithJumps(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
