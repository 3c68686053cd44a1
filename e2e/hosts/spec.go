package hosts

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// Sudo says what the login of a host may do as root.
type Sudo string

// The ways in which a login becomes root. The zero value means SudoNoPassword for a login that is not root.
const (
	SudoNoPassword Sudo = "nopasswd"   // sudo asks for nothing: what most rented machines have
	SudoPassword   Sudo = "password"   // sudo asks for Spec.Password
	SudoTTY        Sudo = "requiretty" // sudo asks for nothing but refuses to run without a terminal
	SudoDenied     Sudo = "denied"     // the login is not in sudoers
)

// Spec describes one host. Only Name is needed: the zero values give a host that root enters with a key.
type Spec struct {
	Name string // host name, a DNS label; unique in the fleet
	User string // the only login that has the fleet's key; "" is root. The image has root, ubuntu and admin, others are made
	Sudo Sudo
	// Password is the login's password, for sudo and for SSH. "" leaves the account without one. No line breaks.
	Password string
	NICs     []NIC  // links besides eth0, which is on the network that the test process reaches
	Binds    []Bind // folders or files of this machine, shown to the host
	Files    []File // files that lie on the host before its first boot
}

// NIC is one more link of a host. Links on the same network reach each other, and nothing else reaches them.
type NIC struct {
	Name    string // as in the host: eth1, ib0, bond0
	Network string // any name; hosts of a fleet that use it share a segment
	MTU     int    // 0 is 1500
}

// Bind shows Source, a path on this machine, at Target in the host: a prepared folder over /sys/bus/pci/devices makes
// fake GPUs. Below /proc only a target that the kernel has can be covered: bind /proc/driver, not /proc/driver/nvidia.
type Bind struct {
	Source, Target string
	ReadOnly       bool
}

// File is a file that the host has from the start, owned by root. Mode 0 is 0644.
type File struct {
	Path    string
	Mode    fs.FileMode
	Content []byte `json:"-"` // not kept in the record of the fleet
}

// Login is the name of the user that the fleet's key belongs to.
func (s Spec) Login() string {
	if s.User == "" {
		return "root"
	}
	return s.User
}

var (
	labelPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$`)
	linkPattern  = regexp.MustCompile(`^[a-z][a-z0-9._-]{0,14}$`)
	loginPattern = regexp.MustCompile(`^[a-z_][a-z0-9_-]{0,30}$`)
)

// validate reports everything that is wrong with the specs of one fleet.
func validate(specs []Spec) error {
	if len(specs) == 0 {
		return errors.New("a fleet needs at least one host")
	}
	if len(specs) > maxHosts {
		return fmt.Errorf("a fleet has at most %d hosts, not %d", maxHosts, len(specs))
	}
	var errs []error
	seen := map[string]bool{}
	for _, s := range specs {
		if !labelPattern.MatchString(s.Name) || seen[s.Name] {
			errs = append(errs, fmt.Errorf("host name %q is no DNS label of at most 40 characters, or not unique", s.Name))
		}
		seen[s.Name] = true
		if err := s.check(); err != nil {
			errs = append(errs, fmt.Errorf("host %s: %w", s.Name, err))
		}
	}
	return errors.Join(errs...)
}

func (s Spec) check() error {
	if !loginPattern.MatchString(s.Login()) {
		return fmt.Errorf("%q is no user name", s.User)
	}
	switch s.Sudo {
	case "", SudoNoPassword, SudoTTY, SudoDenied:
	case SudoPassword:
		if s.Password == "" {
			return errors.New("sudo with a password needs Spec.Password")
		}
	default:
		return fmt.Errorf("unknown sudo mode %q", s.Sudo)
	}
	if strings.ContainsAny(s.Password, "\n\r\x00") {
		return errors.New("the password has a line break or a zero byte")
	}
	links := map[string]bool{"eth0": true, "lo": true}
	for _, n := range s.NICs {
		if !linkPattern.MatchString(n.Name) || links[n.Name] || n.Network == "" {
			return fmt.Errorf("link %q needs a free name of at most 15 characters and a network", n.Name)
		}
		links[n.Name] = true
	}
	return s.checkPaths()
}

func (s Spec) checkPaths() error {
	for _, b := range s.Binds {
		if !path.IsAbs(b.Source) || !path.IsAbs(b.Target) || strings.ContainsAny(b.Source+b.Target, ":\\\n%") {
			return fmt.Errorf("bind of %q to %q: both must be absolute paths without : \\ %% and line breaks", b.Source, b.Target)
		}
	}
	for _, f := range s.Files {
		if !path.IsAbs(f.Path) || path.Clean(f.Path) != f.Path || strings.HasPrefix(f.Path, "/run/") {
			return fmt.Errorf("file %q must be a clean absolute path, and not below /run, which is empty at boot", f.Path)
		}
	}
	return nil
}
