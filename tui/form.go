package tui

import (
	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textarea"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// formField is one field of the first step.
type formField int

const (
	fieldName formField = iota
	fieldProvider
	fieldUser
	fieldKey
	fieldAddresses
	fieldAliases
	fieldFile
	fieldCount
)

// form is the first step's fields: texts to type, and two lists to pick from.
type form struct {
	at        formField
	texts     [fieldCount]textinput.Model // of the fields that are one line
	addresses textarea.Model
}

func newForm(d draft) form {
	f := form{at: fieldAddresses}
	for i := range f.texts {
		f.texts[i] = newField("")
	}
	f.texts[fieldUser].Placeholder = "as ssh would: ssh_config, then your own name"
	f.texts[fieldKey].Placeholder = "as ssh would: the agent, then the keys in ~/.ssh"
	f.texts[fieldFile].Placeholder = "path of an inventory that exists, instead of all above"
	f.addresses = textarea.New()
	f.addresses.Prompt = ""
	f.addresses.ShowLineNumbers = false
	f.addresses.CharLimit = 0
	f.addresses.MaxHeight = 0
	f.addresses.Cursor.SetMode(cursor.CursorStatic)
	// The styles of the library are made for another renderer than ours; without any,
	// NO_COLOR holds here as well.
	f.addresses.FocusedStyle, f.addresses.BlurredStyle = textarea.Style{}, textarea.Style{}
	return f.fill(d).focus()
}

// fill shows what a draft says.
func (f form) fill(d draft) form {
	f.texts[fieldName].SetValue(d.Name)
	f.texts[fieldUser].SetValue(d.User)
	f.texts[fieldKey].SetValue(d.Key)
	f.texts[fieldFile].SetValue(d.File)
	f.addresses.SetValue(d.Addresses)
	return f
}

// read puts what was typed into a draft.
func (f form) read(d draft) draft {
	d.Name, d.User, d.Key, d.File = f.text(fieldName), f.text(fieldUser), f.text(fieldKey), f.text(fieldFile)
	d.Addresses = f.addresses.Value()
	return d
}

func (f form) text(i formField) string { return clean(f.texts[i].Value()) }

// typed says whether the field takes letters.
func (i formField) typed() bool { return i != fieldProvider && i != fieldAliases }

// focus puts the cursor into the present field and nowhere else.
func (f form) focus() form {
	for i := range f.texts {
		f.texts[i].Blur()
	}
	f.addresses.Blur()
	switch {
	case f.at == fieldAddresses:
		f.addresses.Focus()
	case f.at.typed():
		f.texts[f.at].Focus()
	}
	return f
}

// move goes to another field, round the end.
func (f form) move(by int) form {
	f.at = (f.at + formField(by) + fieldCount) % fieldCount
	return f.focus()
}

// press types a key into the present field.
func (f form) press(msg tea.KeyMsg) (form, tea.Cmd) {
	var cmd tea.Cmd
	switch {
	case f.at == fieldAddresses:
		f.addresses, cmd = f.addresses.Update(msg)
	case f.at.typed():
		f.texts[f.at], cmd = f.texts[f.at].Update(msg)
	}
	return f, cmd
}

// size fits the fields to the terminal.
func (f form) size(w, lines int) form {
	for i := range f.texts {
		f.texts[i].Width = max(w-1, 5)
	}
	f.addresses.SetWidth(max(w, 10))
	f.addresses.SetHeight(max(lines, 2))
	return f
}
