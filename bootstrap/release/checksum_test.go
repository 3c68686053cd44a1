package release

import (
	"fmt"
	"maps"
	"strings"
	"testing"
)

func TestParseChecksums(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("a", 64), strings.Repeat("b", 64)
	got, err := parseChecksums([]byte(
		b + "  k3s-airgap-images-amd64.tar\r\n\n" + strings.ToUpper(a) + " *k3s\n" + a + "  name with  spaces\n" + a + "  k3s\n"))
	want := checksums{"k3s-airgap-images-amd64.tar": b, "k3s": a, "name with  spaces": a}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for name, text := range map[string]string{
		"empty": "", "blank": " \n\n", "html": "<!DOCTYPE html>", "no name": a, "only spaces after": a + "  ",
		"one space": a + " k3s", "tab": a + "\tk3s", "short": a[:63] + "  k3s", "no hex": strings.Repeat("z", 64) + "  k3s",
		"two digests": a + "  k3s\n" + b + "  k3s\n", "endless line": strings.Repeat("a", 1<<17),
	} {
		if got, err := parseChecksums([]byte(text)); err == nil {
			t.Errorf("%s: read as %v", name, got)
		}
	}
}

func TestPickTakesTheExactName(t *testing.T) {
	t.Parallel()
	list := []byte(strings.Repeat("a", 64) + "  dist/k3s\n" + strings.Repeat("b", 64) + "  k3s-arm64\n")
	if sum, err := pick(list, "k3s"); err == nil {
		t.Errorf("took %s", sum)
	}
	if sum, err := pick(list, "other", "k3s-arm64"); err != nil || sum[0] != 'b' {
		t.Errorf("%q, %v", sum, err)
	}
	if _, err := pick(make([]byte, maxList+1), "k3s"); err == nil {
		t.Error("read a list without end")
	}
}

func FuzzParseChecksums(f *testing.F) {
	a := strings.Repeat("a", 64)
	for _, seed := range []string{a + "  k3s\n", a + " *k3s\r\n\n", "<html>", a, "", "\x00", a + "  " + a} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := parseChecksums(data)
		if err != nil {
			return
		}
		var again strings.Builder
		for name, sum := range list {
			if !isDigest(sum) || name == "" || strings.ContainsAny(name, "\n") {
				t.Fatalf("%q: %q", name, sum)
			}
			fmt.Fprintf(&again, "%s  %s\n", sum, name)
		}
		second, err := parseChecksums([]byte(again.String()))
		if err != nil || !maps.Equal(list, second) {
			t.Fatalf("read again: %v, %v; first %v", second, err, list)
		}
	})
}

func FuzzParseLock(f *testing.F) {
	f.Add([]byte(`{"format":1,"artefacts":[{"name":"k3s","sha256":"` + strings.Repeat("a", 64) + `"}]}`))
	f.Add([]byte(`{"format":2}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		lock, err := parseLock(data)
		if err != nil {
			return
		}
		for _, e := range lock.Artefacts {
			if !isDigest(e.SHA256) {
				t.Fatalf("let %q through", e.SHA256)
			}
		}
	})
}

func BenchmarkParseChecksums(b *testing.B) {
	var text strings.Builder
	for n := range 12 {
		fmt.Fprintf(&text, "%064x  k3s-airgap-images-%d.tar.zst\n", n, n)
	}
	data := []byte(text.String())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := parseChecksums(data); err != nil {
			b.Fatal(err)
		}
	}
}
