package image

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
)

// Mirror stands for a registry, as "mirrors" in k3s' registries.yaml do.
type Mirror struct {
	// Registry is the name in images' names, "docker.io" or "ghcr.io". "*" is every registry without a mirror of its own.
	Registry string
	// Endpoints are tried in order: "https://mirror.example:5000". A path behind the host stands in place of "/v2".
	Endpoints []string
	// Rewrites change the repository for the endpoints; the first one that changes it counts.
	Rewrites []Rewrite
	// Only leaves the registry itself out when no endpoint has the image.
	Only bool
}

// Rewrite replaces a pattern (a regular expression) in a repository's name: "^rancher/(.*)" by "mirror/rancher/$1".
type Rewrite struct{ Pattern, Replacement string }

// endpoint is one place to ask for an image.
type endpoint struct {
	label     string // host, for messages
	ref       name.Reference
	transport func(http.RoundTripper) http.RoundTripper // nil: as it is
}

// places lists where to ask for an image: its registry's mirrors, then the registry.
func places(mirrors []Mirror, ref name.Reference) ([]endpoint, error) {
	registry := ref.Context().RegistryStr()
	if registry == name.DefaultRegistry {
		registry = "docker.io"
	}
	own := endpoint{label: registry, ref: ref}
	find := func(of string) int { return slices.IndexFunc(mirrors, func(m Mirror) bool { return m.Registry == of }) }
	i := find(registry)
	if i < 0 {
		i = find("*")
	}
	if i < 0 {
		return []endpoint{own}, nil
	}
	var all []endpoint
	for _, address := range mirrors[i].Endpoints {
		e, err := mirrors[i].endpoint(address, registry, ref)
		if err != nil {
			return nil, fmt.Errorf("reading the mirror %q of %s: %w", address, registry, err)
		}
		all = append(all, e)
	}
	if !mirrors[i].Only {
		all = append(all, own)
	}
	return all, nil
}

func (m Mirror) endpoint(address, registry string, ref name.Reference) (endpoint, error) {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return endpoint{}, err
	}
	if u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return endpoint{}, fmt.Errorf("not an http or https address")
	}
	repository, err := m.rewrite(ref.Context().RepositoryStr())
	if err != nil {
		return endpoint{}, err
	}
	var options []name.Option
	if u.Scheme == "http" {
		options = append(options, name.Insecure)
	}
	repo, err := name.NewRepository(u.Host+"/"+repository, options...)
	if err != nil {
		return endpoint{}, err
	}
	e := endpoint{label: u.Host, transport: func(next http.RoundTripper) http.RoundTripper {
		return mirrored{next, u.Host, strings.Trim(u.Path, "/"), registry}
	}}
	if d, ok := ref.(name.Digest); ok {
		e.ref = repo.Digest(d.DigestStr())
	} else {
		e.ref = repo.Tag(ref.Identifier())
	}
	return e, nil
}

func (m Mirror) rewrite(repository string) (string, error) {
	for _, r := range m.Rewrites {
		pattern, err := regexp.Compile(r.Pattern)
		if err != nil {
			return "", err
		}
		if changed := pattern.ReplaceAllString(repository, r.Replacement); changed != repository {
			return changed, nil
		}
	}
	return repository, nil
}

// mirrored makes requests to a mirror as containerd does: with the mirror's path in place of /v2, and with the name of the
// registry that it stands for, because one mirror may stand for several.
type mirrored struct {
	next                 http.RoundTripper
	host, path, registry string
}

// RoundTrip changes requests of the registry protocol to the mirror's host, and no others (tokens, redirects elsewhere).
func (m mirrored) RoundTrip(r *http.Request) (*http.Response, error) {
	rest, ok := strings.CutPrefix(r.URL.Path, "/v2/")
	if !ok || r.URL.Host != m.host {
		return m.next.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	if m.path != "" {
		r.URL.Path = "/" + m.path + "/" + rest
	}
	query := r.URL.Query()
	query.Set("ns", m.registry)
	r.URL.RawQuery = query.Encode()
	return m.next.RoundTrip(r)
}
