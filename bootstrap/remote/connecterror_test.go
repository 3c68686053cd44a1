package remote_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
	"github.com/gpuboot/gpuboot/bootstrap/remote/remotetest"
)

// nobodyThere is the error of a question without a terminal.
type nobodyThere struct{}

func (nobodyThere) Error() string { return "nobody can be asked" }
func (nobodyThere) Hint() string  { return "ssh-add" }

// TestTheHintIsTheMissingSecrets: where a passphrase or password is not to be
// had, a comparison with ssh tells nothing.
func TestTheHintIsTheMissingSecrets(t *testing.T) {
	t.Parallel()
	file, _, pub := lockedKey(t)
	h := remotetest.New(t)
	h.Authorize(pub)
	target := h.Target()
	target.IdentityFiles = []string{file}
	target.Passphrase = func(context.Context, string) ([]byte, error) { return nil, nobodyThere{} }
	if e := refused(t, target, remote.ErrAuth); e.Hint() != "ssh-add" {
		t.Errorf("the hint is %q", e.Hint())
	}

	h = remotetest.New(t, remotetest.Password("x"))
	target = h.Target()
	target.IdentityFiles = []string{"/nonexistent"}
	target.Password = func(context.Context) (string, error) { return "", errors.New("the variable is not set") }
	if e := refused(t, target, remote.ErrAuth); e.Hint() != "" {
		t.Errorf("the hint is %q", e.Hint())
	}
}

func TestTheHintOfAHostThatHangs(t *testing.T) {
	t.Parallel()
	h := remotetest.New(t)
	h.HangAfterBanner(true)
	target := h.Target()
	target.DialTimeout = 100 * time.Millisecond
	if e := refused(t, target, remote.ErrTimeout); !strings.Contains(e.Hint(), "console") {
		t.Errorf("the hint is %q", e.Hint())
	}
}

func TestConnectErrorSaysItsClassOnce(t *testing.T) {
	t.Parallel()
	target := remotetest.New(t).Target()
	target.HostKey = remotetest.New(t).HostKey()
	e := refused(t, target, remote.ErrHostKeyChanged)
	if n := strings.Count(e.Error(), remote.ErrHostKeyChanged.Error()); n != 1 {
		t.Errorf("%d times: %v", n, e)
	}
}
