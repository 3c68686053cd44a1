package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
)

// runKubectl is upstream's kubectl. Without a kubeconfig of the caller's it takes the administrator's of this server; on an
// agent there is none, so kubectl tries localhost:8080.
func runKubectl(args []string) error {
	if os.Getenv("KUBECONFIG") == "" {
		if f, err := os.Open(layout.Kubeconfig); err == nil {
			_ = f.Close()
			if err := os.Setenv("KUBECONFIG", layout.Kubeconfig); err != nil {
				return err
			}
		} else if errors.Is(err, os.ErrPermission) {
			return fmt.Errorf("Unable to read %s, please start server with --write-kubeconfig-mode or --write-kubeconfig-group "+
				"to modify kube config permissions", layout.Kubeconfig)
		}
	}
	os.Args = append([]string{"kubectl"}, args...)
	if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err) // prints and exits
	}
	return nil
}

// runCtr becomes the host's ctr, on k3s's socket and in Kubernetes' namespace.
func runCtr(args []string) error {
	path, err := exec.LookPath("ctr")
	if err != nil {
		return fmt.Errorf("the stand-in runs the host's ctr: %w", err)
	}
	for name, value := range map[string]string{"CONTAINERD_ADDRESS": layout.ContainerdSocket, "CONTAINERD_NAMESPACE": "k8s.io"} {
		if os.Getenv(name) == "" {
			if err := os.Setenv(name, value); err != nil {
				return err
			}
		}
	}
	return syscall.Exec(path, append([]string{"ctr"}, args...), os.Environ())
}
