package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"golang.org/x/crypto/ssh"
)

// login offers everything that a target has, in one handshake, and keeps
// account of it.
type login struct {
	t Target
	// aside runs a question to a person while the clock of the dial stands.
	aside func(func() error) error

	mu       sync.Mutex
	tried    []string
	failed   error // a key or password that could not be had
	usedPass bool
}

// note adds to what was tried, once.
func (l *login) note(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(l.tried, what) {
		l.tried = append(l.tried, what)
	}
}

func (l *login) fail(err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = err
	return err
}

// methods are the ways to log in, keys first. The library tries those that
// the server allows.
func (l *login) methods(ctx context.Context, keys *keyRing, agent *agentKeys) []ssh.AuthMethod {
	methods := []ssh.AuthMethod{ssh.PublicKeysCallback(func() ([]ssh.Signer, error) {
		return l.signers(ctx, keys, agent), nil
	})}
	if l.t.Password == nil {
		return methods
	}
	return append(methods,
		ssh.PasswordCallback(func() (string, error) { return l.secret(ctx, "password") }),
		ssh.KeyboardInteractive(func(_, _ string, questions []string, echos []bool) ([]string, error) {
			return l.answer(ctx, questions, echos)
		}))
}

// secret asks for the password. One that was refused is not offered again
// by another method: the host may count it twice.
func (l *login) secret(ctx context.Context, method string) (secret string, err error) {
	l.mu.Lock()
	used := l.usedPass
	l.usedPass = true
	l.mu.Unlock()
	if used {
		return "", errors.New("the password was refused")
	}
	l.note(method)
	err = l.aside(func() error {
		secret, err = l.t.Password(ctx)
		return err
	})
	if err != nil {
		return "", l.fail(fmt.Errorf("getting the password: %w", err))
	}
	return secret, nil
}

// answer replies to keyboard-interactive when it asks for one hidden text,
// which is the password; anything else (a code) we do not have.
func (l *login) answer(ctx context.Context, questions []string, echos []bool) ([]string, error) {
	if len(questions) == 0 {
		return nil, nil // a message only
	}
	if len(questions) > 1 || echos[0] {
		l.note(fmt.Sprintf("keyboard-interactive (the host asks %q)", questions))
		return nil, errors.New("the host asks for more than a password")
	}
	secret, err := l.secret(ctx, "keyboard-interactive")
	return []string{secret}, err
}

// signers are the keys in the order in which they are offered. A server
// takes only some tries (MaxAuthTries, six), so the named ones come first.
func (l *login) signers(ctx context.Context, keys *keyRing, agent *agentKeys) []ssh.Signer {
	named := l.t.IdentityFiles
	if named == nil {
		rest := l.rest(agent, nil)
		return append(rest, l.fromFiles(ctx, keys, agent, defaultIdentities(), rest)...)
	}
	signers := l.fromFiles(ctx, keys, agent, named, nil)
	if l.t.IdentitiesOnly {
		return signers
	}
	return append(signers, l.rest(agent, signers)...)
}

// fromFiles gives the signers of key files that are not among those that
// were offered already. A key that the agent holds is used through it.
func (l *login) fromFiles(ctx context.Context, keys *keyRing, agent *agentKeys, paths []string, offered []ssh.Signer) []ssh.Signer {
	var signers []ssh.Signer
	for _, path := range paths {
		f := keys.file(path)
		signer, label := l.fromFile(ctx, f, agent)
		if signer == nil || holds(offered, signer.PublicKey()) {
			continue
		}
		for _, file := range append([]string{path + "-cert.pub"}, l.t.CertificateFiles...) {
			if cert := withCertificate(file, signer); cert != nil {
				signers = append(signers, l.offer(cert, label+" with certificate "+file))
			}
		}
		signers = append(signers, l.offer(signer, label))
	}
	return signers
}

func (l *login) fromFile(ctx context.Context, f *keyFile, agent *agentKeys) (ssh.Signer, string) {
	if f.pub != nil {
		if s := agent.find(f.pub); s != nil {
			return s, fmt.Sprintf("%s %s from the agent", f.path, describe(f.pub))
		}
	}
	switch {
	case f.err != nil:
		l.note(fmt.Sprintf("%s (left out: %v)", f.path, f.err))
		return nil, ""
	case f.usable():
		return f.signer, f.path + " " + describe(f.pub)
	case l.t.Passphrase == nil:
		l.note(f.path + " (left out: it is encrypted and no passphrase can be asked for; add it to the agent)")
		return nil, ""
	}
	lazy := &lazySigner{file: f, ask: func(file string) (phrase []byte, err error) {
		err = l.aside(func() error {
			phrase, err = l.t.Passphrase(ctx, file)
			return err
		})
		return phrase, err
	}}
	if f.pub == nil { // an old PEM key without its .pub: it tells nothing before it is open
		signer, err := f.open(lazy.ask)
		if err != nil {
			l.note(fmt.Sprintf("%s (left out: %v)", f.path, err))
			return nil, ""
		}
		return signer, f.path + " " + describe(signer.PublicKey())
	}
	return lazy, f.path + " " + describe(f.pub)
}

// rest gives the agent's keys that are not in offered.
func (l *login) rest(agent *agentKeys, offered []ssh.Signer) []ssh.Signer {
	var signers []ssh.Signer
	for _, k := range agent.keys {
		if !holds(offered, k.signer.PublicKey()) {
			signers = append(signers, l.offer(k.signer, fmt.Sprintf("agent key %q %s", k.comment, describe(k.signer.PublicKey()))))
		}
	}
	if agent.err != nil {
		l.note(agent.err.Error())
	}
	return signers
}

func holds(signers []ssh.Signer, key ssh.PublicKey) bool {
	for _, s := range signers {
		if bytes.Equal(publicOf(s).Marshal(), key.Marshal()) {
			return true
		}
	}
	return false
}

// offer wraps a signer so that its use is noted.
func (l *login) offer(s ssh.Signer, label string) ssh.Signer {
	o := offered{s, l, label}
	if ms, ok := s.(ssh.MultiAlgorithmSigner); ok {
		return offeredMulti{o, ms}
	}
	return o
}

// offered notes a key when the library comes to it.
type offered struct {
	ssh.Signer
	l     *login
	label string
}

func (o offered) PublicKey() ssh.PublicKey {
	o.l.note(o.label)
	return o.Signer.PublicKey()
}

func (o offered) SignWithAlgorithm(rand io.Reader, data []byte, algo string) (*ssh.Signature, error) {
	var sig *ssh.Signature
	var err error
	if as, ok := o.Signer.(ssh.AlgorithmSigner); ok {
		sig, err = as.SignWithAlgorithm(rand, data, algo)
	} else {
		sig, err = o.Signer.Sign(rand, data)
	}
	if err != nil {
		return nil, o.l.fail(fmt.Errorf("signing with %s: %w", o.label, err))
	}
	return sig, nil
}

// offeredMulti keeps the list of algorithms that a key restricts itself to.
type offeredMulti struct {
	offered
	multi ssh.MultiAlgorithmSigner
}

func (o offeredMulti) Algorithms() []string { return o.multi.Algorithms() }

// publicOf is the public key without noting a use.
func publicOf(s ssh.Signer) ssh.PublicKey {
	switch o := s.(type) {
	case offered:
		return o.Signer.PublicKey()
	case offeredMulti:
		return o.Signer.PublicKey()
	}
	return s.PublicKey()
}
