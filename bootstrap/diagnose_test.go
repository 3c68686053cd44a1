package bootstrap

import (
	"errors"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

func TestDiagnoseKnowsWhatK3sPrints(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`level=fatal msg="Error: preparing server: failed to bootstrap cluster data: not authorized"`:                                                                            "refuses this server's token",
		`level=error msg="Waiting to retrieve agent configuration; server is not ready: failed to retrieve configuration from server: not authorized"`:                           "refuses this agent's token",
		`level=error msg="token CA hash does not match the Cluster CA certificate hash: 1a != 2b"`:                                                                               "another cluster's CA",
		`level=fatal msg="starting kubernetes: preparing server: bootstrap data already found and encrypted with different token"`:                                               "another token",
		`level=fatal msg="Failed to start server: critical configuration value mismatch between servers"`:                                                                        "differ from the other servers",
		`level=error msg="Node password rejected, duplicate hostname or contents of '/etc/rancher/node/password' may not match server node-passwd entry, try enabling a unique"`: "another machine under this node name",
		`time="2026-10-02T10:00:00Z" level=fatal msg="flag provided but not defined: -disable"`:                                                                                  "does not have in this role",
		`level=info msg="Running kube-apiserver --advertise-port=6443"`:                                                                                                          "",
	} {
		got := ""
		if f := diagnose(line); f != nil {
			got = f.cause
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s\n gives %q, want %q", line, got, want)
		}
	}
}

func TestEveryFailureHasAWayOut(t *testing.T) {
	t.Parallel()
	for _, f := range k3sFailures() {
		if f.text == "" || f.cause == "" || f.hint == "" || f.wipe && !f.permanent {
			t.Errorf("incomplete: %+v", f)
		}
	}
}

func TestFollowerGivesUpOnWhatRepeats(t *testing.T) {
	t.Parallel()
	f := &follower{unit: "k3s.service", broken: make(chan error, 1), say: engine.Silent{}, seen: map[string]int{}}
	fatal := "level=fatal msg=\"failed to bootstrap cluster data: not authorized\""
	f.line(fatal)
	select {
	case err := <-f.broken:
		t.Fatalf("gave up after one line: %v", err)
	default:
	}
	f.line("level=info msg=\"Starting k3s\"")
	f.line(fatal)
	err := f.explain(<-f.broken)
	var unit *UnitError
	if !errors.As(err, &unit) || !strings.Contains(err.Error(), "refuses this server's token") || strings.Count(unit.Output(), "\n") != 2 {
		t.Errorf("got %v\n%s", err, unit.Output())
	}
}

func TestFollowerExplainsATimeout(t *testing.T) {
	t.Parallel()
	f := &follower{unit: "k3s-agent.service", say: engine.Silent{}, seen: map[string]int{}}
	f.line(`msg="failed to get CA certs: Get \"https://127.0.0.1:6444/cacerts\": connection reset by peer"`)
	err := f.explain(errors.New("deadline exceeded"))
	if got := err.Error(); got != "k3s-agent.service: the agent does not reach the server: deadline exceeded" {
		t.Error(got)
	}
}
