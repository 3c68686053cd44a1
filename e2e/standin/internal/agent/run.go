package agent

import (
	"context"
	"fmt"
	"os"

	"github.com/sirupsen/logrus"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/containerd"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/control"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/hostinfo"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/join"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/lb"
)

// pluginsFrom is where Debian's containernetworking-plugins lie.
const pluginsFrom = "/usr/lib/cni"

// Run is the agent's life. It returns nil when ctx ends it.
func Run(ctx context.Context, s Settings) error {
	groups, err := hostinfo.CheckCgroups("/sys/fs/cgroup")
	if err != nil {
		return err
	}
	if err := s.Dir.MakeAgent(); err != nil {
		return err
	}
	url, balancer := s.ServerURL, (*lb.Balancer)(nil)
	if s.Balanced {
		if balancer, err = lb.Start(ctx, s.Values.Int("lb-server-port"), s.ServerURL); err != nil {
			return err
		}
		balancer.Update(s.loadServers())
		url = balancer.URL()
	}
	if err := checkSnapshotter(s.Values.String("snapshotter"), s.Dir.Agent("containerd")); err != nil {
		return err
	}
	srv, err := s.connectOrRefuse(ctx, url)
	if err != nil {
		return ended(ctx, err)
	}
	conf, err := s.fetch(ctx, srv, url)
	if err != nil {
		return ended(ctx, err)
	}
	s.askServers(ctx, srv, balancer)
	if err := s.runNode(ctx, srv, conf, balancer, groups); err != nil {
		return ended(ctx, err)
	}
	return nil
}

// ended drops the error of an agent that was told to stop.
func ended(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
		return nil
	default:
		return err
	}
}

// connectOrRefuse retries for ever, also on a URL or token that can never work: k3s does.
func (s Settings) connectOrRefuse(ctx context.Context, url string) (*join.Server, error) {
	if s.Balanced && len(s.ServerURL) >= 7 && s.ServerURL[:7] == "http://" {
		url = s.ServerURL
	}
	return s.connect(ctx, url)
}

// runNode runs the parts of the node until ctx ends or one of them does.
func (s Settings) runNode(ctx context.Context, srv *join.Server, conf control.Config, b *lb.Balancer, groups hostinfo.Cgroups) error {
	prepareKernel()
	if err := containerd.LinkPlugins(s.Dir, pluginsFrom); err != nil {
		return err
	}
	// As in k3s: only when systemd started us can containers be put under it.
	systemd := os.Getenv("INVOCATION_ID") != "" && groups.CPUSet
	cd := s.containerd(conf, systemd)
	file, err := cd.WriteConfig(os.Getenv("PATH"))
	if err != nil {
		return err
	}
	failed := make(chan error, 8)
	start := func(run func() error) {
		go func() {
			if err := run(); ctx.Err() == nil {
				failed <- err
			}
		}()
	}
	stopped := make(chan struct{})
	start(func() error { defer close(stopped); return cd.Run(ctx, file) })
	go func() {
		if err := s.bringUp(ctx, srv, conf, b, cd, systemd, start); err != nil && ctx.Err() == nil {
			failed <- err
		}
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		<-stopped
		return nil
	}
}

func (s Settings) bringUp(ctx context.Context, srv *join.Server, conf control.Config, b *lb.Balancer, cd containerd.Settings,
	systemd bool, start func(func() error),
) error {
	if err := waitCRI(ctx); err != nil {
		return err
	}
	if err := cd.ImportImages(ctx); err != nil {
		return err
	}
	start(func() error { return s.runKubelet(ctx, conf, systemd) })
	if !conf.DisableKubeProxy {
		start(func() error { return s.runProxy(ctx, srv, conf) })
	}
	if err := s.configureNode(ctx); err != nil {
		return err
	}
	if b != nil {
		if err := s.followServers(ctx, b); err != nil {
			return err
		}
	}
	if conf.FlannelBackend != "none" {
		if err := s.waitPodRange(ctx); err != nil {
			return err
		}
		follow, err := s.startFlannel(ctx, conf)
		if err != nil {
			return fmt.Errorf("failed to start networking: %w", err)
		}
		go follow(ctx)
	}
	logrus.Info("k3s agent is up and running")
	s.Notify()
	return nil
}

func (s Settings) containerd(conf control.Config, systemd bool) containerd.Settings {
	pause := s.Values.String("pause-image")
	if conf.SystemDefaultRegistry != "" {
		pause = conf.SystemDefaultRegistry + "/" + pause
	}
	return containerd.Settings{
		Dir: s.Dir, Snapshotter: s.Values.String("snapshotter"), PauseImage: pause, SystemdCgroup: systemd,
		DefaultRuntime: s.Values.String("default-runtime"), DisableDefaultEndpoint: s.Values.Bool("disable-default-registry-endpoint"),
		Registries: s.Values.String("private-registry"), Log: logrus.StandardLogger(),
	}
}
