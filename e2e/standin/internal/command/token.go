package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	bootstrapapi "k8s.io/cluster-bootstrap/token/api"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/config"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/layout"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/token"
)

const apiLimit = 30 * time.Second

// joiners is the group of bootstrap tokens that k3s's agents use.
const joiners = "system:bootstrappers:k3s:default-node-token"

func runToken(args []string) error {
	if len(args) == 0 {
		return errors.New("token needs one of create, list, delete, generate")
	}
	v, err := load(config.Token(), args[1:])
	if err != nil {
		return err
	}
	if args[0] == "generate" {
		fmt.Println(token.NewBootstrap())
		return nil
	}
	kubeconfig := v.String("kubeconfig")
	if kubeconfig == "" {
		kubeconfig = layout.Kubeconfig
	}
	if _, err := os.Stat(kubeconfig); err != nil {
		return err // on an agent: stat /etc/rancher/k3s/k3s.yaml: no such file or directory
	}
	conf, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(conf)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), apiLimit)
	defer cancel()
	switch args[0] {
	case "create":
		return createToken(ctx, client, v, conf.CAData)
	case "list", "ls":
		return listTokens(ctx, client)
	case "delete":
		return deleteTokens(ctx, client, v.Args)
	default:
		return fmt.Errorf("the stand-in has no token %s", args[0])
	}
}

func createToken(ctx context.Context, client kubernetes.Interface, v config.Values, ca []byte) error {
	text := token.NewBootstrap()
	if len(v.Args) > 0 {
		text = v.Args[0]
	}
	t, err := token.Parse(text)
	if err != nil || t.Bootstrap == "" {
		return fmt.Errorf("the bootstrap token %q was not of the form id.secret", text)
	}
	id, secret, _ := strings.Cut(t.Bootstrap, ".")
	data := map[string]string{
		bootstrapapi.BootstrapTokenIDKey: id, bootstrapapi.BootstrapTokenSecretKey: secret,
		bootstrapapi.BootstrapTokenDescriptionKey:      v.String("description"),
		bootstrapapi.BootstrapTokenUsageAuthentication: "true", bootstrapapi.BootstrapTokenUsageSigningKey: "true",
		bootstrapapi.BootstrapTokenExtraGroupsKey: joiners,
	}
	if ttl := v.Duration("ttl"); ttl > 0 {
		data[bootstrapapi.BootstrapTokenExpirationKey] = time.Now().UTC().Add(ttl).Format(time.RFC3339)
	}
	_, err = client.CoreV1().Secrets(metav1.NamespaceSystem).Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: bootstrapapi.BootstrapTokenSecretPrefix + id, Namespace: metav1.NamespaceSystem},
		Type:       bootstrapapi.SecretTypeBootstrapToken,
		StringData: data,
	}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("creating the token: %w", err)
	}
	t.CAHash = token.HashCA(ca)
	fmt.Println(t)
	return nil
}

func listTokens(ctx context.Context, client kubernetes.Interface) error {
	secrets, err := client.CoreV1().Secrets(metav1.NamespaceSystem).List(ctx, metav1.ListOptions{
		FieldSelector: "type=" + string(bootstrapapi.SecretTypeBootstrapToken),
	})
	if err != nil {
		return fmt.Errorf("listing tokens: %w", err)
	}
	w := tabwriter.NewWriter(os.Stdout, 10, 4, 3, ' ', 0)
	_, _ = fmt.Fprintln(w, "TOKEN\tEXPIRES\tUSAGES\tDESCRIPTION")
	for _, s := range secrets.Items {
		expires := string(s.Data[bootstrapapi.BootstrapTokenExpirationKey])
		if expires == "" {
			expires = "<never>"
		}
		_, _ = fmt.Fprintf(w, "%s.<redacted>\t%s\tauthentication,signing\t%s\n", s.Data[bootstrapapi.BootstrapTokenIDKey], expires,
			s.Data[bootstrapapi.BootstrapTokenDescriptionKey])
	}
	return w.Flush()
}

func deleteTokens(ctx context.Context, client kubernetes.Interface, names []string) error {
	if len(names) == 0 {
		return errors.New("missing argument; 'token delete' is missing token")
	}
	for _, name := range names {
		id, _, _ := strings.Cut(name, ".")
		err := client.CoreV1().Secrets(metav1.NamespaceSystem).Delete(ctx, bootstrapapi.BootstrapTokenSecretPrefix+id, metav1.DeleteOptions{})
		if err != nil {
			return fmt.Errorf("deleting token %s: %w", id, err)
		}
		fmt.Printf("bootstrap token %q deleted\n", id)
	}
	return nil
}
