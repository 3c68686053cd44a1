package link

import (
	"bytes"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"
)

type meter struct{ up, down atomic.Int64 }

func (m *meter) Up(n int)   { m.up.Add(int64(n)) }
func (m *meter) Down(n int) { m.down.Add(int64(n)) }

// pair is a TCP connection whose one end is a line.
func pair(t *testing.T, s Shape) (net.Conn, *Conn, *meter) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	near, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	far, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	m := &meter{}
	l := New(far, s, 1, m)
	t.Cleanup(func() {
		_ = near.Close()
		l.Cut()
		l.Wait()
	})
	return near, l, m
}

func TestARoundTripTakesTheLatency(t *testing.T) {
	t.Parallel()
	near, far, _ := pair(t, Shape{Latency: 60 * time.Millisecond, Jitter: 5 * time.Millisecond})
	go func() { _, _ = io.Copy(far, far) }()
	buf := make([]byte, 4)
	for i := range 2 {
		begun := time.Now()
		if _, err := near.Write([]byte("ping")); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(near, buf); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took < 60*time.Millisecond {
			t.Errorf("round trip %d took %v", i, took)
		}
	}
}

func TestBandwidthBoundsATransferAndKeepsItsBytes(t *testing.T) {
	t.Parallel()
	near, far, m := pair(t, Shape{Bandwidth: 10 << 20})
	want := bytes.Repeat([]byte("0123456789abcdef"), 128<<10) // 2 MiB
	begun := time.Now()
	go func() {
		_, _ = near.Write(want)
		_ = near.(*net.TCPConn).CloseWrite()
	}()
	got, err := io.ReadAll(far)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("%d bytes, %v", len(got), err)
	}
	if took := time.Since(begun); took < 190*time.Millisecond {
		t.Errorf("2 MiB at 10 MiB/s took %v", took)
	}
	if n := m.up.Load(); n != int64(len(want)) {
		t.Errorf("counted %d bytes", n)
	}
}

func TestCloseLetsTheLastBytesArriveAndCutDoesNot(t *testing.T) {
	t.Parallel()
	near, far, _ := pair(t, Shape{Latency: 40 * time.Millisecond})
	_, _ = far.Write([]byte("bye"))
	_ = far.Close()
	if got, err := io.ReadAll(near); err != nil || string(got) != "bye" {
		t.Errorf("after Close: %q, %v", got, err)
	}
	near, far, _ = pair(t, Shape{Latency: 40 * time.Millisecond})
	_, _ = far.Write([]byte("bye"))
	far.Cut()
	if got, _ := io.ReadAll(near); len(got) > 0 {
		t.Errorf("after Cut: %q", got)
	}
}
