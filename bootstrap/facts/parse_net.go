package facts

import (
	"slices"
	"strings"
)

// readResolvers reads the name servers of each resolv.conf.
func readResolvers(f *Facts, s section) error {
	f.Network.Resolvers = map[string][]string{}
	file := ""
	for _, line := range lines(s.body) {
		if name, ok := strings.CutPrefix(line, "# file "); ok {
			file = name
			f.Network.ResolverFiles = append(f.Network.ResolverFiles, file)
			f.Network.Resolvers[file] = nil
			continue
		}
		w := strings.Fields(line)
		if len(w) >= 2 && w[0] == "nameserver" && file != "" {
			f.Network.Resolvers[file] = append(f.Network.Resolvers[file], w[1])
		}
	}
	return nil
}

func readOwnName(f *Facts, s section) error {
	f.Network.OwnName = len(lines(s.body)) > 0
	return nil
}

// readProxy reads the proxy variables; the probe took the passwords out.
func readProxy(f *Facts, s section) error {
	f.Network.Proxy = values(s.body)
	return nil
}

func readIPTables(f *Facts, s section) error {
	f.Network.IPTables, f.Network.IPTablesMode = parseIPTables(s.body)
	return nil
}

// parseIPTables reads "iptables v1.8.7 (nf_tables)"; before 1.8 there was only
// the legacy kind, and nothing in parentheses.
func parseIPTables(text string) (version, mode string) {
	w := strings.Fields(firstLine(text))
	if len(w) < 2 || w[0] != "iptables" || !strings.HasPrefix(w[1], "v") {
		return "", ""
	}
	mode = "legacy"
	if len(w) > 2 {
		mode = strings.Trim(w[2], "()")
	}
	return strings.TrimPrefix(w[1], "v"), mode
}

// readFirewall notes a ufw that is switched on; deriveFirewalls adds services.
func readFirewall(f *Facts, s section) error {
	if strings.EqualFold(values(s.body)["ENABLED"], "yes") {
		f.Network.Firewalls = append(f.Network.Firewalls, "ufw")
	}
	return nil
}

// deriveFirewalls adds the firewall services that run. ufw.service is a
// one-shot that is active even where ufw is off, so its own file decides.
func (f *Facts) deriveFirewalls() {
	for _, name := range []string{"firewalld", "nftables"} {
		if f.Units[name+".service"].Running() {
			f.Network.Firewalls = append(f.Network.Firewalls, name)
		}
	}
	slices.Sort(f.Network.Firewalls)
}
