package inventory_test

import (
	"errors"
	"fmt"

	"github.com/gpuboot/gpuboot/inventory"
)

func ExampleParse() {
	inv, err := inventory.Parse("train.yaml", []byte(`
name: train
pools:
  - name: control
    role: both
    hosts: [server1=10.0.0.10]
  - name: gpu
    role: worker
    gpus: 8x H100
    hosts: ["gpu[01-02]=10.0.0.[11-12]"]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range inv.Hosts {
		fmt.Println(h.Name, h.Address, h.Role, h.Pool)
	}
	// Output:
	// server1 10.0.0.10 both control
	// gpu01 10.0.0.11 worker gpu
	// gpu02 10.0.0.12 worker gpu
}

func ExampleProblems_Pretty() {
	_, err := inventory.Parse("train.yaml", []byte(`name: train
defaults:
  usr: ubuntu
hosts:
  - {address: 10.0.0.10, role: master}
`))
	if problems, ok := errors.AsType[inventory.Problems](err); ok {
		fmt.Print(problems.Pretty())
	}
	// Output:
	// train.yaml:3:3: unknown key "usr" in defaults, allowed are hostKey, identityFile, identityFiles, interface, jumpHosts, k3sConfig, labels, password, port, sudoPassword, taints, user
	//       usr: …
	//       ^
	//   hint: did you mean "user"?
	//
	// train.yaml:5:32: role "master" is unknown, allowed are server, worker, both
	//       - {address: 10.0.0.10, role: master}
	//                                    ^
	//   hint: did you mean "server"?
}

func ExampleTaint() {
	var t inventory.Taint
	err := t.UnmarshalText([]byte("nvidia.com/gpu=present:NoSchedule"))
	fmt.Println(t.Key, t.Value, t.Effect, err)
	fmt.Println(t)
	// Output:
	// nvidia.com/gpu present NoSchedule <nil>
	// nvidia.com/gpu=present:NoSchedule
}

func ExampleGPUs() {
	var g inventory.GPUs
	err := g.UnmarshalText([]byte("8x H100"))
	fmt.Println(g.Count, g.Product, err)
	// Output: 8 H100 <nil>
}

func ExampleK3sFlags() {
	for _, f := range inventory.K3sFlags() {
		if f.Name == "disable" || f.Name == "node-label" {
			fmt.Printf("%s: %s, server %v, agent %v, owned %q\n", f.Name, f.Kind, f.Server, f.Agent, f.Owned)
		}
	}
	// Output:
	// disable: list, server true, agent false, owned ""
	// node-label: list, server true, agent true, owned "use labels on the host, its pool or in defaults"
}
