package tui

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

// styles is how everything looks. Colours have a light and a dark form; with
// NO_COLOR, or where the terminal has none, all of them vanish and the symbols and
// words remain.
type styles struct {
	sym   symbols
	ascii bool

	title, bold, dim, key, header, good, bad, warn, info, plainText lipgloss.Style

	marks map[engine.Status]string // drawn once: a table has thousands
	words map[engine.Status]string
}

// newStyles makes the styles for a terminal. getenv may be nil, for the
// process's own environment.
func newStyles(out io.Writer, getenv func(string) string, ascii bool) styles {
	var opts []termenv.OutputOption
	if getenv != nil {
		opts = append(opts, termenv.WithEnvironment(environ(getenv)))
	}
	r := lipgloss.NewRenderer(out, opts...)
	if getenv != nil && getenv("NO_COLOR") != "" {
		r.SetColorProfile(termenv.Ascii)
	}
	if r.ColorProfile() == termenv.Ascii {
		r.SetHasDarkBackground(true) // nothing depends on it
	}
	// Asks the terminal, which has to happen before bubbletea reads from it: it would
	// take the answer for keys.
	r.HasDarkBackground()
	return stylesFor(r, ascii)
}

func stylesFor(r *lipgloss.Renderer, ascii bool) styles {
	colour := func(light, dark string) lipgloss.Style {
		return r.NewStyle().Foreground(lipgloss.AdaptiveColor{Light: light, Dark: dark})
	}
	s := styles{
		sym:       unicodeSymbols(),
		title:     r.NewStyle().Bold(true),
		bold:      r.NewStyle().Bold(true),
		dim:       colour("242", "246"),
		key:       colour("25", "117").Bold(true),
		header:    colour("238", "251").Underline(true),
		good:      colour("28", "78"),
		bad:       colour("160", "203").Bold(true),
		warn:      colour("130", "214"),
		info:      colour("25", "75"),
		plainText: r.NewStyle(),
	}
	if ascii {
		s.sym, s.ascii = asciiSymbols(), true
	}
	s.marks, s.words = map[engine.Status]string{}, map[engine.Status]string{}
	for _, st := range statuses() {
		s.marks[st] = s.status(st).Render(s.sym.of(st))
		s.words[st] = s.status(st).Render(fit(word(st), statusWidth))
	}
	return s
}

// statusWidth is the longest word of a status.
const statusWidth = len("cancelled")

func (s styles) status(st engine.Status) lipgloss.Style {
	switch st {
	case engine.StatusDone, engine.StatusUnchanged:
		return s.good
	case engine.StatusRunning:
		return s.info
	case engine.StatusFailed:
		return s.bad
	case engine.StatusBlocked, engine.StatusCancelled:
		return s.warn
	}
	return s.dim
}

// mark gives the drawn sign of a status.
func (s styles) mark(st engine.Status) string {
	if m, ok := s.marks[st]; ok {
		return m
	}
	return s.marks[""]
}

// level gives the style and sign of a finding or a warning.
func (s styles) level(level string) (lipgloss.Style, string) {
	switch level {
	case "block":
		return s.bad, s.sym.failed + " blocks"
	case "warn":
		return s.warn, s.sym.blocked + " warning"
	}
	return s.info, s.sym.sep + " info"
}

// bar draws a share of w cells.
func (s styles) bar(share float64, w int) string {
	full := min(max(int(share*float64(w)+0.5), 0), w)
	return s.good.Render(strings.Repeat(s.sym.barFull, full)) + s.dim.Render(strings.Repeat(s.sym.barEmpty, w-full))
}

// frame joins the lines of a picture, none wider than the terminal.
func (s styles) frame(lines []string, w int) string {
	for i := range lines {
		lines[i] = truncate(lines[i], w)
	}
	view := strings.Join(lines, "\n")
	if s.ascii {
		view = strings.NewReplacer("…", "~", "←", "<", "→", ">", "↑", "^", "↓", "v").Replace(view)
	}
	return view
}

// environ lets termenv read a caller's environment.
type environ func(string) string

func (e environ) Environ() []string         { return nil }
func (e environ) Getenv(name string) string { return e(name) }
