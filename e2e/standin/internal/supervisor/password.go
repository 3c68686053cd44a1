package supervisor

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/sirupsen/logrus"
	"golang.org/x/crypto/scrypt"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
)

// PasswordSecret is the name of the secret, in kube-system, that binds a node's name to the host that first used it.
func PasswordSecret(node string) string { return strings.ToLower(node) + ".node-password.k3s" }

// EnsureOwn binds this server's name to its password once the API server can keep it: its own kubelet was served before.
func (s *Supervisor) EnsureOwn(ctx context.Context) {
	api, pass := s.api.Load(), ""
	if data, err := os.ReadFile(layout.NodePassword); err == nil {
		pass = strings.TrimSpace(string(data))
	}
	if api == nil || pass == "" {
		return
	}
	if err := ensurePassword(ctx, api.Client.CoreV1().Secrets(metav1.NamespaceSystem), s.NodeName, pass); err != nil {
		logrus.Errorf("unable to verify password for node %s: %v", s.NodeName, err)
	}
}

// ensurePassword compares a node's password with the one its name is bound to, or binds it. A wrong one is 403.
func ensurePassword(ctx context.Context, secrets typed.SecretInterface, node, pass string) *Refusal {
	secret, err := secrets.Get(ctx, PasswordSecret(node), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		immutable := true
		secret, err = secrets.Create(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: PasswordSecret(node), Namespace: metav1.NamespaceSystem},
			Immutable:  &immutable,
			Data:       map[string][]byte{"hash": []byte(hashPassword(pass))},
		}, metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			secret, err = secrets.Get(ctx, PasswordSecret(node), metav1.GetOptions{})
		}
	}
	if err != nil {
		return &Refusal{http.StatusInternalServerError, err.Error()}
	}
	if !matches(string(secret.Data["hash"]), pass) {
		return &Refusal{http.StatusForbidden, fmt.Sprintf("unable to verify hash for node '%s': hash does not match", node)}
	}
	return nil
}

// The hash is k3s's: "$1:<salt>:<log2 N>:<r>:<p>:<hash>" with scrypt.
const (
	hashLog2N, hashR, hashP = 15, 8, 1
	hashSalt, hashLen       = 8, 64
)

func hashPassword(pass string) string {
	salt := make([]byte, hashSalt)
	_, _ = rand.Read(salt) // never fails (crypto/rand)
	return fmt.Sprintf("$1:%s:%d:%d:%d:%s", hex.EncodeToString(salt), hashLog2N, hashR, hashP, derive(pass, salt, hashLog2N))
}

func derive(pass string, salt []byte, log2N int) string {
	key, err := scrypt.Key([]byte(pass), salt, 1<<log2N, hashR, hashP, hashLen)
	if err != nil { // only for parameters out of range, and those are checked
		return ""
	}
	return base64.RawStdEncoding.EncodeToString(key)
}

func matches(hash, pass string) bool {
	f := strings.Split(hash, ":")
	if len(f) != 6 || f[0] != "$1" {
		return false
	}
	salt, err := hex.DecodeString(f[1])
	log2N, err2 := strconv.Atoi(f[2])
	if err != nil || err2 != nil || log2N < 1 || log2N > 20 {
		return false
	}
	return subtle.ConstantTimeCompare([]byte(derive(pass, salt, log2N)), []byte(f[5])) == 1
}
