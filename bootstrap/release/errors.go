package release

import (
	"errors"
)

// Classes of failure, to be told apart with errors.Is. Each says whether trying again can help; those that can were
// already tried again by the Store before the error came back.
var (
	// ErrNotFound: the source answered that it has no such file. Permanent: a release's files don't appear later.
	ErrNotFound = errors.New("not found")
	// ErrDenied: the source or a proxy wants credentials or forbids the file. Permanent until somebody changes that.
	ErrDenied = errors.New("access denied")
	// ErrServer: the source answers, but not with the file (5xx, or something that is no answer to the question).
	// 5xx, 408 and 429 were tried again; the rest is permanent.
	ErrServer = errors.New("unexpected answer")
	// ErrOffline: the source cannot be reached from here, or the link broke at every try. Cut connections were tried again
	// and the download continued; a name that does not
	// resolve or a refused connection was not, because that is nearly always a machine without a way out.
	ErrOffline = errors.New("source not reachable")
	// ErrUntrusted: the source's TLS certificate was not accepted. Permanent; often a proxy that opens TLS.
	ErrUntrusted = errors.New("certificate not trusted")
	// ErrChecksum: the content does not have the digest that the release's own list gives, or the list is unusable.
	// Permanent: the bytes arrived whole. They are thrown away.
	ErrChecksum = errors.New("checksum mismatch")
	// ErrDigestChanged: the lock file recorded another digest for this version. Never retried, never overridden by a
	// flag: a person has to look.
	ErrDigestChanged = errors.New("digest changed")
	// ErrLock: the lock file cannot be understood. Permanent until it is repaired.
	ErrLock = errors.New("lock file unusable")
	// ErrTag: the version has not the form of a k3s release tag. Permanent.
	ErrTag = errors.New("not a k3s release tag")
	// ErrArch: k3s has no executable that gpuboot could use on this architecture, or a local file is for another one.
	// Permanent.
	ErrArch = errors.New("wrong architecture")
	// ErrSource: the inventory's k3s source is not of a form that gpuboot reads. Permanent.
	ErrSource = errors.New("unusable source")
)

// An Error says what was being done, the class of the failure, its cause and, where there is one, the next thing to do.
type Error struct {
	Doing  string // "fetching https://…"
	Class  error  // one of the Err… values
	Err    error  // cause, may be nil
	Advice string // next step for a person; empty when there is no good one
}

// Error gives one lower-case line without the advice.
func (e *Error) Error() string {
	text := e.Doing + ": " + e.Class.Error()
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap gives the class and the cause to errors.Is and errors.As.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Class}
	}
	return []error{e.Class, e.Err}
}

// Hint is the next step for a person, empty when there is no good one.
func (e *Error) Hint() string { return e.Advice }
