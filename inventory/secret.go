package inventory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Secret says where a secret is kept; exactly one field is set. The inventory
// never holds the secret itself, so it can be committed and shown.
type Secret struct {
	// Env is the name of an environment variable of gpuboot.
	Env string `json:"env,omitempty"`
	// File is the absolute path of a file.
	File string `json:"file,omitempty"`
	// Command is run by sh -c on the machine gpuboot runs on; its standard output
	// is the secret.
	Command string `json:"command,omitempty"`
}

// commandTimeout bounds a secret's command when ctx sets no earlier end: long
// enough to touch a hardware key, short enough not to look like a hang.
const commandTimeout = 60 * time.Second

// maxSecret bounds what is read; a larger file is not a password.
const maxSecret = 64 << 10

// ErrNoSecret is the class of a reference that leads to nothing: the variable
// is not set, or what it leads to is empty. Trying again does not help.
var ErrNoSecret = errors.New("no secret there")

// String names the reference, such as "env SUDO_PASSWORD". It does not show a
// command, which may have been written with a secret inside.
func (s Secret) String() string {
	switch {
	case s.Env != "":
		return "env " + s.Env
	case s.File != "":
		return "file " + s.File
	case s.Command != "":
		return "command"
	}
	return "no reference"
}

// Resolve reads the secret and cuts one trailing newline. A command gets a
// minute, or until ctx ends. Errors name the reference and never the value, nor
// what the command printed.
func (s Secret) Resolve(ctx context.Context) (string, error) {
	value, err := s.read(ctx)
	if err != nil {
		return "", fmt.Errorf("reading the secret from %s: %w", s, err)
	}
	value = strings.TrimSuffix(strings.TrimSuffix(value, "\n"), "\r")
	if value == "" {
		return "", fmt.Errorf("reading the secret from %s: it is empty: %w", s, ErrNoSecret)
	}
	if strings.ContainsAny(value, "\x00\n") {
		return "", fmt.Errorf("reading the secret from %s: it has more than one line", s)
	}
	return value, nil
}

func (s Secret) read(ctx context.Context) (string, error) {
	switch {
	case s.Env != "":
		value, ok := os.LookupEnv(s.Env)
		if !ok {
			return "", fmt.Errorf("the variable is not set: %w", ErrNoSecret)
		}
		return value, nil
	case s.File != "":
		return readSecretFile(s.File)
	case s.Command != "":
		return runSecretCommand(ctx, s.Command)
	}
	return "", fmt.Errorf("neither env, file nor command is given: %w", ErrNoSecret)
}

func readSecretFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	var out limitedBuffer
	if _, err := io.Copy(&out, f); err != nil {
		return "", err
	}
	return out.buf.String(), nil
}

func runSecretCommand(ctx context.Context, command string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTimeout)
	defer cancel()
	var out limitedBuffer
	cmd := exec.CommandContext(ctx, "sh", "-c", command)
	// Standard error and the terminal stay with the person, who may have to
	// answer; a child that keeps the pipe open must not keep us.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, &out, os.Stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", fmt.Errorf("waiting for the command: %w", context.Cause(ctx))
		}
		return "", err
	}
	return out.buf.String(), nil
}

// limitedBuffer refuses more than maxSecret bytes. It does not embed the buffer,
// whose ReadFrom would go past the limit.
type limitedBuffer struct{ buf bytes.Buffer }

// Write fails once the limit is passed, which ends the copy from a command.
func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.buf.Len()+len(p) > maxSecret {
		return 0, fmt.Errorf("it has more than %d bytes", maxSecret)
	}
	return b.buf.Write(p)
}
