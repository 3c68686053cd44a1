package release

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"
)

// upstreamBase is where the k3s project publishes its releases.
const upstreamBase = "https://github.com/k3s-io/k3s/releases/download"

// Kind says what sort of place a Source is.
type Kind string

// The kinds of source.
const (
	Upstream Kind = "upstream" // the k3s project's own release page
	Mirror   Kind = "mirror"   // a web server with the same layout
	File     Kind = "file"     // a k3s executable on this machine, or a folder with the files of one release
)

// A Source is a place that k3s executables come from. The zero value is upstream.
type Source struct {
	Kind Kind
	URL  string // base address, only for mirror: URL/<tag>/<file>
	Path string // only for file
}

// ParseSource reads the inventory's k3s.source: empty for upstream, an https address for a mirror, otherwise a path.
// Plain http is taken only for this machine itself: a checksum fetched over a line that anybody can alter proves nothing.
func ParseSource(value string) (Source, error) {
	if value == "" {
		return Source{Kind: Upstream}, nil
	}
	if !strings.Contains(value, "://") {
		return Source{Kind: File, Path: filepath.Clean(value)}, nil
	}
	u, err := url.Parse(value)
	if err != nil {
		return Source{}, badSource("it is no address") // the parser's own error could repeat a password
	}
	switch {
	case u.User != nil:
		return Source{}, badSource("an address with a user name or password would stand readable in the inventory")
	case u.RawQuery != "" || u.Fragment != "":
		return Source{}, badSource("the base address of a mirror has no ? or # part")
	case u.Host == "":
		return Source{}, badSource("the address names no host")
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()):
		return Source{Kind: Mirror, URL: strings.TrimRight(u.String(), "/")}, nil
	case u.Scheme == "http":
		return Source{}, badSource("plain http is only for this machine: on the way anybody could alter file and checksum alike")
	}
	return Source{}, badSource(fmt.Sprintf("%s is neither https nor a path", u.Scheme))
}

// Origin names the place of a file of this source in words that fit a plan line.
func (s Source) Origin(version, name string) string {
	if s.Kind == File {
		return "local file " + s.Path
	}
	return s.url(version, name)
}

// url is the address of a file of a release. The plus sign of the tag must be written %2B: some servers read a plain
// one as a space.
func (s Source) url(version, name string) string {
	base := s.URL
	if s.Kind != Mirror {
		base = upstreamBase
	}
	return base + "/" + strings.ReplaceAll(version, "+", "%2B") + "/" + name
}

func badSource(why string) error {
	return &Error{Doing: "reading k3s.source", Class: ErrSource, Err: errors.New(why),
		Advice: "leave it out for the official releases, or give an https:// base address or a path"}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
