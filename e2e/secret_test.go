//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checkSecrets looks for the token and the sudo password in what every process
// of the hosts has in its arguments during a run, in gpuboot's output, its run
// logs and the hosts' logs.
func (l *lab) checkSecrets(t *testing.T) {
	token := l.on("s1", "cat /etc/rancher/k3s/token")
	agent := l.on("s1", "cat /etc/rancher/k3s/agent-token")
	secrets := []string{strings.TrimSpace(token), strings.TrimSpace(agent), sudoPassword}
	leaks := func(where, text string) {
		for i, s := range secrets {
			if s == "" || strings.Contains(text, s) {
				t.Errorf("secret %d (of server token, agent token, sudo password) in %s", i, where)
			}
		}
	}
	stop, err := l.fleet.WatchProcesses(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l.write(l.pools("tier: gold, seen: yes-it-is", "k3sConfig: {kubelet-arg: [max-pods=43]}", "w1", "w2", "w3"))
	l.on("w2", "rm /etc/rancher/k3s/token") // so that a token is written again
	r := l.ok("up")
	sightings := stop()
	for _, s := range sightings {
		leaks("the arguments of a process on "+s.Host, strings.Join(s.Args, " "))
	}
	leaks("stdout", r.Stdout)
	leaks("stderr", r.Stderr)
	logs, err := filepath.Glob(filepath.Join(l.dir, ".local/state/gpuboot/e2e/*.jsonl"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no run logs: %v", err)
	}
	for _, name := range logs {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		leaks(name, string(data))
	}
	for _, h := range []string{"s1", "w1", "w2", "w3"} {
		leaks("the log of "+h, l.on(h, "journalctl --no-pager -o cat"))
		if out := l.on(h, "find /etc/rancher /var/lib/gpuboot -type f -perm /044 ! -name '*.pub'"); out != "" {
			t.Errorf("%s: readable by others: %s", h, out)
		}
	}
	t.Logf("SECRETS: %d command lines, %d run logs, 4 host logs searched", len(sightings), len(logs))
}
