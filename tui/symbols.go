package tui

import "github.com/gpuboot/gpuboot/bootstrap/engine"

// symbols are the signs that carry meaning beside colour. Each is one cell wide.
type symbols struct {
	done, unchanged, running, waiting, failed, blocked, cancelled, skipped, none string

	cursor, barFull, barEmpty, more, sep, rule, radioOn, radioOff, tickOn, tickOff, left, right string
}

func unicodeSymbols() symbols {
	return symbols{
		done: "✓", unchanged: "=", running: "▸", waiting: "…", failed: "✗", blocked: "!", cancelled: "■", skipped: "-", none: "·",
		cursor: "❯", barFull: "█", barEmpty: "░", more: "…", sep: "·", rule: "─", radioOn: "◉", radioOff: "○", tickOn: "☒", tickOff: "☐", left: "‹", right: "›",
	}
}

// asciiSymbols are for terminals that show no others.
func asciiSymbols() symbols {
	return symbols{
		done: "+", unchanged: "=", running: ">", waiting: "~", failed: "x", blocked: "!", cancelled: "#", skipped: "-", none: ".",
		cursor: ">", barFull: "#", barEmpty: ".", more: "~", sep: "|", rule: "-", radioOn: "*", radioOff: "o", tickOn: "x", tickOff: ".", left: "<", right: ">",
	}
}

// of gives the sign of a status.
func (s symbols) of(st engine.Status) string {
	switch st {
	case engine.StatusDone:
		return s.done
	case engine.StatusUnchanged:
		return s.unchanged
	case engine.StatusRunning:
		return s.running
	case engine.StatusWaiting:
		return s.waiting
	case engine.StatusFailed:
		return s.failed
	case engine.StatusBlocked:
		return s.blocked
	case engine.StatusCancelled:
		return s.cancelled
	case engine.StatusSkipped:
		return s.skipped
	}
	return s.none
}

// word gives the word of a status.
func word(st engine.Status) string {
	if st == "" {
		return "queued"
	}
	return string(st)
}

// statuses lists all, as the help explains them.
func statuses() []engine.Status {
	return []engine.Status{
		engine.StatusRunning, engine.StatusWaiting, engine.StatusDone, engine.StatusUnchanged, engine.StatusFailed,
		engine.StatusBlocked, engine.StatusCancelled, engine.StatusSkipped, "",
	}
}

// meaning explains a status in the help.
func meaning(st engine.Status) string {
	switch st {
	case engine.StatusDone:
		return "ended well and changed something"
	case engine.StatusUnchanged:
		return "ended well, there was nothing to do"
	case engine.StatusRunning:
		return "a step runs now"
	case engine.StatusWaiting:
		return "waits for another host, or for its turn"
	case engine.StatusFailed:
		return "a step failed: enter shows why"
	case engine.StatusBlocked:
		return "waited for a step of another host, which broke"
	case engine.StatusCancelled:
		return "the run was stopped before this ended"
	case engine.StatusSkipped:
		return "a step that was not begun, because an earlier one broke"
	}
	return "its work has not begun; for a stage: not reached, or no part of it"
}
