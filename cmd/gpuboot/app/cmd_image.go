package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gpuboot/gpuboot/addons/image"
	"github.com/gpuboot/gpuboot/bootstrap/facts"
)

// imageFlags say what an image is judged against where there is no inventory.
type imageFlags struct {
	driver, gpu, arch, inventory string
}

func newCheckImage(g *global) *cobra.Command {
	var f runFlags
	var i imageFlags
	cmd := &cobra.Command{
		Use:   "check-image IMAGE",
		Short: "Will this image's CUDA run on these drivers and GPUs? Pulls nothing",
		Long: `Reads an image's manifest and configuration, never a layer, and compares what it needs with a
driver and a GPU, or with every host of an inventory. IMAGE is a registry name, oci:FOLDER, or
docker-archive:FILE. Exit code 4 when it would not run somewhere; what is not known is said so.

  gpuboot check-image --driver 570.124.06 --gpu B200 IMAGE
  gpuboot check-image --inventory inventory.yaml IMAGE`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("one image, got %d arguments", len(args))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			hosts, unreached, err := g.imageHosts(cmd.Context(), &i, &f)
			if err != nil {
				return err
			}
			return errors.Join(g.checkImage(cmd.Context(), args[0], hosts), unreached)
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&i.driver, "driver", "", "NVIDIA driver version, such as 570.124.06")
	cmd.Flags().StringVar(&i.gpu, "gpu", "", "GPU, such as B200, RTX 4090 or sm_90")
	cmd.Flags().StringVar(&i.arch, "arch", "", "amd64 or arm64 (default: what the GPU comes with)")
	cmd.Flags().StringVar(&i.inventory, "inventory", "", "judge against every host of this inventory")
	return cmd
}

// imageHosts are what the flags describe, or what the hosts of an inventory
// say; unreached names those that did not answer.
func (g *global) imageHosts(ctx context.Context, i *imageFlags, f *runFlags) (hosts []image.Host, unreached, err error) {
	if i.inventory == "" {
		h, err := image.ParseHost(i.driver, i.gpu, i.arch)
		if err != nil {
			return nil, nil, usageError{err}
		}
		return []image.Host{h}, nil, nil
	}
	if i.driver != "" || i.gpu != "" || i.arch != "" {
		return nil, nil, usageError{errors.New("--inventory asks the hosts: leave out --driver, --gpu and --arch")}
	}
	s, err := g.open(ctx, []string{i.inventory}, f, false)
	if err != nil {
		return nil, nil, err
	}
	seen, unreached := s.Facts(ctx, s.request(nil))
	for _, h := range s.inv.Hosts {
		if fact, ok := seen[h.Name]; ok {
			hosts = append(hosts, imageHost(h.Name, fact))
		}
	}
	return hosts, unreached, nil
}

// imageHost is what an image needs to know of a host.
func imageHost(name string, f *facts.Facts) image.Host {
	h := image.Host{Name: name, Arch: f.Arch, Driver: f.NVIDIA.DriverVersion, NoGPU: len(f.GPUs) == 0}
	for _, d := range f.GPUs {
		gpu := image.GPU{Product: d.Name}
		switch d.VendorID {
		case facts.VendorNVIDIA:
			gpu.Vendor = image.NVIDIA
		case facts.VendorAMD:
			gpu.Vendor = image.AMD
		}
		if !slices.Contains(h.GPUs, gpu) {
			h.GPUs = append(h.GPUs, gpu)
		}
	}
	for _, fs := range f.FileSystems {
		if fs.Path == "/var/lib/rancher" {
			h.Free = &fs.AvailBytes
		}
	}
	return h
}

// checkImage prints the answers and gives exit code 4 if the image fails
// anywhere.
func (g *global) checkImage(ctx context.Context, ref string, hosts []image.Host) error {
	var arches []string
	for _, h := range hosts {
		if h.Arch != "" && !slices.Contains(arches, h.Arch) {
			arches = append(arches, h.Arch)
		}
	}
	img, err := image.Reader{}.Read(ctx, ref, arches...)
	if err != nil {
		return err
	}
	failed := false
	for _, h := range hosts {
		r := image.Evaluate(img, h)
		failed = failed || r.Verdict == image.Fail
		if g.json() {
			err = json.NewEncoder(g.env.Out).Encode(r)
		} else {
			_, err = fmt.Fprintln(g.env.Out, r.String())
		}
		if err != nil {
			return err
		}
	}
	if failed {
		return shown{unprovenError{errors.New("the image would not run everywhere")}}
	}
	return nil
}

// unprovenError is a no from a check.
type unprovenError struct{ error }

func (e unprovenError) Unwrap() error { return e.error }
