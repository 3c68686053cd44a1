package machine

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gpuboot/gpuboot/e2e/sim/internal/shell"
)

// reachName is how gpuboot names the script with which hosts try each other.
const reachName = "gpuboot-reach"

// reach stands for that script: it answers its lines from what the world knows.
// Words: TOKEN SECONDS MILLISECONDS LISTEN.
func (m *Machine) reach(ctx context.Context, c *shell.Call, words []string) int {
	if len(words) != 4 {
		return c.Complain("%s: %d words", reachName, len(words))
	}
	out := &lines{w: c.Stdout}
	for l := range strings.SplitSeq(words[3], ",") {
		if proto, rest, ok := strings.Cut(l, "/"); ok && m.serves(rest) {
			out.say("taken %s %s", proto, strings.Replace(rest, "/", " ", 1))
		}
	}
	m.listen(words[0])
	defer m.listen("")
	out.say("ready simulated")
	var tries sync.WaitGroup
	defer tries.Wait()
	for in := bufio.NewScanner(c.Stdin); in.Scan(); {
		f := strings.Fields(in.Text())
		if len(f) != 6 {
			return c.Complain("%s: line %q", reachName, in.Text())
		}
		word, number := m.try(f[1], f[2], f[3], f[4], f[5])
		if word != "timeout" {
			out.say("%s %s %s", f[0], word, number)
			continue
		}
		tries.Go(func() {
			if m.world.wait(ctx, 2*time.Second) {
				out.say("%s timeout 0", f[0])
			}
		})
	}
	return 0
}

// serves says whether k3s holds the port of "ADDR/PORT".
func (m *Machine) serves(at string) bool {
	_, port, _ := strings.Cut(at, "/")
	switch port {
	case "6443":
		return m.api() != nil
	case "10250", "8472":
		return m.Cluster() != nil
	}
	return false
}

// listen names the listener of this host; "" ends it.
func (m *Machine) listen(token string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.listener = token
}

func (m *Machine) listening() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.listener
}

// try is one line.
func (m *Machine) try(proto, addr, port, token, size string) (word, number string) {
	peer := m.world.at(addr)
	if peer == nil || peer != m && m.Trouble().Isolated {
		return "timeout", "0"
	}
	if token != "-" {
		switch {
		case peer.listening() != token:
			return "stranger", "0"
		case proto == "udp":
			return "open", size
		}
		return "open", "0"
	}
	if peer.serves(addr+"/"+port) || m.world.knowsSSH(peer.Loopback+":"+port) {
		return "open", "0"
	}
	return "refused", "0"
}

// lines writes whole lines for several at a time.
type lines struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lines) say(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.w, format+"\n", args...)
}
