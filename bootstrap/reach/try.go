package reach

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// plan lists the tries. The order is that of the hosts, so that all scripts of
// the same test get the same work.
func (t *test) plan() {
	t.of = make([][]int, len(t.hosts))
	for _, p := range pairs(t.hosts) {
		from, to := t.hosts[p.from], t.hosts[p.to]
		for _, c := range to.Candidates {
			carries := false
			for _, port := range to.ports() {
				if port.ServersOnly && !from.Server {
					continue
				}
				tk, ok := t.task(p, c, port)
				if !ok {
					continue
				}
				if port.Proto == TCP && tk.token != "" && !carries { // once for each address
					tk.size, carries = bulk, true
				}
				t.of[p.from] = append(t.of[p.from], len(t.tasks))
				t.tasks, t.by = append(t.tasks, tk), append(t.by, p.from)
			}
		}
	}
	t.open = len(t.tasks)
}

// task is one try, unless nothing could come of it: UDP is only answered by a
// script, and only tried by one.
func (t *test) task(p pair, c Candidate, port Port) (task, bool) {
	from, to := t.agents[p.from], t.agents[p.to]
	tk := task{key: Key{from.host.Name, to.host.Name, c.Addr, port.Proto, port.Number}}
	if to.listens(c, port) && slices.Contains(to.host.Ports, port) { // not SSH, which greets by itself
		tk.token = to.token
	}
	if port.Proto == UDP {
		tk.size = from.largest(c.Addr.Is6())
		return tk, tk.token != "" && from.isReady()
	}
	return tk, true
}

// largest is the largest packet that the links of a host take.
func (a *agent) largest(v6 bool) int {
	n := 0
	for _, c := range a.host.Candidates {
		if c.Addr.Is6() == v6 {
			n = max(n, c.MTU)
		}
	}
	if n == 0 {
		return 1500
	}
	return n
}

// send gives every host its tasks.
func (t *test) send(ctx context.Context) {
	for i, a := range t.agents {
		t.work.Go(func() {
			if !a.isReady() {
				t.dialAll(ctx, i)
				return
			}
			var lines strings.Builder
			for _, id := range t.of[i] {
				lines.WriteString(t.tasks[id].line(id))
			}
			_, err := io.WriteString(a.in, lines.String())
			if err == nil {
				select {
				case <-a.ended: // before its answers
				case <-ctx.Done():
				}
			}
			t.abandon(i)
		})
	}
}

// abandon gives up on the tasks of a host that have no answer.
func (t *test) abandon(host int) {
	t.mu.Lock()
	var open []int
	for _, id := range t.of[host] {
		if _, done := t.matrix.Checks[t.tasks[id].key]; !done {
			open = append(open, id)
		}
	}
	t.mu.Unlock()
	for _, id := range open {
		t.answer(host, answer{id: id, word: "untested"})
	}
}

// dialAll does the tasks of a host without a script through its SSH server,
// some at a time.
func (t *test) dialAll(ctx context.Context, host int) {
	slots := make(chan struct{}, 8)
	for _, id := range t.of[host] {
		tk := t.tasks[id]
		slots <- struct{}{}
		t.work.Go(func() {
			defer func() { <-slots }()
			t.answer(host, answer{id: id, word: t.agents[host].dial(ctx, tk, t.opt.wait())})
		})
	}
}

// dial tries a port as the SSH server of a host sees it, which does not say why
// it could not connect.
func (a *agent) dial(ctx context.Context, tk task, wait time.Duration) string {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	conn, err := a.host.Conn.DialContext(ctx, "tcp", net.JoinHostPort(tk.key.Addr.String(), strconv.Itoa(tk.key.Port)))
	switch {
	case errors.Is(err, remote.ErrRefused):
		return "refused"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case err != nil:
		return "untested"
	}
	defer conn.Close()
	if tk.token == "" {
		return "open"
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	return talk(conn, tk)
}

// talk is what the script does once connected.
func talk(conn net.Conn, tk task) string {
	greeting := make([]byte, len(tk.token)+1)
	if _, err := io.ReadFull(conn, greeting); err != nil || !bytes.Equal(greeting, []byte(tk.token+"\n")) {
		return "stranger"
	}
	if tk.size == 0 {
		return "open"
	}
	data := append(fmt.Appendf(nil, "%d\n", tk.size), make([]byte, tk.size)...)
	if _, err := conn.Write(data); err != nil {
		return "stall"
	}
	if _, err := io.CopyN(io.Discard, conn, int64(tk.size)); err != nil {
		return "stall"
	}
	return "open"
}
