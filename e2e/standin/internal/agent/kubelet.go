package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kubeletv1beta1 "k8s.io/kubelet/config/v1beta1"
	kubeletapp "k8s.io/kubernetes/cmd/kubelet/app"
	"k8s.io/kubernetes/pkg/util/taints"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/control"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/kubeargs"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
)

// runKubelet runs the kubelet. Its command is the one that may own the signals: on SIGTERM it ends by itself.
func (s Settings) runKubelet(ctx context.Context, conf control.Config, systemdCgroup bool) error {
	if err := s.writeKubeletConfig(conf, systemdCgroup); err != nil {
		return err
	}
	args := map[string]string{
		"config-dir":        s.Dir.Agent("etc/kubelet.conf.d"),
		"kubeconfig":        s.Dir.Agent("kubelet.kubeconfig"),
		"hostname-override": s.NodeName,
		"node-ip":           joinIPs(s.IPs),
		"node-labels":       strings.Join(s.Values.Strings("node-label"), ","),
		"read-only-port":    "0",
	}
	if !conf.DisableCCM {
		args["cloud-provider"] = "external"
	}
	if v := s.Values.Int("v"); v != 0 {
		args["v"] = strconv.Itoa(v)
	}
	cmd := kubeletapp.NewKubeletCommand(ctx)
	cmd.SetArgs(kubeargs.Merge(args, s.Values.Strings("kubelet-arg")))
	cmd.SilenceErrors = true
	if err := cmd.ExecuteContext(ctx); err != nil {
		return fmt.Errorf("kubelet exited: %w", err)
	}
	return nil
}

func joinIPs(ips []net.IP) string {
	var all []string
	for _, ip := range ips {
		all = append(all, ip.String())
	}
	return strings.Join(all, ",")
}

// writeKubeletConfig writes the first file of the drop-in folder; a user's files there come after it and win.
func (s Settings) writeKubeletConfig(conf control.Config, systemdCgroup bool) error {
	registerTaints, err := s.taints()
	if err != nil {
		return err
	}
	no, yes, driver := false, true, "cgroupfs"
	if systemdCgroup {
		driver = "systemd"
	}
	resolv := s.Values.String("resolv-conf")
	if resolv == "" {
		resolv = "/etc/resolv.conf"
	}
	c := kubeletv1beta1.KubeletConfiguration{
		TypeMeta:                 metav1.TypeMeta{Kind: "KubeletConfiguration", APIVersion: "kubelet.config.k8s.io/v1beta1"},
		Address:                  "0.0.0.0",
		CgroupDriver:             driver,
		ClusterDNS:               conf.ClusterDNSs,
		ClusterDomain:            conf.ClusterDomain,
		ContainerRuntimeEndpoint: "unix://" + layout.ContainerdSocket,
		EvictionHard:             map[string]string{"imagefs.available": "5%", "nodefs.available": "5%"},
		EvictionMinimumReclaim:   map[string]string{"imagefs.available": "10%", "nodefs.available": "10%"},
		FailSwapOn:               &no,
		HealthzBindAddress:       "127.0.0.1",
		ProtectKernelDefaults:    s.Values.Bool("protect-kernel-defaults"),
		RegisterWithTaints:       registerTaints,
		ResolverConfig:           &resolv,
		SerializeImagePulls:      &no,
		StaticPodPath:            s.Dir.Agent("pod-manifests"),
		TLSCertFile:              s.Dir.Agent("serving-kubelet.crt"),
		TLSPrivateKeyFile:        s.Dir.Agent("serving-kubelet.key"),
		AllowedUnsafeSysctls:     []string{"net.ipv4.ip_forward", "net.ipv6.conf.all.forwarding"},
		Authentication: kubeletv1beta1.KubeletAuthentication{
			Anonymous: kubeletv1beta1.KubeletAnonymousAuthentication{Enabled: &no},
			Webhook:   kubeletv1beta1.KubeletWebhookAuthentication{Enabled: &yes, CacheTTL: metav1.Duration{Duration: 2 * time.Minute}},
			X509:      kubeletv1beta1.KubeletX509Authentication{ClientCAFile: s.Dir.Agent("client-ca.crt")},
		},
		Authorization: kubeletv1beta1.KubeletAuthorization{Mode: kubeletv1beta1.KubeletAuthorizationModeWebhook},
	}
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	file := s.Dir.Agent("etc/kubelet.conf.d/00-k3s-defaults.conf")
	if err := os.WriteFile(file, append(data, '\n'), 0o600); err != nil {
		return err
	}
	return os.Chmod(file, 0o600)
}

func (s Settings) taints() ([]corev1.Taint, error) {
	add, _, err := taints.ParseTaints(s.Values.Strings("node-taint"))
	if err != nil {
		return nil, fmt.Errorf("invalid node-taint: %w", err)
	}
	return add, nil
}
