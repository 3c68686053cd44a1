package hosts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mirror is a Debian archive as apt is configured to use it.
type mirror struct{ url, keyring string }

var errNoMirror = fmt.Errorf("apt's sources name no Debian archive with main and a suite; set %s to the URL of one", EnvMirror)

// mirror picks the archive to build from: the given one, else the first that this machine's apt uses for the release, else
// the first for any Debian suite (an archive holds all releases). A security archive holds no whole release.
func (l Local) mirror() (mirror, error) {
	if l.Mirror != "" {
		return mirror{url: l.Mirror}, nil
	}
	sources, err := aptSources(os.DirFS("/etc/apt"))
	if err != nil {
		return mirror{}, err
	}
	for _, s := range sources {
		if slices.Contains(s.suites, release) && slices.Contains(s.components, "main") {
			return s.mirror, nil
		}
	}
	for _, s := range sources {
		if slices.Contains(s.components, "main") && strings.HasSuffix(strings.TrimRight(s.url, "/"), "/debian") {
			return s.mirror, nil
		}
	}
	return mirror{}, errNoMirror
}

// source is one entry of apt's sources.
type source struct {
	mirror
	suites, components []string
}

// aptSources reads sources.list and sources.list.d below etc, both formats, in apt's order.
func aptSources(etc fs.FS) ([]source, error) {
	var sources []source
	names, err := fs.Glob(etc, "sources.list.d/*")
	if err != nil {
		return nil, err
	}
	for _, name := range append([]string{"sources.list"}, names...) {
		data, err := fs.ReadFile(etc, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		switch filepath.Ext(name) {
		case ".list":
			sources = append(sources, oneLine(string(data))...)
		case ".sources":
			sources = append(sources, stanzas(string(data))...)
		}
	}
	return sources, nil
}

// oneLine reads "deb [signed-by=/k.gpg] URL suite component…" lines.
func oneLine(text string) []source {
	var sources []source
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		rest, isDeb := strings.CutPrefix(strings.TrimSpace(line), "deb ")
		if !isDeb {
			continue
		}
		var s source
		rest = strings.TrimSpace(rest)
		if options, after, ok := strings.Cut(rest, "]"); ok && strings.HasPrefix(options, "[") {
			for o := range strings.FieldsSeq(options[1:]) {
				if key, ok := strings.CutPrefix(o, "signed-by="); ok {
					s.keyring = key
				}
			}
			rest = after
		}
		if f := strings.Fields(rest); len(f) >= 3 {
			s.url, s.suites, s.components = f[0], f[1:2], f[2:]
			sources = append(sources, s)
		}
	}
	return sources
}

// stanzas reads the deb822 format: fields until an empty line.
func stanzas(text string) []source {
	var sources []source
	for stanza := range strings.SplitSeq(text, "\n\n") {
		var s source
		var types, urls []string
		for line := range strings.Lines(stanza) {
			name, value, ok := strings.Cut(line, ":")
			if !ok || strings.HasPrefix(line, "#") {
				continue
			}
			switch words := strings.Fields(value); strings.ToLower(name) {
			case "types":
				types = words
			case "uris":
				urls = words
			case "suites":
				s.suites = words
			case "components":
				s.components = words
			case "signed-by":
				if len(words) == 1 && filepath.IsAbs(words[0]) {
					s.keyring = words[0]
				}
			}
		}
		if slices.Contains(types, "deb") && len(urls) > 0 {
			s.url = urls[0]
			sources = append(sources, s)
		}
	}
	return sources
}
