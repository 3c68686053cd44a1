//go:build e2e

package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap"
	"github.com/gpuboot/gpuboot/bootstrap/engine"
	"github.com/gpuboot/gpuboot/e2e/hosts"
)

// dpkgLock holds the lock of dpkg like an upgrade that runs unattended: with
// fcntl, for a minute at least. struct flock is that of 64-bit Linux.
const dpkgLock = `cat >/root/lock.pl <<'END'
open(F, ">>", "/var/lib/dpkg/lock-frontend") or die;
$lock = pack("ssx4qqlx4", 1, 0, 0, 0, 0);
fcntl(F, 6, $lock) or die;
sleep 600;
END
systemd-run --quiet --unit unattended perl /root/lock.pl
for i in $(seq 50); do grep -q "POSIX .* WRITE" /proc/locks && exit 0; sleep 0.1; done; exit 1`

// TestTroubleDuringUp has hosts of one hostname, a dpkg that is busy, and a disk
// that fills up while k3s is written to it. Only the disk matters, only to its
// host, and when it has room again `up` finishes.
func TestTroubleDuringUp(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it makes a cluster; `make e2e-full` has it")
	}
	l := newLab(t, hosts.Spec{Name: "s1"}, hosts.Spec{Name: "w1"}, hosts.Spec{Name: "w2"})
	l.need(hosts.FeatureFresh, hosts.FeatureExec, hosts.FeatureTraffic)
	for _, h := range []string{"s1", "w1", "w2"} {
		l.on(h, "hostname node; echo node >/etc/hostname; echo 127.0.1.1 node >>/etc/hosts; "+dpkgLock)
	}
	// Room for the check before, and a slow link, so that there is time to fill it.
	l.on("w2", "mount -t tmpfs -o size=210m small /usr/local/bin")
	if err := l.host("w2").Rate(t.Context(), "eth0", 400e6); err != nil {
		t.Fatal(err)
	}
	l.failing(l.entry("w1") + l.entry("w2"))
	r := l.fillDisk(t, "w2", "dd if=/dev/zero of=/usr/local/bin/filler bs=1M count=150 status=none")
	f := &failures{l: l}
	cause, hint := r.said("w2")
	f.rows = append(f.rows, []string{"disk full during up", "1", r.took("w2", bootstrap.StageInstall).String(), cause, hint})
	f.print(t)
	if r.Code != 1 || !strings.Contains(cause, "No space left on device") || hint == "" {
		t.Errorf("exit code %d, %q, hint %q\n%s", r.Code, cause, hint, r.Stderr)
	}
	l.on("w2", "! ls /usr/local/bin/k3s; test \"$(ls -A /usr/local/bin)\" = filler") // no half of a file, under any name
	l.nodes(t, "node/s1 node/w1")

	l.on("w2", "rm /usr/local/bin/filler")
	l.ok("up")
	l.nodes(t, "node/s1 node/w1 node/w2")
	again := l.ok("up")
	if c := again.changes(); len(c) > 0 {
		t.Errorf("after that still %v", c)
	}
	for _, id := range []string{"package-lock", "hostname-duplicate"} {
		if !slices.ContainsFunc(l.ok("preflight").Events, func(e engine.Event) bool { return e.Kind == engine.KindFinding && e.ID == id }) {
			t.Errorf("preflight does not tell of %s", id)
		}
	}
}

// fillDisk runs up, and a script on the host as soon as its disk is written to.
func (l *lab) fillDisk(t *testing.T, host, script string) result {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	return l.watched(ctx, func(e engine.Event) {
		if e.Kind == engine.KindStepStarted && e.Host == host && e.Step == bootstrap.StageInstall {
			_, _ = l.host(host).Exec(ctx, script) // it fails when the disk is full, as it should
		}
	}, "up")
}

func (l *lab) nodes(t *testing.T, want string) {
	t.Helper()
	got := strings.Fields(l.kubectl("s1", "get nodes -o name"))
	slices.Sort(got)
	if strings.Join(got, " ") != want {
		t.Errorf("the nodes are %q, want %s", got, want)
	}
}
