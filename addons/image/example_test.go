package image_test

import (
	"fmt"

	"github.com/gpuboot/gpuboot/addons/image"
)

// An image of CUDA 13 on a machine with an older driver. Reader.Read gives the image; here it is written down.
func ExampleEvaluate() {
	host, err := image.ParseHost("535.104.12", "NVIDIA GeForce RTX 4090", "amd64")
	if err != nil {
		fmt.Println(err)
		return
	}
	img := image.Image{Reference: "team/model:1", Platforms: []string{"linux/amd64"}, Variants: []image.Variant{{
		Platform: "linux/amd64", Arch: "amd64", Env: []string{"CUDA_VERSION=13.0.2", "NV_CUDA_CUDART_VERSION=13.0.96-1"},
	}}}
	fmt.Println(image.Evaluate(img, host))
	img.Variants[0].Env = []string{"CUDA_VERSION=12.2.2"}
	fmt.Println(image.Evaluate(img, host))
	// Output:
	// fail: CUDA 13.0 needs a newer driver than driver 535.104.12 (CUDA 12.2); compatibility packages do not work on GeForce (error 804) (fix: a driver of branch R580 or newer (from 580.65.06; R580 is maintained until 2028-06), or an image built for CUDA 12.2 or older)
	// ok: driver 535.104.12 (CUDA 12.2) runs an image of CUDA 12.2
}
