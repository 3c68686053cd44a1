package inventory

import "testing"

func TestDeriveName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address string
		port    int
		want    string
	}{
		{"10.0.0.11", 0, "ip-10-0-0-11"},
		{"10.0.0.11", 22, "ip-10-0-0-11"},
		{"198.51.100.7", 2201, "ip-198-51-100-7-2201"},
		{"2001:db8::1", 0, "ip-2001-db8--1"},
		{"::1", 0, "ip-0--1"},
		{"2001:db8::", 0, "ip-2001-db8--0"},
		{"GPU1.Example.com", 0, "gpu1.example.com"},
		{"gpu1", 2222, "gpu1-2222"},
	} {
		got := deriveName(c.address, c.port)
		if got != c.want {
			t.Errorf("%s, %d: got %s, want %s", c.address, c.port, got, c.want)
		}
		if err := checkNodeName("name", got); err != nil {
			t.Error(err)
		}
	}
}

func TestSuggestNamesTheNearWordOnly(t *testing.T) {
	t.Parallel()
	words := []string{"user", "port", "labels", "podCIDR"}
	for got, want := range map[string]string{
		"usr": "user", "Port": "port", "lables": "labels", "podcidr": "podCIDR", "prot": "port",
		"zebra": "", "": "", "x": "", "a-word-much-longer-than-any-that-is-allowed-here-or-anywhere-else-in-it": "",
	} {
		if near := nearest(got, words); near != want {
			t.Errorf("%q: got %q, want %q", got, near, want)
		}
	}
}

func TestRefusedValuesStandAlone(t *testing.T) {
	t.Parallel()
	var r Role
	if err := r.UnmarshalText([]byte("master")); err == nil || err.Error() != `role "master" is unknown, allowed are server, worker, both (did you mean "server"?)` {
		t.Errorf("got %v", err)
	}
	var g GPUs
	if err := g.UnmarshalText([]byte("2x")); err == nil || g != (GPUs{}) {
		t.Errorf("got %v, %v", g, err)
	}
}
