package token

import (
	"errors"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("ab", 32)
	for name, c := range map[string]struct {
		in   string
		want Token
		err  error
	}{
		"short":          {in: "secret", want: Token{Secret: "secret"}},
		"server":         {in: "K10" + hash + "::server:pass", want: Token{CAHash: hash, User: "server", Secret: "pass"}},
		"colon inside":   {in: "K10" + hash + "::node:a:b", want: Token{CAHash: hash, User: "node", Secret: "a:b"}},
		"bootstrap":      {in: "abcdef.0123456789abcdef", want: Token{Bootstrap: "abcdef.0123456789abcdef"}},
		"full bootstrap": {in: "K10" + hash + "::abcdef.0123456789abcdef", want: Token{CAHash: hash, Bootstrap: "abcdef.0123456789abcdef"}},
		"empty":          {in: "", err: ErrEmpty},
		"short hash":     {in: "K10abc::server:pass", err: ErrHash},
		"no secret":      {in: "K10" + hash + "::server:", err: ErrFormat},
		"no creds":       {in: "K10" + hash, err: ErrFormat},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse(c.in)
			if got != c.want || !errors.Is(err, c.err) {
				t.Errorf("Parse(%q) = %+v, %v", c.in, got, err)
			}
			if err == nil && strings.HasPrefix(c.in, "K10") && got.String() != c.in {
				t.Errorf("String() = %q", got.String())
			}
		})
	}
}

func TestHashCACoversTheFileAsItLies(t *testing.T) {
	t.Parallel()
	one := "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
	if HashCA([]byte(one)) == HashCA([]byte(one+"\n")) {
		t.Error("a single certificate is hashed as a file, so white space counts")
	}
	two := "-----BEGIN CERTIFICATE-----\nBBBB\n-----END CERTIFICATE-----\n" + one
	if HashCA([]byte(two)) != HashCA([]byte(two+"\n")) {
		t.Error("a bundle is hashed by its root's DER")
	}
}

func TestNewBootstrapParses(t *testing.T) {
	t.Parallel()
	if got, err := Parse(NewBootstrap()); err != nil || got.Bootstrap == "" {
		t.Errorf("got %+v, %v", got, err)
	}
}
