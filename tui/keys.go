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
		case "k", "j", "g", "G", "b", "h", "l", "backspace", "ctrl+p":
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

// wizardKeys are the keys of the wizard. The help page lists every one of them.
type wizardKeys struct {
	Next, Back, Quit, Help key.Binding

	Field, FieldBack, Pick, Left, Right key.Binding

	Up, Down, PageUp, PageDown, Top, Bottom key.Binding

	Retry, RetryAll, Drop, Tab, Path, Save, Apply key.Binding
}

func newWizardKeys() wizardKeys {
	return wizardKeys{
		Next:      bind("next step", "ctrl+n", "ctrl+n"),
		Back:      bind("step before; what you entered stays", "esc", "esc", "ctrl+p"),
		Quit:      bind("leave; asks first", "ctrl+c", "ctrl+c"),
		Help:      bind("this page", "?", "?"),
		Field:     bind("next field", "tab", "tab"),
		FieldBack: bind("field before", "shift+tab", "shift+tab"),
		Pick:      bind("open a list with everything explained", "enter", "enter"),
		Left:      bind("the value before", "←", "left"),
		Right:     bind("the next value", "→", "right"),
		Up:        bind("up a line", "↑", "up", "k"),
		Down:      bind("down a line", "↓", "down", "j"),
		PageUp:    bind("scroll the text up", "pgup", "pgup"),
		PageDown:  bind("scroll the text down", "pgdn", "pgdown"),
		Top:       bind("to the first", "home", "home", "g"),
		Bottom:    bind("to the last", "end", "end", "G"),
		Retry:     bind("look at this host again", "r", "r"),
		RetryAll:  bind("look again at all hosts that failed", "R", "R"),
		Drop:      bind("leave this host out, or take it back", "x", "x"),
		Tab:       bind("inventory or plan", "tab", "tab"),
		Path:      bind("where the inventory goes", "p", "p"),
		Save:      bind("save the inventory", "s", "s"),
		Apply:     bind("save and apply now", "a", "a"),
	}
}

// groups lists the bindings as the help page does, by where they work.
func (k wizardKeys) groups() []keyGroup {
	return []keyGroup{
		{"Everywhere", []key.Binding{k.Next, k.Back, k.Quit, k.Help}},
		{"Hosts and choices", []key.Binding{k.Field, k.FieldBack, k.Pick, k.Left, k.Right}},
		{"Lists of hosts", []key.Binding{k.Up, k.Down, k.Top, k.Bottom, k.PageUp, k.PageDown, k.Retry, k.RetryAll, k.Drop}},
		{"Review", []key.Binding{k.Tab, k.Path, k.Save, k.Apply}},
	}
}

// keyGroup is keys that work in the same place.
type keyGroup struct {
	title string
	keys  []key.Binding
}
