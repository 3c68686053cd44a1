package server

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"

	"github.com/sirupsen/logrus"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/pki"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/supervisor"
)

// serve answers on the public port until ctx ends.
func serve(ctx context.Context, l net.Listener, front *supervisor.Supervisor, d layout.Dir, failed chan<- error) error {
	cert, err := tls.LoadX509KeyPair(d.TLS("serving-kube-apiserver.crt"), d.TLS("serving-kube-apiserver.key"))
	if err != nil {
		return err
	}
	srv := &http.Server{
		Handler: front.Handler(),
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{cert},
			ClientAuth:   tls.RequestClientCert, // whoever answers a request verifies it
			NextProtos:   []string{"h2", "http/1.1"},
			MinVersion:   tls.VersionTLS12,
		},
		ErrorLog: log.New(io.Discard, "", 0), // every port scan would be a line
	}
	go func() {
		if err := srv.ServeTLS(l, "", ""); !errors.Is(err, http.ErrServerClosed) {
			failed <- fmt.Errorf("serving the supervisor port: %w", err)
		}
	}()
	go func() {
		<-ctx.Done()
		_ = srv.Close()
	}()
	return nil
}

// writeKubeconfig writes the administrator's kubeconfig, and a link to it where k3s's default is when it lies elsewhere.
func (s Settings) writeKubeconfig() error {
	k := pki.Kubeconfig{URL: fmt.Sprintf("https://127.0.0.1:%d", s.Port), Inline: true}
	for _, f := range []struct {
		field *string
		path  string
	}{{&k.CA, "server-ca.crt"}, {&k.Cert, "client-admin.crt"}, {&k.Key, "client-admin.key"}} {
		data, err := os.ReadFile(s.Dir.TLS(f.path))
		if err != nil {
			return err
		}
		*f.field = base64.StdEncoding.EncodeToString(data)
	}
	path := s.Values.String("write-kubeconfig")
	if err := os.MkdirAll("/etc/rancher/k3s", 0o755); err != nil {
		return err
	}
	if path == "" {
		path = layout.Kubeconfig
	} else if err := relink(path, layout.Kubeconfig); err != nil {
		return err
	}
	if err := k.Write(path); err != nil {
		return fmt.Errorf("writing kubeconfig: %w", err)
	}
	if text := s.Values.String("write-kubeconfig-mode"); text != "" {
		mode, err := strconv.ParseUint(text, 8, 32)
		if err != nil {
			return fmt.Errorf("invalid write-kubeconfig-mode: %w", err)
		}
		if err := os.Chmod(path, os.FileMode(mode)); err != nil {
			return err
		}
	}
	logrus.Infof("Wrote kubeconfig %s", path)
	return nil
}

func relink(target, link string) error {
	if err := os.Remove(link); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.Symlink(target, link)
}
