//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func (l *lab) checkKubeconfig(t *testing.T) {
	own := filepath.Join(l.dir, ".kube/config")
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	mine := "apiVersion: v1\nkind: Config\ncurrent-context: mine\ncontexts: [{name: mine, context: {cluster: mine, user: mine}}]\nclusters: [{name: mine, cluster: {server: 'https://192.0.2.1:6443'}}]\nusers: [{name: mine, user: {}}]\n"
	if err := os.WriteFile(own, []byte(mine), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := l.command(t.Context(), "kubeconfig").CombinedOutput(); err != nil {
		t.Fatalf("gpuboot kubeconfig: %v\n%s", err, out)
	}
	if info, err := os.Stat(own); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of the kubeconfig: %v %v", info.Mode(), err)
	}
	kubectl := func(args ...string) string {
		cmd := l.command(t.Context())
		cmd.Path, cmd.Args = l.k3s, append([]string{"k3s", "kubectl", "--kubeconfig", own}, args...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("kubectl %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if got := kubectl("config", "current-context"); got != "mine" {
		t.Errorf("the current context became %q", got)
	}
	if got := kubectl("--context", "e2e", "get", "nodes", "-o", "name"); strings.Count(got, "node/") != 4 {
		t.Errorf("through the merged kubeconfig: %s", got)
	}
}
