package tui

import "github.com/charmbracelet/bubbles/key"

// liveKeys are the keys of the live view. The help page lists every one of them.
type liveKeys struct {
	Up, Down, PageUp, PageDown, Top, Bottom key.Binding

	Open, Back, Tab, Next, Prev, Pane key.Binding

	Failed, Unfinished, Search, Gates, Notes, Help, Quit, Stop key.Binding
}

func newLiveKeys() liveKeys {
	return liveKeys{
		Up:         bind("up a line", "↑", "up", "k"),
		Down:       bind("down a line", "↓", "down", "j"),
		PageUp:     bind("up a page", "pgup", "pgup", "b"),
		PageDown:   bind("down a page", "pgdn", "pgdown", " "),
		Top:        bind("to the top", "home", "home", "g"),
		Bottom:     bind("to the end, and follow", "end", "end", "G"),
		Open:       bind("open the host: steps, error, output", "enter", "enter"),
		Back:       bind("back", "esc", "esc", "backspace"),
		Tab:        bind("next part of the host's page", "tab", "tab"),
		Next:       bind("next host", "→", "right", "l"),
		Prev:       bind("host before", "←", "left", "h"),
		Pane:       bind("follow this host's output below the table", "o", "o"),
		Failed:     bind("only hosts that failed, were blocked or cancelled", "f", "f"),
		Unfinished: bind("only hosts that are not finished", "u", "u"),
		Search:     bind("only hosts whose name has this text", "/", "/"),
		Gates:      bind("what hosts wait for", "w", "w"),
		Notes:      bind("findings, warnings and the plan", "n", "n"),
		Help:       bind("this page", "?", "?"),
		Quit:       bind("leave; asks while the run goes on", "q", "q"),
		Stop:       bind("stop the run; asks first", "ctrl+c", "ctrl+c"),
	}
}

// bind makes a binding; shown is how the help names it, beside further keys.
func bind(help, shown string, keys ...string) key.Binding {
	for _, k := range keys {
		switch k {
		case "k", "j", "g", "G", "b", "h", "l", "backspace":
			shown += " " + k
		case " ":
			shown += " space"
		}
	}
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, help))
}

// all lists the bindings in the order of the help page.
func (k liveKeys) all() []key.Binding {
	return []key.Binding{
		k.Up, k.Down, k.PageUp, k.PageDown, k.Top, k.Bottom, k.Open, k.Tab, k.Next, k.Prev, k.Back, k.Pane,
		k.Failed, k.Unfinished, k.Search, k.Gates, k.Notes, k.Help, k.Quit, k.Stop,
	}
}
