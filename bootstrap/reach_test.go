package bootstrap

import (
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestReachIsAskedFromTheHost asks a server's CA through the joining host's own
// connection.
func TestReachIsAskedFromTheHost(t *testing.T) {
	t.Parallel()
	api := httptest.NewUnstartedServer(nil)
	var bundle []byte
	api.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cacerts" {
			_, _ = w.Write(bundle)
		}
	})
	api.StartTLS()
	t.Cleanup(api.Close)
	bundle = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: api.Certificate().Raw})

	a, host := rig(t, threeHosts)
	hp, _ := a.plan.Host("w1")
	hp.Member.Join = api.URL
	right := []byte("K10" + sha256Hex(bundle) + "::node:secret")
	if err := a.checkReach(t.Context(), hp, right); err != nil {
		t.Errorf("the right cluster: %v", err)
	}
	if n := host.Counters().Forwards; n != 1 {
		t.Errorf("%d connections through the host, want 1", n)
	}
	wrong := []byte("K10" + strings.Repeat("ab", 32) + "::node:secret")
	if err := a.checkReach(t.Context(), hp, wrong); err == nil || !strings.Contains(err.Error(), "is another cluster") {
		t.Errorf("another cluster's CA: %v", err)
	}
	hp.Member.Join = "https://127.0.0.1:1"
	var reach *ReachError
	if err := a.checkReach(t.Context(), hp, right); !errors.As(err, &reach) || !strings.Contains(reach.Hint(), "open 1/tcp") {
		t.Errorf("a closed port: %v", err)
	}
}
