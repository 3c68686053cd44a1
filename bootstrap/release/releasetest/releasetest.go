// Package releasetest makes k3s releases for tests: small files that pass for k3s executables, and a web server that
// serves them in the layout of the real release page. Nothing here can be run as k3s.
package releasetest

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Executable gives the header of an ELF file for an architecture ("amd64" or "arm64"), followed by payload.
func Executable(arch, payload string) []byte {
	machine := elf.EM_X86_64
	if arch == "arm64" {
		machine = elf.EM_AARCH64
	}
	head := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(machine), Version: uint32(elf.EV_CURRENT), Ehsize: 64}
	copy(head.Ident[:], elf.ELFMAG)
	head.Ident[elf.EI_CLASS] = byte(elf.ELFCLASS64)
	head.Ident[elf.EI_DATA] = byte(elf.ELFDATA2LSB)
	head.Ident[elf.EI_VERSION] = byte(elf.EV_CURRENT)
	var out bytes.Buffer
	if err := binary.Write(&out, binary.LittleEndian, head); err != nil {
		panic(err) // a fixed struct into memory
	}
	out.WriteString(payload)
	return out.Bytes()
}

// Sum is the SHA-256 of data in lower-case hex.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Files is a release: the executables for both architectures and their lists of checksums, by file name. The lists also
// name an airgap archive that is not there, as the real ones do.
func Files(payload string) map[string][]byte {
	files := map[string][]byte{}
	for _, arch := range []string{"amd64", "arm64"} {
		name := map[string]string{"amd64": "k3s", "arm64": "k3s-arm64"}[arch]
		files[name] = Executable(arch, payload)
		files["sha256sum-"+arch+".txt"] = fmt.Appendf(nil, "%s  k3s-airgap-images-%s.tar.zst\n%s  %s\n",
			Sum([]byte("airgap")), arch, Sum(files[name]), name)
	}
	return files
}

// Folder writes the files of a release into a new folder and returns its path.
func Folder(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A Server serves one release at URL/<tag>/<file>. Set a Handler in Faults to answer for one file in another way; it
// may call Serve in the end.
type Server struct {
	*httptest.Server
	Files  map[string][]byte
	Faults map[string]http.HandlerFunc // by file name; set before the first request

	mu   sync.Mutex
	asks []string
}

// NewServer starts a server on loopback that ends with the test.
func NewServer(t testing.TB, files map[string][]byte) *Server {
	t.Helper()
	s := newServer(t, files)
	s.Start()
	return s
}

// NewTLSServer is NewServer with https; its Client trusts its certificate.
func NewTLSServer(t testing.TB, files map[string][]byte) *Server {
	t.Helper()
	s := newServer(t, files)
	s.StartTLS()
	return s
}

func newServer(t testing.TB, files map[string][]byte) *Server {
	s := &Server{Files: files, Faults: map[string]http.HandlerFunc{}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.handle))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // cut connections and refused certificates are part of the tests
	t.Cleanup(s.Close)
	return s
}

// Asks lists the requests so far as "GET k3s" or "GET k3s bytes=5-", in order.
func (s *Server) Asks() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asks...)
}

// Serve answers with the real file, ranges included.
func (s *Server) Serve(w http.ResponseWriter, r *http.Request) {
	data, ok := s.Files[path.Base(r.URL.Path)]
	if !ok {
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	ask := r.Method + " " + name
	if rng := r.Header.Get("Range"); rng != "" {
		ask += " " + rng
	}
	s.mu.Lock()
	s.asks = append(s.asks, ask)
	s.mu.Unlock()
	if fault, ok := s.Faults[name]; ok {
		fault(w, r)
		return
	}
	s.Serve(w, r)
}
