package release_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/bootstrap/release/releasetest"
)

// size of a k3s executable, roughly.
const realSize = 75 << 20

// BenchmarkFetch brings a file of a k3s executable's size over loopback into an empty cache, hashing and all.
func BenchmarkFetch(b *testing.B) {
	server := releasetest.NewServer(b, releasetest.Files(strings.Repeat("k3s executable ", realSize/15)))
	src := release.Source{Kind: release.Mirror, URL: server.URL}
	b.SetBytes(realSize)
	for b.Loop() {
		store := &release.Store{CacheDir: b.TempDir(), Client: server.Client(), Now: time.Now}
		if _, err := store.K3s(b.Context(), tag, "amd64", src, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCached is what a run pays once when the cache has the file: reading and hashing it, and without a
// lock file one question for the list of checksums.
func BenchmarkCached(b *testing.B) {
	server := releasetest.NewServer(b, releasetest.Files(strings.Repeat("k3s executable ", realSize/15)))
	src := release.Source{Kind: release.Mirror, URL: server.URL}
	store := &release.Store{CacheDir: b.TempDir(), Client: server.Client()}
	if _, err := store.K3s(b.Context(), tag, "amd64", src, nil); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(realSize)
	for b.Loop() {
		store := &release.Store{CacheDir: store.CacheDir, Client: store.Client}
		if _, err := store.K3s(b.Context(), tag, "amd64", src, nil); err != nil {
			b.Fatal(err)
		}
	}
}
