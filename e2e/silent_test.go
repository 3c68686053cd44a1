//go:build e2e

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// mute is a server that says it is SSH, and then nothing.
const mute = `systemd-run --quiet --unit mute systemd-socket-activate --accept --inetd --listen 2222 \
	sh -c "printf 'SSH-2.0-OpenSSH_9.2\r\n'; exec sleep 600"`

// TestSilentHosts waits for each kind of silence at the same time: it costs one
// deadline, and the good host is reported.
func TestSilentHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it waits for a dial's deadline; `make e2e-full` has it")
	}
	l := newLab(t, hosts.Spec{Name: "s1"}, hosts.Spec{Name: "down"}, hosts.Spec{Name: "frozen"}, hosts.Spec{Name: "mute"}, hosts.Spec{Name: "dropped"})
	l.need(hosts.FeatureFresh, hosts.FeatureExec, hosts.FeaturePower, hosts.FeatureTraffic)
	l.failing(l.entry("down") + l.entry("frozen") + l.entry("mute", "port: 2222") + l.entry("dropped"))
	if err := l.host("down").PowerOff(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.on("mute", mute)
	undo, err := l.fleet.Drop(t.Context(), hosts.Rule{To: l.host("dropped"), Port: 22})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.host("frozen").Freeze(); err != nil {
		t.Fatal(err)
	}
	r := l.run("preflight")
	if err := l.host("frozen").Thaw(); err != nil { // first of all: a frozen host cannot be closed
		t.Fatal(err)
	}
	if r.Code != 3 || r.Elapsed > dialDeadline {
		t.Errorf("exit code %d after %s, want 3 within %s", r.Code, r.Elapsed, dialDeadline)
	}
	if !slices.ContainsFunc(r.Events, func(e engine.Event) bool { return e.Kind == engine.KindHostFacts && e.Host == "s1" }) {
		t.Error("the good host's facts were not reported")
	}
	f := &failures{l: l}
	for _, want := range []failure{
		{host: "down", cause: "dial tcp", hint: "check the address"},
		{host: "frozen", cause: "no login within 20s", hint: "look at its console"},
		{host: "mute", cause: "no login within 20s", hint: "look at its console"},
		{host: "dropped", cause: "no answer in time", hint: "firewall"},
	} {
		cause, hint := r.said(want.host)
		f.rows = append(f.rows, []string{want.host, fmt.Sprint(r.Code), r.took(want.host, "connect").String(), cause, hint})
		if !strings.Contains(cause, want.cause) || !strings.Contains(hint, want.hint) {
			t.Errorf("%s: %q, hint %q; want %q, hint %q", want.host, cause, hint, want.cause, want.hint)
		}
	}
	f.print(t)
	if err := undo(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.host("down").Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.failing(l.entry("down") + l.entry("frozen") + l.entry("mute") + l.entry("dropped"))
	l.ok("preflight")
}
