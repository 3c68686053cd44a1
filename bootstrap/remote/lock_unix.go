//go:build unix

package remote

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile waits for the lock on an open file; closing it lets go. It is
// held for one small write, so there is no deadline.
func lockFile(f *os.File) error {
	for {
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != unix.EINTR {
			return err
		}
	}
}
