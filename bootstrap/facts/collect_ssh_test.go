package facts_test

import (
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/facts"
	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// The script travels over a real connection and through sudo with a password,
// on a host that greets its users before it does anything.
func TestCollectOverSSHAndSudo(t *testing.T) {
	t.Parallel()
	host := remotetest.New(t, remotetest.User("ubuntu"), remotetest.SudoPassword("open sesame"), remotetest.Banner("Authorised use only.\n"))
	host.On("sh").Shell()
	conn, err := remote.Dial(t.Context(), host.Target())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	f, err := facts.Collect(t.Context(), conn, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if f.Kernel == "" || len(f.Links) == 0 {
		t.Errorf("facts over SSH: %+v", f)
	}
	if n := len(host.Calls()); n != 1 {
		t.Errorf("%d commands, want one", n)
	}
}
