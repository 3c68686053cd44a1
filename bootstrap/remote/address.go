package remote

import (
	"fmt"
	"net"
	"strconv"
	"strings"
)

// ParseAddress reads "user@host:port" as in ssh and ProxyJump. User and
// port may be missing: "" and 0. IPv6 addresses with a port stand in
// brackets.
func ParseAddress(text string) (user, host string, port int, err error) {
	rest := text
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		user, rest = text[:at], text[at+1:]
		if user == "" {
			return "", "", 0, fmt.Errorf("reading the address %q: the user is empty", text)
		}
	}
	host = rest
	if h, p, serr := net.SplitHostPort(rest); serr == nil {
		n, perr := strconv.ParseUint(p, 10, 16)
		if perr != nil || n == 0 {
			return "", "", 0, fmt.Errorf("reading the address %q: %q is no port", text, p)
		}
		host, port = h, int(n)
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if host == "" || strings.ContainsAny(host, " \t\n@/[]") || strings.HasPrefix(host, "-") {
		return "", "", 0, fmt.Errorf("reading the address %q: %q is no host", text, host)
	}
	return user, host, port, nil
}

// WithJumps is the target behind hops of the form "user@host:port",
// outermost first. A hop has the keys, password, known hosts and times of
// the target. Its user is the one that it names, or, as with ssh, the local
// one; its host key is its own.
func (t Target) WithJumps(hops ...string) (Target, error) {
	jumps := make([]Target, len(hops))
	for i, text := range hops {
		user, host, port, err := ParseAddress(text)
		if err != nil {
			return Target{}, err
		}
		hop := t
		hop.Name, hop.User, hop.Address, hop.Port = "", user, host, port
		hop.HostKey, hop.HostKeyAlias, hop.JumpHosts, hop.SudoPassword = "", "", nil, nil
		jumps[i] = hop
	}
	t.JumpHosts = jumps
	return t, nil
}
