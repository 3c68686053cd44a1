package sshconfig

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"time"
)

// Options say where to read and what is already decided.
type Options struct {
	// UserFile and SystemFile are the files to read; they may be missing.
	// Empty means ~/.ssh/config and /etc/ssh/ssh_config.
	UserFile, SystemFile string
	// Home is the folder for "~" and the user's relative includes. Empty
	// means that of the user.
	Home string
	// User and Port, where set, win over the files, as on the command line
	// of ssh.
	User string
	Port int
}

// Config is what the files say about one host.
type Config struct {
	HostName string // never empty
	User     string // "" is the local user
	Port     int    // 0 is 22
	// IdentityFiles are nil when none is named, and empty when the files
	// say "none".
	IdentityFiles    []string
	CertificateFiles []string
	IdentitiesOnly   bool
	// IdentityAgent is a path, "none", or "" for the usual one.
	IdentityAgent string
	// ProxyJump are the hops, outermost first, as they stand in the file.
	ProxyJump    []string
	HostKeyAlias string
	// KnownHosts are the user's files and those of the system; nil means
	// the usual ones.
	KnownHosts     []string
	ConnectTimeout time.Duration // 0 is the usual one

	proxyPos Pos // where ProxyJump stands
}

func (o Options) home() (string, error) {
	if o.Home != "" {
		return o.Home, nil
	}
	return os.UserHomeDir()
}

// Resolve reads what the files say about a host, by the name that the user
// typed. Errors name file and line.
func Resolve(alias string, o Options) (Config, error) {
	home, err := o.home()
	if err != nil {
		return Config{}, fmt.Errorf("reading the SSH configuration: %w", err)
	}
	local, err := user.Current()
	if err != nil {
		return Config{}, fmt.Errorf("reading the SSH configuration: %w", err)
	}
	r := &reader{alias: alias, home: home, localUser: local.Username, uid: local.Uid, values: map[string]value{}}
	if o.User != "" {
		r.values["user"] = value{args: []string{o.User}}
	}
	if o.Port != 0 {
		r.values["port"] = value{args: []string{strconv.Itoa(o.Port)}}
	}
	files := []source{
		{or(o.UserFile, filepath.Join(home, ".ssh/config")), filepath.Join(home, ".ssh")},
		{or(o.SystemFile, "/etc/ssh/ssh_config"), "/etc/ssh"},
	}
	if err := r.readAll(files); err != nil {
		return Config{}, fmt.Errorf("reading the SSH configuration: %w", err)
	}
	c, err := r.config()
	if err != nil {
		return Config{}, fmt.Errorf("reading the SSH configuration: %w", err)
	}
	return c, nil
}

func or(s, def string) string {
	if s != "" {
		return s
	}
	return def
}
