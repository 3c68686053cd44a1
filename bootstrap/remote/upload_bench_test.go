package remote_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// BenchmarkUpload compares WriteFile with a plain stream over the same
// connection to a real sshd. Both run in turn, so that a busy machine
// slows both; "ratio" is plain time by WriteFile time and should be at
// least 0.9. "synced" has the same promise as WriteFile, that the bytes
// are on the disk; "cached" leaves them in memory.
func BenchmarkUpload(b *testing.B) {
	const size = 64 << 20
	data := bytes.Repeat([]byte("0123456789abcdef"), size/16)
	h := newRealHost(b, "")
	for _, target := range []remote.Target{h.target("root"), h.target("free"), h.asked("asked", realPassword)} {
		c, err := remote.Dial(b.Context(), target)
		must(b, err)
		dir := b.TempDir()
		plain := func(script string) time.Duration {
			start := time.Now()
			_, err := c.Run(b.Context(), remote.Cmd{
				Args: []string{"sh", "-c", script, "x", dir + "/plain"}, Stdin: bytes.NewReader(data), Root: true,
			})
			must(b, err)
			return time.Since(start)
		}
		b.Run(target.User, func(b *testing.B) {
			var cached, synced, file time.Duration
			for b.Loop() {
				cached += plain(`cat >"$1"`)
				synced += plain(`cat >"$1" && sync "$1"`)
				start := time.Now()
				must(b, c.WriteFile(b.Context(), remote.File{Path: dir + "/file", Size: size}, bytes.NewReader(data), nil))
				file += time.Since(start)
			}
			b.ReportMetric(float64(b.N)*size/1e6/file.Seconds(), "MB/s")
			b.ReportMetric(synced.Seconds()/file.Seconds(), "ratio-synced")
			b.ReportMetric(cached.Seconds()/file.Seconds(), "ratio-cached")
			b.ReportMetric(0, "ns/op")
		})
		must(b, c.Close())
	}
}
