package facts

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/gpuboot/gpuboot/inventory"
)

var update = flag.Bool("update", false, "record testdata/hgx.probe anew")

// The answer that benchmarks and fuzz targets begin with is recorded from the
// laid host; this test says when the probe has moved on.
func TestRecordedAnswerIsOfThisProbe(t *testing.T) {
	t.Parallel()
	f, out := probeHost(t, layHost(t, "hgx.txtar"), "sh")
	if *update {
		out = regexp.MustCompile(`@@[0-9a-f-]{36}`).ReplaceAll(out, []byte("@@00000000-0000-4000-8000-000000000000"))
		if err := os.WriteFile("testdata/hgx.probe", out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := Parse(recorded(t))
	if err != nil {
		t.Fatal(err)
	}
	for name := range f.Raw {
		if _, ok := old.Raw[name]; !ok {
			t.Errorf("testdata/hgx.probe lacks the section %s: run the test with -update", name)
		}
	}
	checkHGX(t, old)
}

func BenchmarkParse(b *testing.B) {
	out := recorded(b)
	b.SetBytes(int64(len(out)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(out); err != nil {
			b.Fatal(err)
		}
	}
}

// A thousand different hosts, from the bytes to the findings.
func BenchmarkParseAndCheck1000Hosts(b *testing.B) {
	const hosts = 1000
	out := recorded(b)
	inv := newWorld().inv
	inv.Hosts = nil
	answers := make([][]byte, hosts)
	for i := range hosts {
		inv.Hosts = append(inv.Hosts, inventory.Host{Name: fmt.Sprintf("h%d", i), Role: inventory.RoleWorker, GPUs: &inventory.GPUs{Count: 2, Product: "H100"}})
		answers[i] = bytes.ReplaceAll(out, []byte("10.20.0.11"), fmt.Appendf(nil, "10.20.%d.%d", i/250, 1+i%250))
	}
	b.ReportAllocs()
	for b.Loop() {
		all := make(map[string]*Facts, hosts)
		for i, a := range answers {
			f, err := Parse(a)
			if err != nil {
				b.Fatal(err)
			}
			all[inv.Hosts[i].Name] = f
		}
		if found := Check(inv, all, "v1.36.2+k3s1"); len(found) < hosts {
			b.Fatalf("only %d findings", len(found))
		}
	}
}
