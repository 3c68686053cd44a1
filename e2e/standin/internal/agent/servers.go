package agent

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"strconv"

	"github.com/sirupsen/logrus"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/join"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/lb"
)

// savedServers is the file in which an agent keeps the servers that it knows, so that it starts without the first one.
type savedServers struct {
	ServerURL       string   `json:"ServerURL"`
	ServerAddresses []string `json:"ServerAddresses"`
}

func (s Settings) balancerFile() string { return s.Dir.Agent("etc/k3s-agent-load-balancer.json") }

func (s Settings) loadServers() []string {
	var saved savedServers
	data, err := os.ReadFile(s.balancerFile())
	if err != nil || json.Unmarshal(data, &saved) != nil || saved.ServerURL != s.ServerURL {
		return nil
	}
	return saved.ServerAddresses
}

func (s Settings) useServers(b *lb.Balancer, addresses []string) {
	if b == nil || len(addresses) == 0 {
		return
	}
	b.Update(addresses)
	if err := writeJSON(s.balancerFile(), savedServers{s.ServerURL, b.Servers()}); err != nil {
		logrus.Warnf("Failed to save the list of servers: %v", err)
	}
}

// askServers asks the supervisor for the list once.
func (s Settings) askServers(ctx context.Context, srv *join.Server, b *lb.Balancer) {
	var addresses []string
	data, err := srv.Get(ctx, "/v1-k3s/apiservers", nil)
	if err == nil && json.Unmarshal(data, &addresses) == nil {
		s.useServers(b, addresses)
	}
}

// followServers keeps the list as the endpoints of the "kubernetes" service change, until ctx ends.
func (s Settings) followServers(ctx context.Context, b *lb.Balancer) error {
	client, err := s.client("k3scontroller")
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(metav1.NamespaceDefault),
		informers.WithTweakListOptions(func(o *metav1.ListOptions) {
			o.FieldSelector = fields.OneTermEqualSelector("metadata.name", "kubernetes").String()
		}))
	use := func(obj any) {
		if slice, ok := obj.(*discoveryv1.EndpointSlice); ok {
			s.useServers(b, endpoints(slice))
		}
	}
	_, err = factory.Discovery().V1().EndpointSlices().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: use, UpdateFunc: func(_, obj any) { use(obj) },
	})
	factory.Start(ctx.Done())
	return err
}

func endpoints(slice *discoveryv1.EndpointSlice) []string {
	port := "6443"
	if len(slice.Ports) > 0 && slice.Ports[0].Port != nil {
		port = strconv.Itoa(int(*slice.Ports[0].Port))
	}
	var all []string
	for _, e := range slice.Endpoints {
		for _, a := range e.Addresses {
			all = append(all, net.JoinHostPort(a, port))
		}
	}
	return all
}
