// Package command is the command line: it finds the subcommand, by its name or by the name under which the program was
// called, and runs it. Exit codes: 0, or 1 for any failure, as k3s.
package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/sirupsen/logrus"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/config"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/hostinfo"
)

const usage = `NAME:
   k3s - Kubernetes, but small and simple (gpuboot's stand-in, see e2e/standin/README.md)

USAGE:
   k3s COMMAND [OPTIONS]

COMMANDS:
   server         Run management server
   agent          Run node agent
   kubectl        Run kubectl
   crictl         Run a few of crictl's commands
   ctr            Run the host's ctr on k3s's containerd
   token          Manage tokens (create, list, delete, generate)
   etcd-snapshot  Manage etcd snapshots (save, ls, delete, prune)
`

// Run runs args (os.Args) and gives the exit code.
func Run(version string, args []string) int {
	logrus.SetFormatter(&logrus.TextFormatter{DisableColors: true, FullTimestamp: true})
	if err := setKubernetesVersion(version); err != nil {
		return exit(err)
	}
	switch called := filepath.Base(args[0]); called {
	case "kubectl", "crictl", "ctr":
		args = append([]string{"k3s", called}, args[1:]...)
	}
	if len(args) < 2 {
		fmt.Print(usage)
		return 0
	}
	return exit(dispatch(version, args[1], args[2:]))
}

func dispatch(version, name string, args []string) error {
	switch name {
	case "server":
		return runServer(version, args)
	case "agent":
		return runAgent(version, args)
	case "kubectl":
		return runKubectl(args)
	case "ctr":
		return runCtr(args)
	case "crictl":
		return runCrictl(args)
	case "token":
		return runToken(args)
	case "etcd-snapshot":
		return runSnapshot(args)
	case "--version", "-v", "version":
		fmt.Printf("k3s version %s (standin)\ngo version %s\n", version, runtime.Version())
		return nil
	case "help", "--help", "-h":
		fmt.Print(usage)
		return nil
	default:
		return fmt.Errorf("No help topic for '%s'", name)
	}
}

// errTold is a failure that has been told already.
var errTold = errors.New("told")

// exit tells a failure in the form in which k3s tells it: usage errors plain, a few fatal ones bare, the rest after "Error:".
func exit(err error) int {
	var unknown config.UnknownFlagError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errTold):
	case errors.As(err, &unknown):
		fmt.Fprintln(os.Stderr, err)
	case errors.Is(err, syscall.EADDRINUSE), errors.Is(err, hostinfo.ErrNoMemoryV1), errors.Is(err, hostinfo.ErrNoMemoryV2):
		logrus.StandardLogger().Log(logrus.FatalLevel, err)
	default:
		logrus.StandardLogger().Log(logrus.FatalLevel, "Error: "+err.Error())
	}
	return 1
}

func load(cmd config.Command, args []string) (config.Values, error) {
	return config.Load(cmd, args, os.Getenv, func(w string) { logrus.Warn(w) })
}
