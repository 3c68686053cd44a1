package image

import "strings"

type sourceKind int

const (
	fromRegistry sourceKind = iota
	fromDisk
)

// source is where an image's name points.
type source struct {
	kind sourceKind
	path string // of a folder or file; for a registry the image's name
	name string // of one image in a folder or archive, "" for the only one
}

// parseSource reads the forms that Reader.Read describes.
func parseSource(ref string) source {
	for _, prefix := range []string{"oci:", "oci-archive:", "docker-archive:"} {
		rest, ok := strings.CutPrefix(ref, prefix)
		if !ok || strings.HasPrefix(rest, "//") {
			continue
		}
		path, name, _ := strings.Cut(rest, ":") // as in these tools: a path with a colon cannot be written
		return source{fromDisk, path, name}
	}
	for _, prefix := range []string{"/", "./", "../"} {
		if strings.HasPrefix(ref, prefix) {
			return source{fromDisk, ref, ""}
		}
	}
	return source{fromRegistry, strings.TrimPrefix(ref, "docker://"), ""}
}
