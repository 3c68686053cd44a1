package sshconfig

import (
	"crypto/sha1" //nolint:gosec // %C is defined as SHA-1
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// hostName is HostName with its tokens, or the alias.
func (r *reader) hostName() (string, error) {
	v, ok := r.values["hostname"]
	if !ok {
		return r.alias, nil
	}
	host, err := expand(v.args[0], map[byte]string{'h': r.alias})
	if err != nil {
		return "", fmt.Errorf("%v: %w", v.pos, err)
	}
	return host, nil
}

// tokens are the values of % in file names.
func (r *reader) tokens(host string) map[byte]string {
	local, _ := os.Hostname() // without a name it stays empty, as in ssh
	short, _, _ := strings.Cut(local, ".")
	port, remote := or(r.first("port"), "22"), or(r.first("user"), r.localUser)
	sum := sha1.Sum([]byte(local + host + port + remote + r.first("proxyjump"))) //nolint:gosec // see the import
	return map[byte]string{
		'C': hex.EncodeToString(sum[:]), 'd': r.home, 'h': host, 'i': r.uid, 'j': r.first("proxyjump"),
		'k': or(r.first("hostkeyalias"), r.alias), 'L': short, 'l': local, 'n': r.alias, 'p': port, 'r': remote, 'u': r.localUser,
	}
}

// path expands the tokens, environment and "~" of a file name.
func (r *reader) path(text, host string) (string, error) {
	text, err := expand(text, r.tokens(host))
	if err != nil {
		return "", err
	}
	if text, err = environment(text); err != nil {
		return "", err
	}
	return r.tilde(text)
}

// tilde expands "~/". Another user's home is not looked up.
func (r *reader) tilde(path string) (string, error) {
	switch {
	case path == "~":
		return r.home, nil
	case strings.HasPrefix(path, "~/"):
		return filepath.Join(r.home, path[2:]), nil
	case strings.HasPrefix(path, "~"):
		return "", fmt.Errorf("the home folder in %q is not looked up", path)
	}
	return path, nil
}

func expand(text string, tokens map[byte]string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b.WriteByte(text[i])
			continue
		}
		i++
		if i == len(text) {
			return "", fmt.Errorf("%q ends in %%", text)
		}
		value, ok := tokens[text[i]]
		if text[i] == '%' {
			value, ok = "%", true
		}
		if !ok {
			return "", fmt.Errorf("the token %%%c in %q is not known here", text[i], text)
		}
		b.WriteString(value)
	}
	return b.String(), nil
}

// environment expands ${NAME}.
func environment(text string) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		name, after, closed := strings.Cut(rest, "}")
		value, set := os.LookupEnv(name)
		if !closed || !set {
			return "", fmt.Errorf("the variable ${%s is not set", name)
		}
		b.WriteString(value)
		text = after
	}
}
