package remote

import (
	"bytes"
	"io"
)

// frame is one output stream of a command, seen from its start: noise of
// the login, marks, the begin mark, and then the output of the command,
// which goes to dst.
//
// It is written by one goroutine. noise may be read when the process has
// ended.
type frame struct {
	begin   []byte            // the begin mark with its nonce
	onBegin func(rest string) // called once, with what stands behind the mark
	marks   []mark            // seen only before the begin mark
	dst     io.Writer
	noise   tail

	open bool   // the begin mark was seen
	held []byte // start of a mark that is not complete yet
}

// mark is a text that may come any number of times before the begin mark.
type mark struct {
	text []byte
	on   func()
}

// maxMarkLine bounds the line of a begin mark: two numbers stand behind it.
const maxMarkLine = 64

func (f *frame) Write(p []byte) (int, error) {
	if f.open {
		return f.dst.Write(p)
	}
	f.held = append(f.held, p...)
	for f.step() {
	}
	if !f.open || len(f.held) == 0 {
		return len(p), nil
	}
	rest := f.held
	f.held = nil
	if _, err := f.dst.Write(rest); err != nil {
		return 0, err
	}
	return len(p), nil
}

// ReadFrom writes what r gives, with little memory while it gives nothing.
func (f *frame) ReadFrom(r io.Reader) (int64, error) {
	return transfer(f, r)
}

// step handles the next mark in held and says whether to look again.
func (f *frame) step() bool {
	if f.open {
		return false
	}
	at, next := bytes.Index(f.held, f.begin), -1
	for i, m := range f.marks {
		if j := bytes.Index(f.held, m.text); j >= 0 && (at < 0 || j < at) {
			at, next = j, i
		}
	}
	if at < 0 {
		f.drop(len(f.held) - f.partial())
		return false
	}
	f.drop(at)
	if next >= 0 {
		f.held = f.held[len(f.marks[next].text):]
		f.marks[next].on()
		return true
	}
	return f.beginLine()
}

// beginLine handles a begin mark at the start of held.
func (f *frame) beginLine() bool {
	line := f.held[len(f.begin):]
	end := bytes.IndexByte(line[:min(len(line), maxMarkLine)], '\n')
	switch {
	case end >= 0:
		f.open = true
		f.held = line[end+1:]
		f.onBegin(string(line[:end]))
	case len(line) >= maxMarkLine: // not our line after all
		f.drop(len(f.begin))
		return true
	}
	return false
}

// partial is how many bytes at the end of held may begin a mark.
func (f *frame) partial() int {
	longest := 0
	texts := [][]byte{f.begin}
	for _, m := range f.marks {
		texts = append(texts, m.text)
	}
	for _, text := range texts {
		for n := min(len(text)-1, len(f.held)); n > longest; n-- {
			if bytes.HasSuffix(f.held, text[:n]) {
				longest = n
			}
		}
	}
	return longest
}

// drop moves n bytes of held to the noise.
func (f *frame) drop(n int) {
	_, _ = f.noise.Write(f.held[:n])
	f.held = f.held[n:]
}
