package render

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestHostLinesKeepLinesWhole(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	all := NewHostLines(false)
	var work sync.WaitGroup
	for _, host := range []string{"a", "b"} {
		work.Go(func() {
			w := all.Writer(&out, host)
			for range 50 {
				fmt.Fprint(w, "one ")
				fmt.Fprint(w, "two\nth", "ree\n")
			}
			fmt.Fprint(w, "\tend\x1b[1m\r")
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	work.Wait()
	for _, host := range []string{"a", "b"} {
		for line, want := range map[string]int{"one two": 50, "three": 50, "\tend\x1b[1m\r": 1} {
			if got := strings.Count("\n"+out.String(), "\n"+host+"| "+line+"\n"); got != want {
				t.Errorf("%s has %q %d times, want %d", host, line, got, want)
			}
		}
	}
}

func TestHostLinesDoNotSteerATerminal(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	w := NewHostLines(true).Writer(&out, "a")
	fmt.Fprintf(w, "\x1b[2J10%%\r\x1b]0;title\a99%%\n%s", strings.Repeat("x", maxHostLine))
	if want := "a| 99%\na| " + strings.Repeat("x", maxHostLine) + "\n"; out.String() != want {
		t.Errorf("got %.60q", out.String())
	}
}
