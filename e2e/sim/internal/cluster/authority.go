package cluster

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// authority is the two CAs of a cluster, for servers and for clients, as k3s
// has them.
type authority struct {
	server, client issuer
	now            time.Time
}

type issuer struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(now time.Time) (*authority, error) {
	a := &authority{now: now}
	for name, into := range map[string]*issuer{"k3s-server-ca": &a.server, "k3s-client-ca": &a.client} {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, fmt.Errorf("making the simulated %s: %w", name, err)
		}
		t := template(fmt.Sprintf("%s@%d", name, now.Unix()), now)
		t.IsCA, t.BasicConstraintsValid, t.KeyUsage = true, true, x509.KeyUsageCertSign|x509.KeyUsageDigitalSignature
		der, err := x509.CreateCertificate(rand.Reader, t, t, key.Public(), key)
		if err != nil {
			return nil, fmt.Errorf("making the simulated %s: %w", name, err)
		}
		cert, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, fmt.Errorf("making the simulated %s: %w", name, err)
		}
		*into = issuer{cert, key}
	}
	return a, nil
}

func template(name string, now time.Time) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(365 * 24 * time.Hour),
	}
}

// issue makes a certificate with its key.
func (i issuer) issue(t *x509.Certificate) (cert, key []byte, err error) {
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, t, i.cert, k.Public(), i.key)
	if err != nil {
		return nil, nil, err
	}
	raw, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		return nil, nil, err
	}
	return encode("CERTIFICATE", der), encode("EC PRIVATE KEY", raw), nil
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// CACerts is the bundle at /cacerts, whose hash tokens pin.
func (c *Cluster) CACerts() []byte { return encode("CERTIFICATE", c.ca.server.cert.Raw) }

// tlsConfig is that of one server's API, good for the names given.
func (c *Cluster) tlsConfig(names []string) (*tls.Config, error) {
	t := template("k3s", c.ca.now)
	t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, n := range append([]string{"127.0.0.1", "localhost", "kubernetes", "kubernetes.default", "10.43.0.1"}, names...) {
		if ip := net.ParseIP(n); ip != nil {
			t.IPAddresses = append(t.IPAddresses, ip)
		} else {
			t.DNSNames = append(t.DNSNames, n)
		}
	}
	certPEM, keyPEM, err := c.ca.server.issue(t)
	if err != nil {
		return nil, fmt.Errorf("issuing the simulated API's certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		return nil, fmt.Errorf("issuing the simulated API's certificate: %w", err)
	}
	clients := x509.NewCertPool()
	clients.AddCert(c.ca.client.cert)
	return &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: clients, ClientAuth: tls.VerifyClientCertIfGiven,
		NextProtos: []string{"h2", "http/1.1"}, MinVersion: tls.VersionTLS12}, nil
}

// Kubeconfig is the admin's, as k3s writes it.
func (c *Cluster) Kubeconfig() ([]byte, error) {
	t := template("system:admin", c.ca.now)
	t.Subject.Organization = []string{"system:masters"}
	t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	cert, key, err := c.ca.client.issue(t)
	if err != nil {
		return nil, fmt.Errorf("issuing the simulated admin's certificate: %w", err)
	}
	var b bytes.Buffer
	in64 := base64.StdEncoding.EncodeToString
	fmt.Fprintf(&b, `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: %s
    server: https://127.0.0.1:6443
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
    client-certificate-data: %s
    client-key-data: %s
`, in64(c.CACerts()), in64(append(cert, encode("CERTIFICATE", c.ca.client.cert.Raw)...)), in64(key))
	return b.Bytes(), nil
}
