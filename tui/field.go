package tui

import (
	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
)

// newField makes a line to type on. Its cursor does not blink: a screen on which
// nothing happens sends nothing.
func newField(prompt string) textinput.Model {
	in := textinput.New()
	in.Prompt = prompt
	in.Cursor.SetMode(cursor.CursorStatic)
	return in
}

// newSecretField makes one that does not show what is typed.
func newSecretField(prompt string) textinput.Model {
	in := newField(prompt)
	in.EchoMode = textinput.EchoPassword
	return in
}
