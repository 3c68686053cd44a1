package release_test

import (
	"fmt"

	"github.com/gpuboot/gpuboot/bootstrap/release"
)

// A source is what the inventory's k3s.source says; the tag's plus sign is written so that every server reads it as one.
func ExampleParseSource() {
	for _, value := range []string{"", "https://mirror.example/k3s/", "/srv/k3s", "http://mirror.example/k3s"} {
		src, err := release.ParseSource(value)
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Println(src.Kind, src.Origin("v1.36.5+k3s1", "k3s"))
	}
	// Output:
	// upstream https://github.com/k3s-io/k3s/releases/download/v1.36.5%2Bk3s1/k3s
	// mirror https://mirror.example/k3s/v1.36.5%2Bk3s1/k3s
	// file local file /srv/k3s
	// error: reading k3s.source: unusable source: plain http is only for this machine: on the way anybody could alter file and checksum alike
}
