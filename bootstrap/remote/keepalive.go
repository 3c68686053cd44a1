package remote

import (
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
)

// quietTicks is how many intervals in a row without a byte make a link
// dead. The byte that was last may have come just after a tick, so a dead
// link is noticed within quietTicks+1 intervals.
const quietTicks = 3

func newSSHLink(client *ssh.Client, conn *meteredConn, s *stats, every time.Duration) *sshLink {
	l := &sshLink{client: client, wire: conn, stats: s, stop: make(chan struct{})}
	l.work.Go(l.watch)
	l.work.Go(func() { l.keepAlive(every) })
	return l
}

// watch records when the connection ends by itself.
func (l *sshLink) watch() {
	err := l.client.Wait()
	l.fail(fmt.Errorf("%w: %w", ErrClosed, err))
}

// keepAlive asks for a sign of life when nothing came for an interval, and
// closes the link after some more of silence. Any byte from the host is
// one, so an answer that waits behind a large upload is not missed.
func (l *sshLink) keepAlive(every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	var asking atomic.Bool
	last, quiet := l.wire.seen.Load(), 0
	for {
		select {
		case <-l.stop:
			return
		case <-tick.C:
		}
		if now := l.wire.seen.Load(); now != last {
			last, quiet = now, 0
			continue
		}
		if quiet++; quiet >= quietTicks {
			l.fail(fmt.Errorf("%w: the host was silent for %v", ErrClosed, time.Duration(quiet)*every))
			_ = l.client.Close()
			return
		}
		if asking.CompareAndSwap(false, true) {
			l.work.Go(func() {
				// Any answer will do; sshd says no to requests it does not know.
				_, _, _ = l.client.SendRequest("keepalive@openssh.com", true, nil)
				asking.Store(false)
			})
		}
	}
}
