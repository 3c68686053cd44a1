package facts

import (
	"encoding/hex"
	"errors"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// readListeners reads ss -lntu(p), or the tables of /proc/net where ss is
// missing.
func readListeners(f *Facts, s section) error {
	var err error
	if strings.HasPrefix(s.body, "# proc ") {
		f.Network.Listeners = parseProcNet(s.body)
	} else {
		f.Network.Listeners, err = parseSS(s.body)
	}
	slices.SortStableFunc(f.Network.Listeners, func(a, b Listener) int { return a.Port - b.Port })
	return err
}

// ssUsers is the holder in ss -p: users:(("k3s-server",pid=812,fd=14),…).
var ssUsers = regexp.MustCompile(`users:\(\("([^"]*)",pid=(\d+)`)

// parseSS reads the lines of ss -lntup: protocol, state, two queues, local and
// peer address, then perhaps users. An address of "*" stands for both families;
// "%lo" names an interface.
func parseSS(text string) ([]Listener, error) {
	var out []Listener
	header := false
	for _, line := range lines(text) {
		w := strings.Fields(line)
		if w[0] == "Netid" {
			header = true
		}
		if len(w) < 6 || (w[0] != "tcp" && w[0] != "udp") {
			continue
		}
		l, ok := ssListener(w)
		if !ok {
			continue
		}
		if m := ssUsers.FindStringSubmatch(line); m != nil {
			l.Process = m[1]
			l.PID, _ = atoi(m[2])
		}
		out = append(out, l)
	}
	if !header && len(out) == 0 {
		return nil, errors.New("ss says: " + evidence(text))
	}
	return out, nil
}

func ssListener(w []string) (Listener, bool) {
	at := strings.LastIndex(w[4], ":")
	if at < 0 {
		return Listener{}, false
	}
	port, err := strconv.ParseUint(w[4][at+1:], 10, 16)
	if err != nil {
		return Listener{}, false
	}
	host, _, _ := strings.Cut(strings.Trim(w[4][:at], "[]"), "%")
	host = strings.Trim(host, "[]")
	if host == "*" {
		host = "::"
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return Listener{}, false
	}
	return Listener{Proto: w[0], Addr: a, Port: int(port)}, true
}

// parseProcNet reads local addresses of /proc/net/{tcp,udp}{,6}: the address in
// groups of four bytes, each in the order of the machine (little end first on
// all that k3s runs on), and the port.
func parseProcNet(text string) []Listener {
	var out []Listener
	proto := ""
	for _, line := range lines(text) {
		if table, ok := strings.CutPrefix(line, "# proc "); ok {
			proto = strings.TrimSuffix(table, "6")
			continue
		}
		host, port, _ := strings.Cut(line, ":")
		raw, err := hex.DecodeString(host)
		n, perr := strconv.ParseUint(port, 16, 16)
		if err != nil || perr != nil || (len(raw) != 4 && len(raw) != 16) {
			continue
		}
		for i := 0; i < len(raw); i += 4 {
			slices.Reverse(raw[i : i+4])
		}
		a, _ := netip.AddrFromSlice(raw)
		out = append(out, Listener{Proto: proto, Addr: a, Port: int(n)})
	}
	return out
}
