package image

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

var (
	// ErrNotFound: the registry or the folder answered, and the image is not there. Asking again does not help.
	ErrNotFound = errors.New("no such image")
	// ErrDenied: the registry wants credentials, or others. Some registries say so of images that do not exist.
	ErrDenied = errors.New("access denied")
	// ErrNotImage: what is there is no container image that a runtime could start.
	ErrNotImage = errors.New("not a container image")
	// ErrPacked: the archive is compressed as a whole, so its configuration cannot be read without reading all layers.
	ErrPacked = errors.New("the archive is compressed: unpack it first")
	// ErrAmbiguous: a folder or archive holds several images, and none was named.
	ErrAmbiguous = errors.New("several images, name one")
)

// ReadError says for a registry's image where it was looked for and what came of it. Its causes are for errors.Is.
type ReadError struct {
	Reference string
	Attempts  []Attempt
}

// Attempt is one place where an image was looked for, in order.
type Attempt struct {
	From string // host of the mirror or registry
	Err  error
}

func (e *ReadError) Error() string {
	var parts []string
	for _, a := range e.Attempts {
		parts = append(parts, fmt.Sprintf("%s: %v", a.From, a.Err))
	}
	return fmt.Sprintf("reading the image %s: %s", e.Reference, strings.Join(parts, "; "))
}

// Unwrap gives the causes in the order of the attempts.
func (e *ReadError) Unwrap() []error {
	var all []error
	for _, a := range e.Attempts {
		all = append(all, a.Err)
	}
	return all
}

// Hint is the next command to type, "" if there is none.
func (e *ReadError) Hint() string {
	for _, a := range e.Attempts {
		if errors.Is(a.Err, ErrDenied) {
			return "docker login " + a.From
		}
	}
	return ""
}

// classify adds the class to a registry's error.
func classify(err error) error {
	var answer *transport.Error
	if !errors.As(err, &answer) {
		return err
	}
	switch answer.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return fmt.Errorf("%w: %w", ErrDenied, err)
	case http.StatusNotFound:
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	return err
}
