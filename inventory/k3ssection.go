package inventory

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

var k3sVersion = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+(-rc[0-9]+)?\+k3s[0-9]+$`)

// checkK3sVersion holds the form of k3s's release tags.
func checkK3sVersion(s string) error {
	if k3sVersion.MatchString(s) {
		return nil
	}
	hint := "write a release tag such as v1.36.5+k3s1"
	for _, try := range []string{"v" + s, s + "+k3s1", strings.Replace(s, "-k3s", "+k3s", 1), "v" + s + "+k3s1"} {
		if k3sVersion.MatchString(try) {
			hint = "write " + try
			break
		}
	}
	if slices.Contains([]string{"latest", "stable", "testing"}, s) {
		hint = "a channel is a moving target; write a release tag such as v1.36.5+k3s1"
	}
	return refused("version "+quote(s)+" is not a k3s release", hint)
}

func (d *decoder) k3s(s *k3sSpec) K3s {
	d.checkAt(s.Version.At, s.Version.Set, checkK3sVersion(s.Version.V))
	k := K3s{Version: s.Version.V, Source: d.k3sSource(s.Source), Registries: d.registries(&s.Registries)}
	for _, san := range s.TLSSANs.V {
		name, err := parseAddress(san.V)
		if strings.Contains(san.V, "*") {
			err = refused("name "+quote(san.V)+" has a wildcard, which k3s drops from its certificate", "list the names")
		}
		d.checkAt(san.At, san.Set, inPlace("tlsSANs", err))
		k.TLSSANs = append(k.TLSSANs, name)
	}
	if s.Config != nil {
		k.Config = s.Config.over(nil).values(func(K3sFlag) bool { return true })
	}
	return k
}

// k3sSource keeps an https URL and makes a path absolute.
func (d *decoder) k3sSource(v val[string]) string {
	if !v.Set || !strings.Contains(v.V, "://") {
		return d.filePath(v)
	}
	d.checkAt(v.At, true, checkURL("source", v.V, "https"))
	return v.V
}

// checkURL accepts a URL with a host and one of the schemes, and no password in
// it.
func checkURL(what, s string, schemes ...string) error {
	if strings.Contains(s, "@") {
		return &valueError{message: what + " must not hold a user or password", secret: true}
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || !slices.Contains(schemes, u.Scheme) {
		return refused(what+" "+quote(s)+" is not a URL that begins with "+strings.Join(schemes, ":// or ")+"://", "")
	}
	return nil
}

func checkRegexp(s string) error {
	if _, err := regexp.Compile(s); err != nil {
		return refused("rewrite "+quote(s)+" is not a regular expression", "")
	}
	return nil
}

// checkConfigRole reports keys set for one role that this role's k3s does not
// know. A key for all hosts is filtered instead, see knownTo.
func (d *decoder) checkConfigRole(c k3sConfig, role Role) {
	for _, e := range c {
		if role == "" || e.flag.knownTo(role) {
			continue
		}
		command, other := "agent", "server"
		if role.IsServer() {
			command, other = other, command
		}
		d.report(e.at, "k3s key "+quote(e.flag.Name)+" is unknown to k3s "+command+", which the role "+quote(string(role))+" runs",
			"set it in k3s.config, from where each host takes what its role knows; only k3s "+other+" knows it")
	}
}
