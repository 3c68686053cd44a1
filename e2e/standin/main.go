// Command k3s is the stand-in for the k3s executable that the tests of gpuboot run where the released one cannot be had.
// README.md says what in it is real, what is modelled and what is absent.
package main

import (
	"os"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/command"
)

// version is set when linking: -X main.version=v1.34.4+k3s1
var version = "v1.34.4+k3s1"

func main() { os.Exit(command.Run(version, os.Args)) }
