package tui

import "github.com/charmbracelet/bubbles/key"

import tea "github.com/charmbracelet/bubbletea"

// pager shows part of a list of lines. With follow it stays at the end while
// lines are added.
type pager struct {
	lines  []string
	top    int
	height int
	follow bool
}

// set gives it new lines and a height, and keeps the place.
func (p pager) set(lines []string, height int) pager {
	p.lines, p.height = lines, max(height, 1)
	return p.clamp()
}

func (p pager) clamp() pager {
	end := max(0, len(p.lines)-p.height)
	if p.follow || p.top > end {
		p.top = end
	}
	p.top = max(p.top, 0)
	return p
}

// move scrolls by a key; ok is false if the key means something else.
func (p pager) move(k liveKeys, msg tea.KeyMsg) (moved pager, ok bool) {
	switch {
	case key.Matches(msg, k.Up):
		p.top--
	case key.Matches(msg, k.Down):
		p.top++
	case key.Matches(msg, k.PageUp):
		p.top -= p.height
	case key.Matches(msg, k.PageDown):
		p.top += p.height
	case key.Matches(msg, k.Top):
		p.top = 0
	case key.Matches(msg, k.Bottom):
		p.follow = true
		return p.clamp(), true
	default:
		return p, false
	}
	p.follow = false
	return p.clamp(), true
}

// view gives the lines to be shown, exactly as many as the height.
func (p pager) view() []string {
	out := make([]string, p.height)
	if p.top < len(p.lines) {
		copy(out, p.lines[p.top:])
	}
	return out
}

// more says whether lines are hidden above or below.
func (p pager) more() bool { return len(p.lines) > p.height }
