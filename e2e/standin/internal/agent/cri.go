package agent

import (
	"context"
	"time"

	"github.com/sirupsen/logrus"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
)

// waitCRI waits until containerd answers as a container runtime; a template that breaks its plugin shows here for ever.
func waitCRI(ctx context.Context) error {
	conn, err := grpc.NewClient("unix://"+layout.ContainerdSocket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	client := runtimeapi.NewRuntimeServiceClient(conn)
	for start := time.Now(); ; {
		_, err := client.Version(ctx, &runtimeapi.VersionRequest{})
		if err == nil {
			logrus.Info("containerd is now running")
			return nil
		}
		if time.Since(start) > time.Second { // the first second is a normal start
			logrus.Infof("Waiting for containerd startup: %v", err)
		}
		if err := pause(ctx, 250*time.Millisecond); err != nil {
			return err
		}
	}
}
