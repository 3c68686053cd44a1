// Package cuda is what is known of NVIDIA's versions: which driver branch speaks which CUDA, which CUDA has code for which
// GPU, which GPU a product name means, and which older drivers a compatibility package in an image takes.
//
// It is tables with dates and sources (see Sources) and lookups in them; it judges no image and no host, and it says
// "not known" instead of guessing. It imports the standard library only, so that anybody can ask it.
package cuda
