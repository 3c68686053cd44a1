//go:build e2e

package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/e2e/hosts"
)

func TestHostsStayUntilDown(t *testing.T) {
	t.Parallel()
	if err := hosts.LocalFromEnv().Available(); err != nil {
		t.Skipf("SKIPPED, no test hosts: %v", err)
	}
	testhosts := func(args ...string) string {
		t.Helper()
		var stdout, stderr bytes.Buffer
		if err := run(t.Context(), args, &stdout, &stderr); err != nil {
			t.Fatalf("testhosts %v: %v\n%s", args, err, stderr.String())
		}
		return stdout.String()
	}
	out := testhosts("up", "--count", "2", "--user", "ubuntu")
	first, rest, _ := strings.Cut(out, "\n")
	fleet, ok := strings.CutPrefix(first, "fleet ")
	if !ok || strings.Count(rest, "ubuntu@10.") != 2 {
		t.Fatalf("up printed %q", out)
	}
	if got := testhosts("exec", fleet+"/host-2", "hostname;", "id", "-un"); got != "host-2\nroot\n" {
		t.Errorf("exec printed %q", got)
	}
	testhosts("kill", fleet+"/host-1")
	if got := testhosts("list"); !strings.Contains(got, out[:strings.Index(out, " up ")]+" down") {
		t.Errorf("list printed %q", got)
	}
	testhosts("down", fleet)
	if got := testhosts("list"); strings.Contains(got, "fleet "+fleet+"\n") {
		t.Errorf("after down, list printed %q", got)
	}
}
