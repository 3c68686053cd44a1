package supervisor

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
)

func server(t *testing.T) http.Handler {
	t.Helper()
	dir := layout.Dir(t.TempDir())
	if err := dir.MakeServer(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir.TLS("server-ca.crt"), []byte("CA"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &Supervisor{Dir: dir, NodeName: "s1", User: func(name string) string {
		return map[string]string{"server": "high", "node": "low"}[name]
	}}
	return s.Handler()
}

func TestWhoMayAskWhat(t *testing.T) {
	t.Parallel()
	h := server(t)
	for _, c := range []struct {
		path, user, pass string
		code             int
		message          string
	}{
		{"/ping", "", "", 200, ""},
		{"/cacerts", "", "", 200, ""},
		{"/readyz", "", "", 401, "not authorized"},
		{"/readyz", "node", "low", 503, "apiserver not ready"},
		{"/v1-k3s/config", "", "", 401, "not authorized"},
		{"/v1-k3s/config", "node", "high", 401, "not authorized"},
		{"/v1-k3s/config", "node", "low", 200, ""},
		{"/v1-k3s/config", "server", "high", 200, ""},
		{"/v1-k3s/server-bootstrap", "node", "low", 403, "forbidden"},
		{"/v1-k3s/serving-kubelet.crt", "node", "low", 400, "node name and password have to be given"},
		{"/v1-k3s/readyz", "node", "low", 500, "runtime core not ready"},
		{"/db/info", "server", "high", 400, "etcd disabled"},
	} {
		r := httptest.NewRequest(http.MethodGet, c.path, nil)
		if c.user != "" {
			r.SetBasicAuth(c.user, c.pass)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var status metav1.Status
		if c.message != "" {
			if err := json.Unmarshal(w.Body.Bytes(), &status); err != nil {
				t.Errorf("%s: %v", c.path, err)
			}
		}
		if w.Code != c.code || status.Message != c.message {
			t.Errorf("%s as %q = %d %q, want %d %q", c.path, c.user, w.Code, status.Message, c.code, c.message)
		}
	}
}

func TestANameBelongsToTheHostThatUsedItFirst(t *testing.T) {
	t.Parallel()
	secrets := fake.NewClientset().CoreV1().Secrets(metav1.NamespaceSystem)
	ctx := context.Background()
	for _, pass := range []string{"mine", "mine"} {
		if err := ensurePassword(ctx, secrets, "GPU-1", pass); err != nil {
			t.Fatal(err)
		}
	}
	if err := ensurePassword(ctx, secrets, "gpu-1", "other"); err == nil || err.Code != http.StatusForbidden {
		t.Errorf("err = %v", err)
	}
	if err := secrets.Delete(ctx, "gpu-1.node-password.k3s", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := ensurePassword(ctx, secrets, "gpu-1", "other"); err != nil {
		t.Errorf("a freed name was refused: %v", err)
	}
}
