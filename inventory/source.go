package inventory

// maxSourceLine is the longest line that is repeated with a problem.
const maxSourceLine = 200

// sourceLine returns the line at pos, or "" if there is none worth showing.
func sourceLine(lines []string, pos Pos) string {
	if pos.Line < 1 || pos.Line > len(lines) || len(lines[pos.Line-1]) > maxSourceLine {
		return ""
	}
	return lines[pos.Line-1]
}
