// Command gpuboot turns rented GPU machines into a k3s cluster over SSH.
package main

import (
	"context"
	"os"

	"github.com/gpuboot/gpuboot/cmd/gpuboot/app"
)

func main() {
	os.Exit(app.Run(context.Background(), app.System(), os.Args[1:]))
}
