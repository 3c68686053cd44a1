package release

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"
)

// tries is how often one file is asked for. With the waits between them that is 15 seconds of patience, plus what the
// transfer itself takes.
const tries = 5

// errStalled: no byte came for the Store's stall time. Retried: the next connection is often fine.
var errStalled = errors.New("the transfer stands still")

// statusError is an answer that is not the file.
type statusError struct {
	code int
	host string // who gave it, if a redirect led there
}

func newStatusError(resp *http.Response, address string) error {
	e := &statusError{code: resp.StatusCode}
	if resp.Request.URL.String() != address {
		e.host = resp.Request.URL.Host
	}
	return e
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%d %s", e.code, http.StatusText(e.code))
	if e.host != "" {
		text += " from " + e.host
	}
	return text
}

// cutError is a link that broke after the answer had begun, whatever the transport calls that. Retried.
type cutError struct{ err error }

func (e *cutError) Error() string { return "cut off: " + e.err.Error() }
func (e *cutError) Unwrap() error { return e.err }

// retry runs try until it succeeds, fails for good, or has failed often enough. Each try must call alive whenever
// something arrived; one that is silent for the stall time is cut.
func (s *Store) retry(ctx context.Context, try func(ctx context.Context, alive func()) error) error {
	pause := time.Second
	for n := 1; ; n++ {
		err := s.watched(ctx, try)
		if err == nil || n == tries || !temporary(err) || ctx.Err() != nil {
			return err
		}
		if err := s.wait(ctx, pause); err != nil {
			return err
		}
		pause *= 2
	}
}

func (s *Store) wait(ctx context.Context, d time.Duration) error {
	if s.Wait != nil {
		return s.Wait(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// watched runs one try under the stall timer.
func (s *Store) watched(ctx context.Context, try func(ctx context.Context, alive func()) error) error {
	limit := s.Stall
	if limit == 0 {
		limit = 30 * time.Second
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(limit, func() { cancel(errStalled) })
	defer timer.Stop()
	err := try(inner, func() { timer.Reset(limit) })
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(inner), errStalled) {
		return fmt.Errorf("no data for %s: %w", limit, errStalled)
	}
	return err
}

// temporary says whether the same question may be answered in a moment.
func temporary(err error) bool {
	if status, ok := errors.AsType[*statusError](err); ok {
		return status.code >= 500 || status.code == http.StatusTooManyRequests || status.code == http.StatusRequestTimeout
	}
	var cut *cutError
	var dns *net.DNSError
	var netErr net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return false
	case errors.As(err, &cut), errors.Is(err, errStalled), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF),
		errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return true
	case errors.As(err, &dns):
		return dns.IsTemporary || dns.IsTimeout
	}
	return errors.As(err, &netErr) && netErr.Timeout()
}

// classify turns what came of a request into an Error with its class and advice.
func classify(ctx context.Context, address string, src Source, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("fetching %s: %w", address, context.Cause(ctx))
	}
	out := &Error{Doing: "fetching " + address, Class: ErrOffline, Err: reason(err, address),
		Advice: "set HTTPS_PROXY, or k3s.source to a mirror or to a k3s file on this machine"}
	var status *statusError
	var cert *tls.CertificateVerificationError
	switch {
	case errors.As(err, &cert):
		out.Class, out.Advice = ErrUntrusted, "let this machine trust the server's CA (on Linux: SSL_CERT_FILE=its PEM file)"
	case errors.Is(err, errDowngrade):
		out.Class, out.Advice = ErrServer, ""
	case !errors.As(err, &status):
	case status.code == http.StatusNotFound || status.code == http.StatusGone:
		out.Class, out.Advice = ErrNotFound, notFoundAdvice(src)
	case status.code == http.StatusUnauthorized, status.code == http.StatusForbidden, status.code == http.StatusProxyAuthRequired:
		out.Class, out.Advice = ErrDenied, ""
	default:
		out.Class, out.Advice = ErrServer, ""
	}
	return out
}

// reason takes the address out of the transport's error, because the message has it already, and because an address
// that a redirect led to may carry a signature: of that one only the host is told.
func reason(err error, address string) error {
	var outer *url.Error
	if !errors.As(err, &outer) {
		return err
	}
	if to, bad := url.Parse(outer.URL); bad == nil && outer.URL != address {
		return fmt.Errorf("redirected to %s: %w", to.Host, outer.Err)
	}
	return outer.Err
}

func notFoundAdvice(src Source) string {
	if src.Kind == Mirror {
		return "a mirror needs the same layout as upstream: BASE/<tag with + as %2B>/<file>, the sha256sum list included"
	}
	return "check k3s.version; releases are listed at https://github.com/k3s-io/k3s/releases"
}
