package remote

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// seen is what a frame made of a stream.
type seen struct {
	out, noise string
	marks      string // the order of what was met
}

// frameOf feeds a stream in pieces of the given size.
func frameOf(stream string, size int) seen {
	var got seen
	var out bytes.Buffer
	f := frame{
		begin: []byte("begin-1"), onBegin: func(rest string) { got.marks += fmt.Sprintf("begin%q ", rest) }, dst: &out,
		marks: []mark{
			{[]byte("ask-1"), func() { got.marks += "ask " }},
			{[]byte("shell-1"), func() { got.marks += "shell " }},
		},
	}
	f.noise.max = maxNoise
	for len(stream) > 0 {
		n := min(size, len(stream))
		_, _ = f.Write([]byte(stream[:n])) // a buffer takes everything
		stream = stream[n:]
	}
	got.out, got.noise = out.String(), string(f.noise.bytes())+string(f.held)
	return got
}

func TestFrame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		stream string
		want   seen
	}{
		{"begin-1 12 12\nout\n", seen{"out\n", "", `begin" 12 12" `}},
		{"motd\nno line endbegin-1\nout", seen{"out", "motd\nno line end", `begin"" `}},
		{"begin-2 x\nbegin-begin-1\nbegin-1\nask-1", seen{"begin-1\nask-1", "begin-2 x\nbegin-", `begin"" `}},
		{"shell-1\nlecture\nask-1ask-1Sorry\nbegin-1\n", seen{"", "\nlecture\nSorry\n", `shell ask ask begin"" `}},
		{"[sudo: ask-1] Password: begin-1 3\n\x00", seen{"\x00", "[sudo: ] Password: ", `ask begin" 3" `}},
		{"nothing but noise, ask", seen{"", "nothing but noise, ask", ""}},
		{"begin-1 without its end", seen{"", "begin-1 without its end", ""}},
		{"begin-1" + strings.Repeat("x", 100) + "\nbegin-1\nout", seen{"out", "begin-1" + strings.Repeat("x", 100) + "\n", `begin"" `}},
		{"", seen{}},
	} {
		for _, size := range []int{1, 2, 3, 7, 1000} {
			if got := frameOf(tt.stream, size); got != tt.want {
				t.Errorf("%q in pieces of %d: got %+v, want %+v", tt.stream, size, got, tt.want)
			}
		}
	}
}

func FuzzFrame(f *testing.F) {
	f.Add("noise begin-1 12 12\nout", 3)
	f.Add("shell-1\nask-1\nbegin-1\n", 1)
	f.Add("begin-begin-1\n\n", 2)
	f.Fuzz(func(t *testing.T, stream string, size int) {
		if size < 1 || size > len(stream) {
			return
		}
		whole, pieces := frameOf(stream, len(stream)+1), frameOf(stream, size)
		if whole != pieces {
			t.Errorf("%q: whole %+v, in pieces of %d %+v", stream, whole, size, pieces)
		}
		if n := len(whole.out) + len(whole.noise); n > len(stream) || len(stream) > 0 && whole.marks == "" && n != len(stream) {
			t.Errorf("%q: %+v", stream, whole)
		}
	})
}
