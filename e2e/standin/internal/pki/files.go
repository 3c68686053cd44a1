package pki

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"text/template"
	"time"
)

// EnsureLeaf writes certificate and key unless the files already hold a fitting pair: signed by this authority, long enough
// valid, with every name of the spec.
func (a *Authority) EnsureLeaf(s Spec, certFile, keyFile string) error {
	if data, err := os.ReadFile(certFile); err == nil {
		if cert, err := ParseCert(data); err == nil && a.fits(cert, s) {
			if _, err := os.Stat(keyFile); err == nil {
				return nil
			}
		}
	}
	certPEM, keyPEM, err := a.Issue(s)
	if err != nil {
		return err
	}
	if err := os.WriteFile(keyFile, keyPEM, 0o600); err != nil {
		return err
	}
	return os.WriteFile(certFile, certPEM, 0o644)
}

func (a *Authority) fits(cert *x509.Certificate, s Spec) bool {
	if cert.CheckSignatureFrom(a.Cert) != nil || time.Until(cert.NotAfter) < renewBefore || cert.Subject.CommonName != s.CN {
		return false
	}
	for _, name := range s.DNS {
		if !slices.Contains(cert.DNSNames, name) {
			return false
		}
	}
	return !slices.ContainsFunc(s.IPs, func(ip net.IP) bool {
		return !slices.ContainsFunc(cert.IPAddresses, ip.Equal)
	})
}

// EnsureKey writes a private key for signing service account tokens unless there is one.
func EnsureKey(file string) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	_, err := newKey(file)
	return err
}

func newKey(file string) (crypto.Signer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	data, err := encodeKey(key)
	if err != nil {
		return nil, err
	}
	return key, os.WriteFile(file, data, 0o600)
}

func encodeKey(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return encode("EC PRIVATE KEY", der), nil
}

func readKey(file string) (crypto.Signer, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("reading %s: no PEM key", file)
	}
	if key, err := x509.ParseECPrivateKey(block.Bytes); err == nil {
		return key, nil
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("reading %s: the key cannot sign", file)
	}
	return signer, nil
}

// Split parts a PEM file of a certificate chain and a key.
func Split(data []byte) (certPEM, keyPEM []byte, err error) {
	for {
		var block *pem.Block
		if block, data = pem.Decode(data); block == nil {
			break
		}
		if strings.Contains(block.Type, "PRIVATE KEY") {
			keyPEM = append(keyPEM, pem.EncodeToMemory(block)...)
		} else {
			certPEM = append(certPEM, pem.EncodeToMemory(block)...)
		}
	}
	if certPEM == nil || keyPEM == nil {
		return nil, nil, errors.New("not a certificate and its key")
	}
	return certPEM, keyPEM, nil
}

// Kubeconfig is a client's access to an API server. CA, Cert and Key are paths, or base64 text when Inline.
type Kubeconfig struct {
	URL, CA, Cert, Key string
	Inline             bool
}

// Write writes the kubeconfig with mode 0600.
func (k Kubeconfig) Write(file string) error {
	suffix := ""
	if k.Inline {
		suffix = "-data"
	}
	var out bytes.Buffer
	if err := kubeconfigText().Execute(&out, struct {
		Kubeconfig
		Suffix string
	}{k, suffix}); err != nil {
		return err
	}
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Chmod(file, 0o600)
}

func kubeconfigText() *template.Template {
	return template.Must(template.New("kubeconfig").Parse(`apiVersion: v1
clusters:
- cluster:
    certificate-authority{{.Suffix}}: {{.CA}}
    server: {{.URL}}
  name: default
contexts:
- context:
    cluster: default
    user: default
  name: default
current-context: default
kind: Config
users:
- name: default
  user:
    client-certificate{{.Suffix}}: {{.Cert}}
    client-key{{.Suffix}}: {{.Key}}
`))
}
