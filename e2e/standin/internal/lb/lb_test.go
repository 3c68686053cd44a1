package lb

import (
	"io"
	"net"
	"net/url"
	"slices"
	"testing"
)

// echo serves its name to each connection.
func echo(t *testing.T, name string) (addr string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, name)
			_ = c.Close()
		}
	}()
	return l.Addr().String(), func() { _ = l.Close() }
}

func ask(t *testing.T, b *Balancer) (string, error) {
	t.Helper()
	u, err := url.Parse(b.URL())
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	data, err := io.ReadAll(c)
	return string(data), err
}

func TestFailsOverAndStaysWithTheServerThatAnswers(t *testing.T) {
	t.Parallel()
	one, stopOne := echo(t, "one")
	two, stopTwo := echo(t, "two")
	b, err := Start(t.Context(), 0, "https://"+one)
	if err != nil {
		t.Fatal(err)
	}
	b.Update([]string{one, two})
	if got, err := ask(t, b); got != "one" || err != nil {
		t.Fatalf("got %q, %v", got, err)
	}
	stopOne()
	if got, err := ask(t, b); got != "two" || err != nil {
		t.Fatalf("got %q, %v", got, err)
	}
	if got := b.Servers(); !slices.Equal(got, []string{two, one}) {
		t.Errorf("order = %q", got)
	}
	b.Update([]string{"127.0.0.1:1", two})
	if got := b.Servers(); !slices.Equal(got, []string{two, "127.0.0.1:1", one}) {
		t.Errorf("order = %q", got)
	}
	stopTwo()
	if _, err := ask(t, b); err == nil {
		t.Error("no server answers, but the connection was not reset")
	}
}
