package engine

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// Redacted stands where a secret was.
const Redacted = "[redacted]"

// minSecret is the length in bytes below which a secret is not replaced: it
// would tear holes into ordinary text.
const minSecret = 4

// Redactor replaces secrets in text and in events. It also knows them in
// base64, URL-, JSON-, Go- and shell-quoted form. Of a secret with several
// lines each line counts as a secret of its own. The zero value knows no secret
// and works. Safe for concurrent use.
//
// Each string is looked at by itself: a secret that is cut in two, say by being
// spread over two Output calls in the middle of a line, is not found. Secrets
// shorter than four bytes are never replaced.
type Redactor struct {
	mu    sync.RWMutex
	forms formIndex
}

// formIndex has the forms of all secrets by their first bytes, so that the cost
// of looking through a text does not grow with their number: a private key
// alone has hundreds. It is never changed once made.
type formIndex map[[minSecret]byte][]string

// NewRedactor makes a redactor that knows the secrets.
func NewRedactor(secrets ...string) *Redactor {
	r := &Redactor{}
	for _, s := range secrets {
		r.Add(s)
	}
	return r
}

// Add makes a further secret known. Events that have passed already keep it.
func (r *Redactor) Add(secret string) {
	forms := secretForms(secret)
	r.mu.Lock()
	defer r.mu.Unlock()
	index := make(formIndex, len(r.forms)+len(forms))
	maps.Copy(index, r.forms)
	for _, f := range forms {
		key := [minSecret]byte([]byte(f[:minSecret]))
		if !slices.Contains(index[key], f) {
			index[key] = append(slices.Clip(index[key]), f)
		}
	}
	r.forms = index
}

// String gives s with every known secret replaced.
func (r *Redactor) String(s string) string {
	if r == nil || len(s) < minSecret {
		return s
	}
	r.mu.RLock()
	forms := r.forms
	r.mu.RUnlock()
	if len(forms) == 0 {
		return s
	}
	spans := findAll(s, forms)
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	from := 0
	for _, sp := range spans {
		b.WriteString(s[from:sp.begin])
		b.WriteString(Redacted)
		from = sp.end
	}
	b.WriteString(s[from:])
	return b.String()
}

type span struct{ begin, end int }

// findAll gives where forms stand in s, with overlapping and touching finds
// made one. Replacing one form after the other would leave the end of a secret
// that overlaps another.
func findAll(s string, forms formIndex) []span {
	var found []span
	for i := 0; i+minSecret <= len(s); i++ {
		end := forms.match(s[i:]) + i
		if end == i {
			continue
		}
		if n := len(found); n > 0 && i <= found[n-1].end {
			found[n-1].end = max(found[n-1].end, end)
			continue
		}
		found = append(found, span{i, end})
	}
	return found
}

// match gives the length of the longest form that s begins with, else zero.
func (f formIndex) match(s string) int {
	longest := 0
	for _, form := range f[[minSecret]byte([]byte(s[:minSecret]))] {
		if len(form) > longest && strings.HasPrefix(s, form) {
			longest = len(form)
		}
	}
	return longest
}

// Wrap gives a sink that hands events on to s with the secrets replaced in
// every string. The event it was given is not changed.
func (r *Redactor) Wrap(s Sink) Sink {
	return func(e Event) { s.Emit(r.event(e)) }
}

func (r *Redactor) event(e Event) Event {
	for _, p := range []*string{
		&e.Host, &e.Step, &e.Gate, &e.Message, &e.File, &e.Unit, &e.Level, &e.ID, &e.Evidence, &e.Fix,
	} {
		*p = r.String(*p)
	}
	if e.By != nil {
		e.By = &StepRef{r.String(e.By.Host), r.String(e.By.Step)}
	}
	if i := e.Error; i != nil {
		e.Error = &ErrorInfo{r.String(i.Cause), r.String(i.Output), r.String(i.Hint), r.String(i.Retry)}
	}
	if c := e.Change; c != nil {
		e.Change = &Change{r.String(c.Step), r.String(c.Action), r.String(c.What), r.String(c.Reason), c.Disruptive}
	}
	if e.Lanes != nil {
		lanes := make([]string, len(e.Lanes))
		for i, l := range e.Lanes {
			lanes[i] = r.String(l)
		}
		e.Lanes = lanes
	}
	if e.Facts != nil {
		facts := make(map[string]string, len(e.Facts))
		for k, v := range e.Facts {
			facts[r.String(k)] = r.String(v)
		}
		e.Facts = facts
	}
	return e
}
