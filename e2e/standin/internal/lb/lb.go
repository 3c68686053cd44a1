// Package lb is an agent's own load balancer: it takes connections on 127.0.0.1 and passes each on to a server that answers.
// It looks at no bytes.
package lb

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"sync"
	"time"
)

const (
	dialTimeout = 5 * time.Second
	firstWords  = time.Second // how long a client may be silent before it is reset
)

// Balancer knows the servers. The last one that answered is tried first.
type Balancer struct {
	first    string // the server that the agent was told; always kept as a last resort
	listener net.Listener

	mu      sync.Mutex
	servers []string
}

// Start listens on 127.0.0.1:port for the server at rawURL until ctx ends.
func Start(ctx context.Context, port int, rawURL string) (*Balancer, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return nil, fmt.Errorf("Invalid server url, failed to parse: %s: %w", rawURL, err)
	}
	first := u.Host
	if u.Port() == "" {
		first = net.JoinHostPort(u.Hostname(), "443")
	}
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	b := &Balancer{first: first, listener: l, servers: []string{first}}
	go func() {
		<-ctx.Done()
		_ = l.Close()
	}()
	go b.accept(ctx)
	return b, nil
}

// URL is where local clients connect.
func (b *Balancer) URL() string { return "https://" + b.listener.Addr().String() }

// Update replaces the list of servers; an empty list changes nothing.
func (b *Balancer) Update(servers []string) {
	if len(servers) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if slices.Contains(servers, b.servers[0]) { // stay with the one that works
		servers = append([]string{b.servers[0]}, slices.DeleteFunc(slices.Clone(servers), func(s string) bool { return s == b.servers[0] })...)
	}
	b.servers = servers
}

// Servers lists the servers in the order in which they are tried.
func (b *Balancer) Servers() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := slices.Clone(b.servers)
	if !slices.Contains(all, b.first) {
		all = append(all, b.first)
	}
	return all
}

func (b *Balancer) accept(ctx context.Context) {
	for {
		c, err := b.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		} else if err != nil {
			continue
		}
		go b.pass(ctx, c.(*net.TCPConn))
	}
}

// pass connects to the first server that answers. When none does, the client sees a reset, as with k3s.
func (b *Balancer) pass(ctx context.Context, client *net.TCPConn) {
	defer func() { _ = client.Close() }()
	for _, s := range b.Servers() {
		d := net.Dialer{Timeout: dialTimeout}
		up, err := d.DialContext(ctx, "tcp", s)
		if err != nil {
			continue
		}
		b.prefer(s)
		join(client, up.(*net.TCPConn))
		return
	}
	// After the client's first words, so that it learns of the reset while it reads.
	_ = client.SetReadDeadline(time.Now().Add(firstWords))
	_, _ = client.Read(make([]byte, 1))
	_ = client.SetLinger(0)
}

func (b *Balancer) prefer(server string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.servers, server); i > 0 {
		b.servers = append([]string{server}, slices.Delete(slices.Clone(b.servers), i, i+1)...)
	}
}

func join(a, b *net.TCPConn) {
	defer func() { _ = b.Close() }()
	var wg sync.WaitGroup
	for _, pair := range [][2]*net.TCPConn{{a, b}, {b, a}} {
		wg.Go(func() {
			_, _ = io.Copy(pair[0], pair[1])
			_ = pair[0].CloseWrite()
		})
	}
	wg.Wait()
}
