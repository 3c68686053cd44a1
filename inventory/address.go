package inventory

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// hostWord is a DNS name or an ssh_config alias. A leading '-' would be read as
// an option by ssh.
var hostWord = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9_])?$`)

// parseAddress returns s in its one canonical spelling: an IP address without
// brackets, a DNS name, or an alias.
func parseAddress(s string) (string, error) {
	bare := s
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		bare = s[1 : len(s)-1]
	}
	ip, err := netip.ParseAddr(bare)
	if err == nil {
		return parseIP(s, ip)
	}
	switch {
	case s == "":
		return "", refused("the address is empty", "")
	case strings.Contains(s, "/"):
		return "", refused("address "+quote(s)+" must be one host, not a network",
			"for several hosts write a range such as 10.0.0.[11-18]")
	case strings.Trim(s, "0123456789.") == "":
		return "", refused("address "+quote(s)+" is not a valid IPv4 address", "")
	case strings.Contains(s, ":"):
		return "", refused("address "+quote(s)+" is not a valid IPv6 address", "")
	case !hostWord.MatchString(s):
		return "", refused("address "+quote(s)+" is neither an IP address, a DNS name nor an ssh_config alias", "")
	}
	return s, nil
}

func parseIP(s string, ip netip.Addr) (string, error) {
	switch {
	case ip.Zone() != "":
		return "", refused("address "+quote(s)+" has a zone, which only means something on one machine",
			"use an address that all hosts can reach")
	case ip.IsUnspecified() || ip.IsMulticast() || ip == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return "", refused("address "+quote(s)+" cannot be the address of a host", "")
	case strings.HasPrefix(s, "[") && ip.Is4():
		return "", refused("address "+quote(s)+" must not be in brackets", "write "+ip.String())
	}
	return ip.Unmap().String(), nil
}

// endpoint is a login at a host, each part as far as it was written.
type endpoint struct {
	user, host string
	port       int
}

// parseEndpoint reads "[user@]host[:port]".
func parseEndpoint(s string) (endpoint, error) {
	var e endpoint
	if strings.Contains(s, "://") {
		return e, refused("address "+quote(s)+" must not be a URL", "write the host alone")
	}
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		e.user, s = s[:i], s[i+1:]
		if err := checkUser(e.user); err != nil {
			return e, err
		}
	}
	host, port, found := cutPort(s)
	var err error
	if e.host, err = parseAddress(host); err != nil {
		return e, err
	}
	if found {
		if e.port, err = strconv.Atoi(port); err != nil || checkPort(e.port) != nil {
			return e, refused("port "+quote(port)+" is not a number from 1 to 65535", "")
		}
	}
	return e, nil
}

// cutPort splits host:port. More than one colon outside brackets is an IPv6
// address without a port.
func cutPort(s string) (host, port string, found bool) {
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end >= 0 && strings.HasPrefix(s[end+1:], ":") {
			return s[:end+1], s[end+2:], true
		}
		return s, "", false
	}
	if strings.Count(s, ":") == 1 {
		return strings.Cut(s, ":")
	}
	return s, "", false
}

// String gives the written parts back, with brackets around IPv6 where a port
// follows.
func (e endpoint) String() string {
	s := e.host
	if e.port != 0 {
		if strings.Contains(s, ":") {
			s = "[" + s + "]"
		}
		s = fmt.Sprintf("%s:%d", s, e.port)
	}
	if e.user != "" {
		s = e.user + "@" + s
	}
	return s
}

func checkUser(user string) error {
	if strings.Contains(user, ":") {
		return &valueError{message: "user must be the login name alone, without a password", hint: "for password " + secretHint, secret: true}
	}
	if user == "" || strings.HasPrefix(user, "-") || strings.ContainsFunc(user, notInLogin) {
		return refused("user "+quote(user)+" is not a login name", "")
	}
	return nil
}

// notInLogin holds control characters and white space, and what a login can
// nowhere contain because it would be taken for a path.
func notInLogin(r rune) bool { return r <= ' ' || r == 0x7f || r == '/' }

func checkPort(port int) error {
	if port < 1 || port > 65535 {
		return refused(fmt.Sprintf("port %d is not a number from 1 to 65535", port), "")
	}
	return nil
}
