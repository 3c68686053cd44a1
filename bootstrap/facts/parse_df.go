package facts

import (
	"errors"
	"fmt"
	"strings"
)

// dfRow is one line of df -P.
type dfRow struct {
	source, kind, mount string
	size, avail         int64
}

// readFileSystems reads the asked paths, then df's table of bytes, then that of
// inodes. Both have a line for each path, in the same order.
func readFileSystems(f *Facts, s section) error {
	bytesText, inodesText, _ := strings.Cut(s.body, "# inodes")
	asked := parseAsked(bytesText)
	rows := parseDF(bytesText)
	inodes := parseDF(inodesText)
	if len(rows) == 0 {
		return errors.New("df says: " + evidence(s.body))
	}
	for i, a := range asked {
		row, ok := pick(rows, i, len(asked), a.existing)
		if !ok {
			f.unknown("df."+a.path, "df has no line for it")
			continue
		}
		fs := FileSystem{Path: a.path, Existing: a.existing, Mount: row.mount, Source: row.source, Type: row.kind,
			SizeBytes: row.size, AvailBytes: row.avail}
		if in, ok := pick(inodes, i, len(asked), a.existing); ok {
			fs.Inodes, fs.AvailInodes = in.size, in.avail
		}
		if m, ok := f.mountOf(fs.Mount); ok {
			fs.ReadOnly, fs.NoExec = m.Has("ro"), m.Has("noexec")
			if fs.Type == "" {
				fs.Type = m.Type
			}
		}
		f.FileSystems = append(f.FileSystems, fs)
	}
	return nil
}

type askedPath struct{ path, existing string }

func parseAsked(text string) []askedPath {
	var out []askedPath
	for _, line := range lines(text) {
		if rest, ok := strings.CutPrefix(line, "# asked "); ok {
			if path, existing, ok := strings.Cut(rest, " "); ok {
				out = append(out, askedPath{path, existing})
			}
		}
	}
	return out
}

// pick finds the row of the i-th path: by its place where no path fell out,
// else by the longest mount point above it.
func pick(rows []dfRow, i, asked int, path string) (dfRow, bool) {
	if len(rows) == asked {
		return rows[i], true
	}
	best, found := dfRow{}, false
	for _, r := range rows {
		if within(path, r.mount) && len(r.mount) >= len(best.mount) {
			best, found = r, true
		}
	}
	return best, found
}

// parseDF reads df -P, with -T or without, in bytes, KiB or inodes: the header
// tells. Messages about paths that df could not read lie between.
func parseDF(text string) []dfRow {
	var rows []dfRow
	unit, typed := int64(0), false
	for _, line := range lines(text) {
		if strings.HasPrefix(line, "Filesystem") {
			unit, typed = dfHeader(line)
			continue
		}
		if unit == 0 || strings.HasPrefix(line, "# ") {
			continue
		}
		if r, err := parseDFRow(line, unit, typed); err == nil {
			rows = append(rows, r)
		}
	}
	return rows
}

// dfHeader gives the factor of the sizes, and whether there is a column of
// types.
func dfHeader(line string) (int64, bool) {
	typed := strings.Contains(line, " Type ")
	switch {
	case strings.Contains(line, "1024-blocks"), strings.Contains(line, "1K-blocks"):
		return 1024, typed
	case strings.Contains(line, "512-blocks"):
		return 512, typed
	}
	return 1, typed
}

// parseDFRow reads source, [type], size, used, avail, percentage and mount
// point, of which only the first and the last can hold blanks. A file system
// without inodes prints "-" for the percentage, and some print "-" for counts.
func parseDFRow(line string, unit int64, typed bool) (dfRow, error) {
	w := strings.Fields(line)
	at := -1
	for i := len(w) - 2; i >= 4; i-- {
		if w[i] == "-" || strings.HasSuffix(w[i], "%") {
			at = i
			break
		}
	}
	first := 1
	if typed {
		first = 2
	}
	if at < first+3 {
		return dfRow{}, fmt.Errorf("df line %q", line)
	}
	r := dfRow{source: strings.Join(w[:at-first-2], " "), mount: strings.Join(w[at+1:], " ")}
	if typed {
		r.kind = w[at-4]
	}
	r.size = dfCount(w[at-3], unit)
	r.avail = dfCount(w[at-1], unit)
	if r.size < 0 || !strings.HasPrefix(r.mount, "/") {
		return dfRow{}, fmt.Errorf("df line %q", line)
	}
	return r, nil
}

// dfCount reads a column: "-" is 0, and a negative rest (what root has reserved
// is used up) is none.
func dfCount(s string, unit int64) int64 {
	n, ok := atoi64(s)
	switch {
	case s == "-", ok && n < 0:
		return 0
	case !ok || n > (1<<62)/unit:
		return -1
	}
	return n * unit
}
