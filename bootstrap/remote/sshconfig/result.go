package sshconfig

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ErrProxyCommand means that the host is reached by a command of the user,
// which this package does not run. ProxyJump does the same for most.
var ErrProxyCommand = errors.New("ProxyCommand is not run; use ProxyJump")

// config makes the result of what was read.
func (r *reader) config() (Config, error) {
	host, err := r.hostName()
	if err != nil {
		return Config{}, err
	}
	c := Config{HostName: host, User: r.first("user"), HostKeyAlias: r.first("hostkeyalias")}
	for _, step := range []func(*Config) error{r.numbers, r.files, r.proxy} {
		if err := step(&c); err != nil {
			return Config{}, err
		}
	}
	return c, nil
}

func (r *reader) numbers(c *Config) error {
	if v, ok := r.values["port"]; ok {
		n, err := strconv.ParseUint(v.args[0], 10, 16)
		if err != nil || n == 0 {
			return fmt.Errorf("%v: %q is no port", v.pos, v.args[0])
		}
		c.Port = int(n)
	}
	if v, ok := r.values["connecttimeout"]; ok && v.args[0] != "none" {
		d, err := duration(v.args[0])
		if err != nil {
			return fmt.Errorf("%v: %w", v.pos, err)
		}
		c.ConnectTimeout = d
	}
	if v, ok := r.values["identitiesonly"]; ok {
		switch strings.ToLower(v.args[0]) {
		case "yes", "true":
			c.IdentitiesOnly = true
		case "no", "false":
		default:
			return fmt.Errorf("%v: IdentitiesOnly is yes or no, not %q", v.pos, v.args[0])
		}
	}
	return nil
}

// duration reads the times of OpenSSH: numbers with s, m, h, d or w, or
// seconds.
func duration(text string) (time.Duration, error) {
	units := map[byte]time.Duration{
		's': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour,
	}
	var total time.Duration
	for rest := text; rest != ""; {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.ParseInt(rest[:digits], 10, 32)
		if err != nil {
			return 0, fmt.Errorf("%q is no time", text)
		}
		unit := time.Second
		if rest = rest[digits:]; rest != "" {
			var ok bool
			if unit, ok = units[rest[0]|0x20]; !ok {
				return 0, fmt.Errorf("%q is no time", text)
			}
			rest = rest[1:]
		}
		total += time.Duration(n) * unit
	}
	return total, nil
}

func (r *reader) files(c *Config) error {
	var err error
	if c.IdentityFiles, err = r.paths(c.HostName, r.lists[0]...); err != nil {
		return err
	}
	if c.CertificateFiles, err = r.paths(c.HostName, r.lists[1]...); err != nil {
		return err
	}
	if v, ok := r.values["identityagent"]; ok && v.args[0] != "SSH_AUTH_SOCK" {
		text := v.args[0]
		if strings.HasPrefix(text, "$") && !strings.HasPrefix(text, "${") {
			text = "${" + text[1:] + "}"
		}
		if c.IdentityAgent, err = r.path(text, c.HostName); err != nil {
			return fmt.Errorf("%v: %w", v.pos, err)
		}
	}
	return r.knownHosts(c)
}

// paths expands file names. "none" stands for none at all.
func (r *reader) paths(host string, values ...value) ([]string, error) {
	var paths []string
	for _, v := range values {
		for _, arg := range v.args {
			if arg == "none" {
				paths = append([]string{}, paths...) // named, so not the usual ones
				continue
			}
			path, err := r.path(arg, host)
			if err != nil {
				return nil, fmt.Errorf("%v: %w", v.pos, err)
			}
			paths = append(paths, path)
		}
	}
	return paths, nil
}

// knownHosts has both kinds of files when either is named, with the usual
// ones for the other.
func (r *reader) knownHosts(c *Config) error {
	users, inUser := r.values["userknownhostsfile"]
	global, inGlobal := r.values["globalknownhostsfile"]
	if !inUser && !inGlobal {
		return nil
	}
	if !inUser {
		users.args = []string{"~/.ssh/known_hosts", "~/.ssh/known_hosts2"}
	}
	if !inGlobal {
		global.args = []string{"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"}
	}
	paths, err := r.paths(c.HostName, users, global)
	if err != nil {
		return err
	}
	c.KnownHosts = append([]string{}, paths...)
	return nil
}

// proxy reads the hops.
func (r *reader) proxy(c *Config) error {
	if v, ok := r.values["proxycommand"]; ok && !strings.EqualFold(v.args[0], "none") {
		return fmt.Errorf("%v: %w", v.pos, ErrProxyCommand)
	}
	v, ok := r.values["proxyjump"]
	if !ok || strings.EqualFold(v.args[0], "none") {
		return nil
	}
	c.proxyPos = v.pos
	text, err := expand(v.args[0], r.tokens(c.HostName))
	if err != nil {
		return fmt.Errorf("%v: %w", v.pos, err)
	}
	for hop := range strings.SplitSeq(text, ",") {
		hop = strings.TrimSuffix(strings.TrimPrefix(hop, "ssh://"), "/")
		if hop == "" {
			return fmt.Errorf("%v: ProxyJump has an empty hop", v.pos)
		}
		c.ProxyJump = append(c.ProxyJump, hop)
	}
	return nil
}
