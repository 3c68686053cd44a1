// Package pki makes the certificate authorities and certificates of a cluster and the kubeconfig files that use them.
package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"
)

const (
	caLife   = 10 * 365 * 24 * time.Hour
	leafLife = 365 * 24 * time.Hour
	// renewBefore is k3s's rule: a certificate with less left is made anew at start.
	renewBefore = 120 * 24 * time.Hour
)

// Spec says whom a certificate is for.
type Spec struct {
	CN     string
	Orgs   []string
	DNS    []string
	IPs    []net.IP
	Server bool // for serving TLS
	Client bool // for TLS clients
}

// Authority is a loaded certificate authority.
type Authority struct {
	Cert *x509.Certificate
	PEM  []byte
	key  crypto.Signer
}

// EnsureAuthority loads the authority in the two files or makes one.
func EnsureAuthority(name, certFile, keyFile string) (*Authority, error) {
	if _, err := os.Stat(certFile); err != nil {
		if err := makeAuthority(name, certFile, keyFile); err != nil {
			return nil, fmt.Errorf("making %s: %w", certFile, err)
		}
	}
	return LoadAuthority(certFile, keyFile)
}

// LoadAuthority reads an authority.
func LoadAuthority(certFile, keyFile string) (*Authority, error) {
	data, err := os.ReadFile(certFile)
	if err != nil {
		return nil, err
	}
	cert, err := ParseCert(data)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", certFile, err)
	}
	key, err := readKey(keyFile)
	if err != nil {
		return nil, err
	}
	return &Authority{Cert: cert, PEM: data, key: key}, nil
}

func makeAuthority(name, certFile, keyFile string) error {
	key, err := newKey(keyFile)
	if err != nil {
		return err
	}
	now := time.Now().UTC()
	t := &x509.Certificate{
		SerialNumber:          serial(),
		Subject:               pkix.Name{CommonName: fmt.Sprintf("%s@%d", name, now.Unix())},
		NotBefore:             now.Add(-time.Minute),
		NotAfter:              now.Add(caLife),
		KeyUsage:              x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, key.Public(), key)
	if err != nil {
		return err
	}
	return os.WriteFile(certFile, encode("CERTIFICATE", der), 0o644)
}

// Issue makes a certificate for a new key. The certificate's PEM is followed by the authority's, as k3s does.
func (a *Authority) Issue(s Spec) (certPEM, keyPEM []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if keyPEM, err = encodeKey(key); err != nil {
		return nil, nil, err
	}
	certPEM, err = a.sign(s, key.Public())
	return certPEM, keyPEM, err
}

func (a *Authority) sign(s Spec, pub crypto.PublicKey) ([]byte, error) {
	now := time.Now().UTC()
	t := &x509.Certificate{
		SerialNumber: serial(),
		Subject:      pkix.Name{CommonName: s.CN, Organization: s.Orgs},
		DNSNames:     s.DNS,
		IPAddresses:  s.IPs,
		NotBefore:    now.Add(-time.Minute),
		NotAfter:     now.Add(leafLife),
		KeyUsage:     x509.KeyUsageKeyEncipherment | x509.KeyUsageDigitalSignature,
	}
	if s.Server {
		t.ExtKeyUsage = append(t.ExtKeyUsage, x509.ExtKeyUsageServerAuth)
	}
	if s.Client {
		t.ExtKeyUsage = append(t.ExtKeyUsage, x509.ExtKeyUsageClientAuth)
	}
	der, err := x509.CreateCertificate(rand.Reader, t, a.Cert, pub, a.key)
	if err != nil {
		return nil, fmt.Errorf("signing for %s: %w", s.CN, err)
	}
	return append(encode("CERTIFICATE", der), a.PEM...), nil
}

// ParseCert reads the first certificate of a PEM file.
func ParseCert(data []byte) (*x509.Certificate, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("no PEM certificate")
	}
	return x509.ParseCertificate(block.Bytes)
}

func serial() *big.Int {
	n, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 62)) // never fails (crypto/rand)
	return n
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
