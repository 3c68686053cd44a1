// Package image answers whether an image will run on a host before anything is pulled: it reads an image's manifest and
// configuration (from a registry, a folder or an archive; never a layer) and judges what they say against what is known of
// the host's driver, GPUs, architecture and disk.
//
// Reader.Read does the reading. Evaluate is a pure function of what was read and of a Host. An answer is OK, warn, fail or
// unknown, each with its reason and, where there is one, the nearest fix; what cannot be known from an image's
// configuration is said to be unknown. The package asks no host and no cluster, and draws nothing.
package image
