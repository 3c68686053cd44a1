package bootstrap

import (
	"context"
	"strings"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// gpuKube is a cluster whose nodes all run two pods with GPUs.
type gpuKube struct{ Kube }

func (gpuKube) GPUPods(context.Context, string) (int, error) { return 2, nil }

func TestRestartUnderGPUPodsIsDisruptive(t *testing.T) {
	t.Parallel()
	in := converged(t, bareInput(t, threeHosts))
	in.Inventory = parse(t, strings.Replace(threeHosts, "{name: w2, address: 10.0.0.12}", "{name: w2, address: 10.0.0.12, k3sConfig: {kubelet-arg: [max-pods=50]}}", 1))
	p := mustPlan(t, in)
	g := &Gpuboot{}
	if err := g.markDisruptive(t.Context(), &Survey{Kube: gpuKube{}}, p); err != nil {
		t.Fatal(err)
	}
	for _, h := range p.Hosts {
		for _, c := range h.Changes {
			if want := h.Host.Name == "w2" && c.Action == "restart"; c.Disruptive != want || want && !strings.Contains(c.Reason, "2 pods hold GPUs here") {
				t.Errorf("%s %+v", h.Host.Name, c)
			}
		}
	}
}

func TestRemovedFilesAreNamedToTheHost(t *testing.T) {
	t.Parallel()
	a, host := rig(t, threeHosts)
	host.On("rm", "-f", "--", registriesPath)
	if err := removeFiles(t.Context(), a.survey.Hosts[0].Conn, []string{registriesPath}); err != nil {
		t.Fatal(err)
	}
	if err := removeFiles(t.Context(), (*remote.Conn)(nil), nil); err != nil {
		t.Errorf("removing nothing asked the host: %v", err)
	}
}

func TestPlanSaysWhereTheExecutableComesFrom(t *testing.T) {
	t.Parallel()
	in := bareInput(t, threeHosts)
	in.Binaries["amd64"] = Binary{SHA256: "b1", Origin: "/srv/k3s, no published list"}
	if got := render(mustPlan(t, in)); strings.Count(got, "not installed; from /srv/k3s, no published list") != 3 {
		t.Errorf("changes:\n%s", got)
	}
}
