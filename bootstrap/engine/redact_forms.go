package engine

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
)

// secretForms gives every form in which a secret is looked for, each of four
// bytes or more.
func secretForms(secret string) []string {
	var forms []string
	add := func(f string) {
		if len(f) >= minSecret {
			forms = append(forms, f)
		}
	}
	for _, part := range secretParts(secret) {
		for _, f := range quotedForms(part) {
			add(f)
		}
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			for _, text := range []string{part, part + "\n"} { // as "echo | base64" has it
				add(enc.EncodeToString([]byte(text)))
				add(enc.WithPadding(base64.NoPadding).EncodeToString([]byte(text)))
			}
			for shift := range 3 {
				add(base64Core(enc, part, shift))
			}
		}
	}
	return forms
}

// secretParts gives the secret, without white space around it, and each of its
// lines. A short one has no parts.
func secretParts(secret string) []string {
	var parts []string
	whole := strings.TrimSpace(secret)
	for _, p := range append([]string{secret, whole}, strings.Split(whole, "\n")...) {
		if p != secret {
			p = strings.TrimSpace(p)
		}
		if len(strings.TrimSpace(p)) >= minSecret {
			parts = append(parts, p)
		}
	}
	return parts
}

func quotedForms(s string) []string {
	query, path := url.QueryEscape(s), url.PathEscape(s)
	goQuoted := strconv.Quote(s)
	forms := []string{
		s, query, path, lowerHex(query), lowerHex(path),
		url.UserPassword("", s).String()[1:],
		goQuoted[1 : len(goQuoted)-1],
		strings.ReplaceAll(s, "'", `'\''`),
		strings.ReplaceAll(s, "'", `'"'"'`),
	}
	return append(forms, jsonForm(s, true), jsonForm(s, false))
}

// lowerHex turns %2F into %2f, which some writers prefer.
func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i:i+3], bytes.ToLower(b[i:i+3]))
		}
	}
	return string(b)
}

func jsonForm(s string, html bool) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(html)
	if err := enc.Encode(s); err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(b.String()), `"`), `"`)
}

// base64Core gives the characters that stand for the secret inside the base64
// of a longer text, such as "user:secret", if shift bytes (modulo three) stand
// before it. The characters shared with its neighbours are left out; a core
// under six characters would match by accident and is not used.
func base64Core(enc *base64.Encoding, secret string, shift int) string {
	const shortest = 6
	data := append(make([]byte, shift), secret...)
	full := enc.WithPadding(base64.NoPadding).EncodeToString(data)
	begin := (shift*8 + 5) / 6
	end := len(data) * 8 / 6
	if end-begin < shortest {
		return ""
	}
	return full[begin:end]
}
