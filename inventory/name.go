package inventory

import (
	"regexp"
	"strings"
)

func subdomainLabel() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)
}

// checkSubdomain says why s is not an RFC 1123 subdomain in lower case, the
// syntax of Kubernetes node names, or "".
func checkSubdomain(s string) string {
	if s == "" {
		return "it is empty"
	}
	if len(s) > 253 {
		return "it has more than 253 characters"
	}
	for _, label := range strings.Split(s, ".") {
		switch {
		case len(label) > 63:
			return "a part between dots has more than 63 characters"
		case strings.ToLower(label) != label:
			return "it has capital letters"
		case !subdomainLabel().MatchString(label):
			return "only a-z, 0-9, '-' and '.' are allowed, and each part begins and ends with a letter or digit"
		}
	}
	return ""
}
