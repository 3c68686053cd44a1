package image

// Image is what was read of an image.
type Image struct {
	Reference string `json:"reference"` // as it was asked for
	From      string `json:"from"`      // where it was found: a registry's or mirror's host, a folder, an archive
	Digest    string `json:"digest"`    // of the index, or of the manifest where there is no index; "" for an old docker archive
	// Platforms are all that the image has, as "linux/amd64", in the order of its index.
	Platforms []string `json:"platforms"`
	// Variants are those that were read: one for each wanted platform that the image has.
	Variants []Variant `json:"variants"`
}

// Variant is an image for one platform.
type Variant struct {
	Platform string `json:"platform"` // "linux/amd64"
	Arch     string `json:"arch"`     // Go's name
	Digest   string `json:"digest"`   // of its manifest
	Layers   int    `json:"layers"`
	// Compressed is the sum of the compressed layers, what a pull transfers, in bytes; 0 where the archive holds them unpacked.
	Compressed int64 `json:"compressed_bytes,omitempty"`
	// Unpacked is the sum of the layers that the archive holds unpacked, in bytes.
	Unpacked int64 `json:"unpacked_bytes,omitempty"`
	// Env, Labels and History (the commands that built the layers) are the image's own; they are evidence for Says and stay
	// out of JSON because they may be long and may hold what their author forgot to remove.
	Env     []string          `json:"-"`
	Labels  map[string]string `json:"-"`
	History []string          `json:"-"`
}

// For gives the variant that a host of an architecture (Go's name) would pull.
func (i Image) For(arch string) (Variant, bool) {
	for _, v := range i.Variants {
		if v.Arch == arch {
			return v, true
		}
	}
	return Variant{}, false
}
