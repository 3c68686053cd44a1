package control

import (
	"slices"
	"testing"
)

func TestMismatchNamesTheFields(t *testing.T) {
	t.Parallel()
	a := Critical{ClusterDNSs: []string{"10.43.0.10"}, FlannelBackend: "vxlan"}
	b := Critical{ClusterDNSs: []string{"10.43.0.11"}, FlannelBackend: "host-gw"}
	if got := a.Mismatch(b); !slices.Equal(got, []string{"ClusterDNSs", "FlannelBackend"}) {
		t.Errorf("got %q", got)
	}
	if got := a.Mismatch(a); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestServiceAddresses(t *testing.T) {
	t.Parallel()
	api, err := ServiceIP("10.43.0.0/16")
	dns, err2 := DNSIP("10.43.0.0/16")
	if err != nil || err2 != nil || api.String() != "10.43.0.1" || dns.String() != "10.43.0.10" {
		t.Errorf("got %v %v %v %v", api, dns, err, err2)
	}
}
