package inventory

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/netip"
	"strings"
)

// over lays s over lower: a value that s does not have comes from lower; labels
// and k3sConfig are merged key by key.
func (s settings) over(lower settings) settings {
	return settings{
		User:          s.User.or(lower.User),
		Port:          s.Port.or(lower.Port),
		IdentityFiles: s.identities().or(lower.identities()),
		SudoPassword:  s.SudoPassword.or(lower.SudoPassword),
		Password:      s.Password.or(lower.Password),
		JumpHosts:     s.JumpHosts.or(lower.JumpHosts),
		HostKey:       s.HostKey.or(lower.HostKey),
		Interface:     s.Interface.or(lower.Interface),
		Labels:        s.Labels.over(lower.Labels),
		Taints:        s.Taints.or(lower.Taints),
		K3sConfig:     s.K3sConfig.over(lower.K3sConfig),
	}
}

// identities is identityFile as a list of one, else identityFiles.
func (s settings) identities() list[string] {
	if s.IdentityFile.Set {
		return list[string]{V: []val[string]{s.IdentityFile}, Set: true, At: s.IdentityFile.At}
	}
	return s.IdentityFiles
}

// checkSettings checks the values where they stand, once, however many hosts
// they are for.
func (d *decoder) checkSettings(s *settings) {
	d.checkAt(s.User.At, s.User.Set, checkUser(s.User.V))
	d.checkAt(s.Port.At, s.Port.Set, checkPort(s.Port.V))
	if s.IdentityFile.given() && s.IdentityFiles.given() {
		d.report(s.IdentityFiles.At, "identityFile and identityFiles are both given", "list all keys in identityFiles")
	}
	for _, f := range s.identities().V {
		d.filePath(f)
	}
	for _, j := range s.JumpHosts.V {
		_, err := parseEndpoint(j.V)
		d.checkAt(j.At, j.Set, inPlace("jump host", err))
	}
	d.checkAt(s.HostKey.At, s.HostKey.Set, checkHostKey(s.HostKey.V))
	d.checkAt(s.Interface.At, s.Interface.Set, checkInterface(s.Interface.V))
	for _, l := range s.Labels {
		d.checkAt(l.at, true, checkLabel(l.key, l.value.V))
	}
	d.checkTaints(s.Taints)
}

// checkAt reports err, if there is one and the value it is about is there.
func (d *decoder) checkAt(where at, set bool, err error) {
	if set && err != nil {
		d.refuseAt(where, err)
	}
}

// inPlace says in what kind of value the mistake is.
func inPlace(what string, err error) error {
	var v *valueError
	if !errors.As(err, &v) {
		return err
	}
	return &valueError{message: what + ": " + v.message, hint: v.hint, secret: v.secret}
}

func (d *decoder) checkTaints(taints list[Taint]) {
	seen := map[Taint]bool{}
	for _, t := range taints.V {
		same := Taint{Key: t.V.Key, Effect: t.V.Effect}
		if t.Set && seen[same] {
			d.report(t.At, "taint "+quote(same.String())+" is given twice", "Kubernetes keeps one value for a key and effect")
		}
		seen[same] = t.Set
	}
}

// checkInterface accepts what Linux accepts as the name of an interface
// (dev_valid_name in net/core/dev.c), or a CIDR.
func checkInterface(s string) error {
	if prefix, err := netip.ParsePrefix(s); err == nil {
		return checkCanonical("interface", s, prefix)
	}
	if s == "" || len(s) > 15 || s == "." || s == ".." || strings.ContainsFunc(s, notInInterface) {
		return refused("interface "+quote(s)+" is neither the name of an interface nor a CIDR",
			"write eth0, or 10.0.0.0/24")
	}
	return nil
}

func notInInterface(r rune) bool { return r <= ' ' || r == '/' || r == ':' || r > '~' }

// checkHostKey accepts a public key as in known_hosts or a SHA256 fingerprint as
// ssh-keygen -l prints it.
func checkHostKey(s string) error {
	hint := "take a line of ssh-keyscan without the host, or the SHA256:… of ssh-keygen -lf"
	if hash, found := strings.CutPrefix(s, "SHA256:"); found {
		if raw, err := base64.RawStdEncoding.DecodeString(hash); err != nil || len(raw) != 32 {
			return refused("hostKey is not a SHA256 fingerprint", hint)
		}
		return nil
	}
	words := strings.Fields(s)
	if len(words) < 2 {
		return refused("hostKey is neither a public key nor a SHA256 fingerprint", hint)
	}
	raw, err := base64.StdEncoding.DecodeString(words[1])
	if err != nil || innerKeyType(raw) != words[0] {
		return refused("hostKey is not a public key of the type "+quote(words[0]), hint)
	}
	return nil
}

// innerKeyType is the type that an SSH public key carries inside: a string with
// its length before it (RFC 4253, section 6.6).
func innerKeyType(raw []byte) string {
	if len(raw) < 4 {
		return ""
	}
	n := binary.BigEndian.Uint32(raw)
	if uint64(n)+4 > uint64(len(raw)) {
		return ""
	}
	return string(raw[4 : 4+n])
}
