package command

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/sirupsen/logrus"
	logsapi "k8s.io/component-base/logs/api/v1"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/agent"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/config"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/hostinfo"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/server"
)

// LateReady names the environment variable by which a test delays an agent's word to systemd, as a real agent sometimes does
// for minutes although its node is long Ready (a Go duration).
const LateReady = "GPUBOOT_STANDIN_LATE_READY"

func runServer(version string, args []string) error {
	v, err := load(config.Server(), args)
	if err != nil {
		return err
	}
	logrus.Infof("Starting k3s %s (standin)", version)
	if _, err := hostinfo.CheckCgroups("/sys/fs/cgroup"); err != nil && !v.Bool("cluster-reset") {
		return err
	}
	s, err := server.FromValues(v)
	if err != nil {
		return err
	}
	ready := notifier()
	hooks := server.Hooks{Ready: ready}
	if !v.Bool("disable-agent") {
		a := agent.OfServer(v, s.NodeName, s.IPs)
		hooks.Agent = func(ctx context.Context) error { return agent.Run(ctx, a) }
	}
	return untilSignal(func(ctx context.Context) error { return server.Run(ctx, s, hooks) })
}

func runAgent(version string, args []string) error {
	v, err := load(config.Agent(), args)
	if err != nil {
		return err
	}
	s, err := agent.FromValues(v)
	if err != nil {
		return err
	}
	logrus.Infof("Starting k3s agent %s (standin)", version)
	ready := notifier()
	s.Notify = func() {
		if late, err := time.ParseDuration(os.Getenv(LateReady)); err == nil {
			time.AfterFunc(late, ready)
			return
		}
		ready()
	}
	return untilSignal(func(ctx context.Context) error { return agent.Run(ctx, s) })
}

// notifier takes the notify socket away from the components inside, each of which would say that it is ready, and gives the
// function that says so for the whole.
func notifier() func() {
	socket := os.Getenv("NOTIFY_SOCKET")
	_ = os.Unsetenv("NOTIFY_SOCKET")
	return func() {
		if socket == "" {
			return
		}
		if err := os.Setenv("NOTIFY_SOCKET", socket); err != nil {
			logrus.Warn(err)
			return
		}
		if _, err := daemon.SdNotify(true, daemon.SdNotifyReady); err != nil {
			logrus.Warnf("Failed to notify systemd: %v", err)
		}
	}
}

func untilSignal(run func(context.Context) error) error {
	logsapi.ReapplyHandling = logsapi.ReapplyHandlingIgnoreUnchanged // several components in one process say the same about logging
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	err := run(ctx)
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		logrus.Info("Shutdown complete")
		return nil
	}
	return err
}
