package remote_test

import (
	"bytes"
	"net"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// BenchmarkSFTP is the other way to upload that was weighed: pkg/sftp with
// concurrent writes, fsync and rename, against a plain stream over the same
// connection. It needs a login that owns the target, so through sudo it would
// only reach a temporary folder, and a second command would have to move the
// file: that is why WriteFile streams.
func BenchmarkSFTP(b *testing.B) {
	const size = 64 << 20
	data := bytes.Repeat([]byte("0123456789abcdef"), size/16)
	client := sshClient(b, newRealHost(b, "").target("root"))
	files, err := sftp.NewClient(client, sftp.UseConcurrentWrites(true))
	must(b, err)
	defer files.Close()
	dir := b.TempDir()
	var plain, upload time.Duration
	for b.Loop() {
		start := time.Now()
		session, err := client.NewSession()
		must(b, err)
		session.Stdin = bytes.NewReader(data)
		must(b, session.Run("cat >"+dir+"/plain && sync "+dir+"/plain"))
		plain += time.Since(start)

		start = time.Now()
		must(b, put(files, dir+"/file", data))
		upload += time.Since(start)
	}
	b.ReportMetric(float64(b.N)*size/1e6/upload.Seconds(), "MB/s")
	b.ReportMetric(plain.Seconds()/upload.Seconds(), "ratio-synced")
	b.ReportMetric(0, "ns/op")
}

func put(files *sftp.Client, path string, data []byte) error {
	f, err := files.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.ReadFromWithConcurrency(bytes.NewReader(data), 64); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return files.PosixRename(path+".new", path)
}

// sshClient logs in without package remote, whose connections have no SFTP.
func sshClient(b *testing.B, t remote.Target) *ssh.Client {
	b.Helper()
	pem, err := os.ReadFile(t.IdentityFiles[0])
	must(b, err)
	key, err := ssh.ParsePrivateKey(pem)
	must(b, err)
	client, err := ssh.Dial("tcp", net.JoinHostPort(t.Address, strconv.Itoa(t.Port)), &ssh.ClientConfig{
		User: t.User, Auth: []ssh.AuthMethod{ssh.PublicKeys(key)},
		HostKeyCallback: ssh.InsecureIgnoreHostKey(), // the server was started by this test, on loopback
	})
	must(b, err)
	b.Cleanup(func() { client.Close() })
	return client
}
