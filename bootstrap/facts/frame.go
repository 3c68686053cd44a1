package facts

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrNoProbe says that the output holds no answer of the probe, for example
// because a login shell printed something else and ended. Not worth a retry.
var ErrNoProbe = errors.New("no answer of the probe in the output")

// ErrTruncated says that the answer has a beginning and no end: the connection
// was cut, or the shell was killed. Asking again may help.
var ErrTruncated = errors.New("the probe's answer is cut off")

const probeVersion = "1"

// section is one framed part of the probe's output.
type section struct {
	body string
	// status is the exit status of the section's command, "skipped" where time
	// had run out, or "" where its end is missing.
	status string
}

// frames is the output of one probe, cut into sections.
type frames struct {
	start, end clockReading
	sections   map[string]section
}

// split finds the probe's answer in what a host printed and cuts it into its
// sections. What comes before and after is not looked at, also when it begins
// like an answer.
func split(out []byte) (frames, error) {
	text, lead := string(out), "\n@@gpuboot-probe "
	err := fmt.Errorf("%w: %q", ErrNoProbe, tail(text, 200))
	for {
		_, after, ok := strings.Cut(text, lead)
		if !ok {
			return frames{}, err
		}
		var f frames
		if f, err = answer(after); err == nil {
			return f, nil
		}
		text = after
	}
}

// answer reads an answer from behind its first words.
func answer(text string) (frames, error) {
	head, rest, _ := strings.Cut(text, "\n")
	words := strings.Fields(head)
	if len(words) != 3 || words[0] != probeVersion || !strings.HasPrefix(words[1], "@@") {
		return frames{}, fmt.Errorf("%w: its first line is %q", ErrNoProbe, tail(head, 200))
	}
	f := frames{start: readClock(words[2]), sections: map[string]section{}}
	if !f.cut(rest, words[1]+" ") {
		return frames{}, fmt.Errorf("%w after %d bytes", ErrTruncated, len(text))
	}
	return f, nil
}

// cut fills the sections and says whether the last line was there.
func (f *frames) cut(text, marker string) bool {
	name, body := "", strings.Builder{}
	for line := range strings.SplitAfterSeq(text, "\n") {
		order, ok := strings.CutPrefix(line, marker)
		if !ok {
			body.WriteString(line)
			continue
		}
		words := strings.Fields(order)
		if len(words) < 2 {
			continue
		}
		if name != "" {
			f.close(name, body.String(), words)
		}
		name = ""
		body.Reset()
		switch words[0] {
		case "begin":
			name = words[1]
		case "done":
			f.end = readClock(words[1])
			return true
		}
	}
	return false
}

// close stores a section. Every marker line is led by a newline of its own,
// which is no part of the body.
func (f *frames) close(name, body string, words []string) {
	s := section{body: strings.TrimSuffix(body, "\n")}
	if words[0] == "end" && words[1] == name && len(words) > 2 {
		s.status = words[2]
	}
	f.sections[name] = s
}

// clockReading is a time as the host's date printed it.
type clockReading struct {
	at        time.Time
	precision time.Duration
}

// readClock reads seconds since 1970 with or without a fraction; date of
// busybox leaves "%N" in its place.
func readClock(s string) clockReading {
	whole, frac, _ := strings.Cut(s, ".")
	sec, ok := atoi64(whole)
	if !ok || sec < 0 || sec > 1<<40 {
		return clockReading{}
	}
	if ns, ok := atoi64(frac); ok && len(frac) == 9 {
		return clockReading{at: time.Unix(sec, ns).UTC(), precision: time.Microsecond}
	}
	return clockReading{at: time.Unix(sec, 0).UTC(), precision: time.Second}
}
