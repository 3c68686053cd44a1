package inventory

import (
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		"gpu1":                   "gpu1",
		"gpu[1-3]":               "gpu1 gpu2 gpu3",
		"gpu[08-11]":             "gpu08 gpu09 gpu10 gpu11",
		"gpu[9-11].lan":          "gpu9.lan gpu10.lan gpu11.lan",
		"[1-2][3-4]":             "13 14 23 24",
		"r[1,3,5-6]":             "r1 r3 r5 r6",
		"r[007]":                 "r007",
		"10.0.[0-1].[254]":       "10.0.0.254 10.0.1.254",
		"[2001:db8::1]:22":       "[2001:db8::1]:22",
		"2001:db8::[1-2]":        "2001:db8::1 2001:db8::2",
		"h:[2201-2203]":          "h:2201 h:2202 h:2203",
		"[fe80::1]:[22-23]":      "[fe80::1]:22 [fe80::1]:23",
		"[10.0.0.1]":             "[10.0.0.1]",
		"x[999999998-999999999]": "x999999998 x999999999",
	} {
		got, err := expand(pattern)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, %v, want %q", pattern, got, err, want)
		}
	}
}

func TestExpandStopsAtTheLimitBeforeItFillsMemory(t *testing.T) {
	t.Parallel()
	full, err := expand("a[1-10]b[1-100]")
	if err != nil || len(full) != maxHosts {
		t.Errorf("got %d hosts, %v, want just the limit", len(full), err)
	}
	for _, pattern := range []string{
		"a[0-1000]", "a[1-999999999]", "a[1-100][1-100]", strings.Repeat("[0-9]", 60), "a[1-600,1-600]",
	} {
		if got, err := expand(pattern); err == nil || !strings.Contains(err.Error(), "1000 hosts") {
			t.Errorf("%s: got %d hosts, %v, want the limit named", pattern, len(got), err)
		}
	}
}

func FuzzExpand(f *testing.F) {
	for _, seed := range []string{"gpu[01-16]", "10.0.0.[11-18]", "[2001:db8::1]", "a[1-2][3-4]", "a[1,2-3]", "]", "[", "[]", "[9-1]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		out, err := expand(pattern)
		if err != nil {
			return
		}
		if len(out) == 0 || len(out) > maxHosts {
			t.Errorf("%d hosts", len(out))
		}
		if !strings.ContainsAny(pattern, "[]") && (len(out) != 1 || out[0] != pattern) {
			t.Errorf("%q became %q without a range", pattern, out)
		}
		again, _ := expand(pattern)
		if strings.Join(again, "\n") != strings.Join(out, "\n") {
			t.Error("not the same twice")
		}
	})
}
