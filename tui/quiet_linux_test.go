package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// openPTY gives both ends of a pseudo-terminal that answers nothing.
func openPTY(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	slave, err = os.OpenFile(fmt.Sprint("/dev/pts/", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	return master, slave
}

// A process that has this package in it, and draws nothing, says nothing to its
// terminal, and finds TERM as it was.
func TestStartingSaysNothingToTheTerminal(t *testing.T) {
	t.Parallel()
	master, slave := openPTY(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTERMIsAsItWas$")
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "CI=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	out, err := io.ReadAll(master)
	if err != nil && !errors.Is(err, syscall.EIO) { // how a terminal says that nobody is left
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if bytes.Contains(out, []byte{0x1b}) {
		t.Errorf("it said %q", out)
	}
}

func TestTERMIsAsItWas(t *testing.T) {
	t.Parallel()
	if os.Getenv("TERM") == "screen" {
		t.Error("TERM is still changed")
	}
}
