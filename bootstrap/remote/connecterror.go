package remote

import (
	"errors"
	"fmt"
	"strings"
)

// ConnectError says why there is no connection.
type ConnectError struct {
	Host string // name of the target, or of the hop that failed
	Addr string // host:port
	User string
	// Class is one of the error classes of this package.
	Class error
	// Err is what was met.
	Err error
	// Tried lists the keys and passwords that were offered, or left out
	// with the reason, in order.
	Tried []string
	// Banner is what the host said before the login, cut to 4 KiB.
	Banner string

	hint    string
	dropped bool // the server went before it showed a key
	final   bool // not to be retried, whatever the class says
}

// Error names the address, the class, the cause and what was tried.
func (e *ConnectError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "connecting to %s@%s: ", e.User, e.Addr)
	switch {
	case e.Err == nil:
		fmt.Fprint(&b, e.Class)
	case errors.Is(e.Err, e.Class): // it says the class itself
		fmt.Fprint(&b, e.Err)
	default:
		fmt.Fprintf(&b, "%v: %v", e.Class, e.Err)
	}
	if len(e.Tried) > 0 {
		fmt.Fprintf(&b, " (tried %s)", strings.Join(e.Tried, "; "))
	}
	return b.String()
}

// Hint is the next command to type, or "".
func (e *ConnectError) Hint() string { return e.hint }

// Output is what the host said before the login.
func (e *ConnectError) Output() string { return e.Banner }

// Unwrap gives class and cause.
func (e *ConnectError) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Class}
	}
	return []error{e.Class, e.Err}
}
