package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"

	"github.com/flannel-io/flannel/pkg/backend"
	_ "github.com/flannel-io/flannel/pkg/backend/hostgw" // registers the backend
	_ "github.com/flannel-io/flannel/pkg/backend/vxlan"  // registers the backend
	flannelip "github.com/flannel-io/flannel/pkg/ip"
	"github.com/flannel-io/flannel/pkg/subnet"
	"github.com/flannel-io/flannel/pkg/subnet/kube"
	"github.com/flannel-io/flannel/pkg/trafficmngr/iptables"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/control"
)

const (
	subnetFile = "/run/flannel/subnet.env"
	resync     = 60 // seconds between looks at the iptables rules
)

// startFlannel joins the pod network and writes the CNI configuration. The Node has to have its pod range. It returns the
// function that follows the other nodes until ctx ends.
func (s Settings) startFlannel(ctx context.Context, conf control.Config) (func(context.Context), error) {
	netConf := s.Dir.Agent("etc/flannel/net-conf.json")
	if err := writeJSON(netConf, map[string]any{
		"Network": conf.ClusterIPRanges[0], "EnableIPv4": true, "EnableIPv6": false, "IPv6Network": "::/0",
		"Backend": map[string]any{"Type": conf.FlannelBackend},
	}); err != nil {
		return nil, err
	}
	if err := os.Setenv("NODE_NAME", s.NodeName); err != nil { // the only way to tell flannel
		return nil, err
	}
	manager, err := kube.NewSubnetManager(ctx, "", s.Dir.Agent("k3scontroller.kubeconfig"), "flannel.alpha.coreos.com", netConf, false)
	if err != nil {
		return nil, fmt.Errorf("flannel: %w", err)
	}
	network, err := manager.GetNetworkConfig(ctx)
	if err != nil {
		return nil, fmt.Errorf("flannel: %w", err)
	}
	iface, err := s.flannelInterface(conf)
	if err != nil {
		return nil, err
	}
	be, err := backend.NewManager(ctx, manager, iface).GetBackend(network.BackendType)
	if err != nil {
		return nil, fmt.Errorf("flannel: %w", err)
	}
	joined, err := be.RegisterNetwork(ctx, &sync.WaitGroup{}, network)
	if err != nil {
		return nil, fmt.Errorf("flannel: %w", err)
	}
	if err := s.applyFlannel(ctx, manager, network, joined); err != nil {
		return nil, err
	}
	return joined.Run, nil
}

func (s Settings) applyFlannel(ctx context.Context, manager subnet.Manager, network *subnet.Config, joined backend.Network) error {
	rules := &iptables.IPTablesManager{}
	if err := rules.Init(ctx); err != nil {
		return fmt.Errorf("flannel rules: %w", err)
	}
	lease := joined.Lease()
	err := rules.SetupAndEnsureMasqRules(ctx, network.Network, lease.Subnet, network.Network, network.IPv6Network, flannelip.IP6Net{},
		network.IPv6Network, lease, resync, false)
	if err != nil {
		return fmt.Errorf("flannel rules: %w", err)
	}
	rules.SetupAndEnsureForwardRules(ctx, network.Network, network.IPv6Network, resync)
	if err := os.MkdirAll(filepath.Dir(subnetFile), 0o755); err != nil {
		return err
	}
	if err := manager.HandleSubnetFile(subnetFile, network, true, lease.Subnet, flannelip.IP6Net{}, joined.MTU()); err != nil {
		return fmt.Errorf("flannel: %w", err)
	}
	return s.writeCNI(network.Network.String(), lease.Subnet.String(), joined.MTU())
}

// flannelInterface is the one named, else the one with the default route; as in k3s, node-ip does not choose it.
func (s Settings) flannelInterface(conf control.Config) (*backend.ExternalInterface, error) {
	name := s.Values.String("flannel-iface")
	iface, err := flannelip.GetDefaultGatewayInterface()
	if name != "" {
		iface, err = net.InterfaceByName(name)
	}
	if err != nil {
		return nil, fmt.Errorf("unable to find interface %s: %w", name, err)
	}
	addrs, err := flannelip.GetInterfaceIP4Addrs(iface)
	if err != nil || len(addrs) == 0 {
		return nil, fmt.Errorf("failed to find IPv4 address for interface %s: %w", iface.Name, err)
	}
	ext := addrs[0]
	if outside := s.Values.Strings("node-external-ip"); conf.FlannelExternalIP && len(outside) > 0 {
		ext = net.ParseIP(outside[0])
	}
	return &backend.ExternalInterface{Iface: iface, IfaceAddr: addrs[0], ExtAddr: ext}, nil
}

// writeCNI writes what k3s's flannel plugin would hand to the bridge plugin: Debian has no flannel plugin.
func (s Settings) writeCNI(network, subnet string, mtu int) error {
	return writeJSON(s.Dir.Agent("etc/cni/net.d/10-flannel.conflist"), map[string]any{
		"name": "cbr0", "cniVersion": "1.0.0",
		"plugins": []any{
			map[string]any{
				"type": "bridge", "bridge": "cni0", "mtu": mtu, "isGateway": true, "isDefaultGateway": true,
				"forceAddress": true, "hairpinMode": true, "ipMasq": false,
				"ipam": map[string]any{
					"type": "host-local", "ranges": []any{[]any{map[string]any{"subnet": subnet}}},
					"routes": []any{map[string]any{"dst": network}},
				},
			},
			map[string]any{"type": "portmap", "capabilities": map[string]any{"portMappings": true}},
			map[string]any{"type": "bandwidth", "capabilities": map[string]any{"bandwidth": true}},
		},
	})
}

func writeJSON(file string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o600)
}
