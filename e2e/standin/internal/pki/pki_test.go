package pki

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"testing"
)

func TestALeafIsKeptUntilItNoLongerFits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	ca, err := EnsureAuthority("one", at("ca.crt"), at("ca.key"))
	if err != nil {
		t.Fatal(err)
	}
	spec := Spec{CN: "kube-apiserver", DNS: []string{"a"}, IPs: []net.IP{net.IPv4(127, 0, 0, 1)}, Server: true}
	read := func(by *Authority) []byte {
		t.Helper()
		if err := by.EnsureLeaf(spec, at("leaf.crt"), at("leaf.key")); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(at("leaf.crt"))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	first := read(ca)
	if !bytes.Equal(first, read(ca)) {
		t.Error("made anew without a reason")
	}
	spec.DNS = append(spec.DNS, "b")
	second := read(ca)
	cert, err := ParseCert(second)
	if err != nil || cert.VerifyHostname("b") != nil || bytes.Equal(first, second) {
		t.Errorf("a new name is not in the certificate: %v", err)
	}
	other, err := EnsureAuthority("two", at("ca2.crt"), at("ca2.key"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(second, read(other)) {
		t.Error("kept although another authority signs")
	}
	if info, err := os.Stat(at("leaf.key")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("key: %v, %v", info, err)
	}
}

func TestSplitPartsChainAndKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ca, err := EnsureAuthority("one", filepath.Join(dir, "ca.crt"), filepath.Join(dir, "ca.key"))
	if err != nil {
		t.Fatal(err)
	}
	cert, key, err := ca.Issue(Spec{CN: "x", Client: true})
	if err != nil {
		t.Fatal(err)
	}
	gotCert, gotKey, err := Split(append(bytes.Clone(cert), key...))
	if err != nil || !bytes.Equal(gotCert, cert) || !bytes.Equal(gotKey, key) {
		t.Errorf("parted wrongly: %v", err)
	}
	if _, _, err := Split(cert); err == nil {
		t.Error("a chain without a key was taken")
	}
}

func TestKubeconfigIsPrivate(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "k")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := (Kubeconfig{URL: "https://x", CA: "a", Cert: "b", Key: "c", Inline: true}).Write(file); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	info, err2 := os.Stat(file)
	if err != nil || err2 != nil || info.Mode().Perm() != 0o600 || !bytes.Contains(data, []byte("client-key-data: c")) {
		t.Errorf("%v %v %v\n%s", err, err2, info.Mode(), data)
	}
}
