package remotetest

import (
	"bytes"
	"context"
	"encoding/pem"
)

// config is what cannot change while the host runs.
type config struct {
	name, user string
	sudo       sudoKind
	sudoSecret string
	sudoTTY    bool
	password   string
	questions  string // "" or what keyboard-interactive asks
	banner     string
	noise      string
}

type sudoKind int

const (
	sudoNone     sudoKind = iota // not installed
	sudoFree                     // NOPASSWD
	sudoPassword                 // asks
	sudoDenied                   // not in sudoers
)

// Option changes a host before it starts.
type Option func(*config)

// Name sets Target.Name.
func Name(name string) Option { return func(c *config) { c.name = name } }

// User sets the login. The default is root. Another login has no way to
// root until one of the sudo options gives it one.
func User(user string) Option { return func(c *config) { c.user = user } }

// SudoFree lets the login use sudo without a password.
func SudoFree() Option { return func(c *config) { c.sudo = sudoFree } }

// SudoPassword makes sudo ask for a password.
func SudoPassword(password string) Option {
	return func(c *config) { c.sudo, c.sudoSecret = sudoPassword, password }
}

// SudoTerminal makes sudo refuse to run without a terminal, as requiretty does.
// It goes with one of the other sudo options.
func SudoTerminal() Option { return func(c *config) { c.sudoTTY = true } }

// SudoDenied has sudo installed, and the login not in sudoers.
func SudoDenied() Option { return func(c *config) { c.sudo = sudoDenied } }

// Password allows password logins besides the key.
func Password(password string) Option { return func(c *config) { c.password = password } }

// Interactive asks for the password of Password by keyboard-interactive
// instead, with this question.
func Interactive(question string) Option { return func(c *config) { c.questions = question } }

// Banner is said before the login.
func Banner(text string) Option { return func(c *config) { c.banner = text } }

// Noise is printed on stdout and stderr before every command, as by a
// .bashrc.
func Noise(text string) Option { return func(c *config) { c.noise = text } }

func secret(s string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return s, nil }
}

func pemBytes(b *pem.Block) []byte {
	var buf bytes.Buffer
	_ = pem.Encode(&buf, b) // a buffer takes everything
	return buf.Bytes()
}
