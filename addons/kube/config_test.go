package kube

import (
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
)

const k3sConfig = `apiVersion: v1
kind: Config
clusters: [{name: default, cluster: {server: "https://127.0.0.1:6443", certificate-authority-data: Y2E=}}]
users: [{name: default, user: {client-certificate-data: Y2VydA==, client-key-data: a2V5}}]
contexts: [{name: default, context: {cluster: default, user: default}}]
current-context: default
`

const usersConfig = `apiVersion: v1
kind: Config
clusters: [{name: work, cluster: {server: "https://work:6443"}}, {name: lab, cluster: {server: "https://old:6443"}}]
users: [{name: work, user: {token: t}}]
contexts: [{name: work, context: {cluster: work, user: work, namespace: team}}]
current-context: work
`

func TestRenameKeepsCAAndCredentials(t *testing.T) {
	t.Parallel()
	out, err := Rename([]byte(k3sConfig), "lab", "https://10.0.0.1:6443")
	if err != nil {
		t.Fatal(err)
	}
	c, err := clientcmd.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	if c.CurrentContext != "lab" || c.Clusters["lab"].Server != "https://10.0.0.1:6443" || string(c.Clusters["lab"].CertificateAuthorityData) != "ca" ||
		string(c.AuthInfos["lab"].ClientKeyData) != "key" || strings.Contains(string(out), "default") {
		t.Errorf("%s", out)
	}
}

func TestMergeSwitchesOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	lab, err := Rename([]byte(k3sConfig), "lab", "https://10.0.0.1:6443")
	if err != nil {
		t.Fatal(err)
	}
	for use, want := range map[bool]string{false: "work", true: "lab"} {
		out, err := Merge([]byte(usersConfig), lab, "lab", use)
		if err != nil {
			t.Fatal(err)
		}
		c, err := clientcmd.Load(out)
		if err != nil {
			t.Fatal(err)
		}
		if c.CurrentContext != want || c.AuthInfos["work"].Token != "t" || c.Contexts["work"].Namespace != "team" || c.Clusters["lab"].Server != "https://10.0.0.1:6443" {
			t.Errorf("use=%v:\n%s", use, out)
		}
	}
	out, err := Merge(nil, lab, "lab", false)
	if c, _ := clientcmd.Load(out); err != nil || c.CurrentContext != "lab" {
		t.Errorf("into nothing: %v\n%s", err, out)
	}
	if _, err := Merge([]byte("{broken"), lab, "lab", false); err == nil {
		t.Error("a broken kubeconfig was overwritten")
	}
}

func TestRenameRefusesAnIncompleteConfig(t *testing.T) {
	t.Parallel()
	if _, err := Rename([]byte("apiVersion: v1\nkind: Config\n"), "lab", "https://x"); err == nil {
		t.Error("no error")
	}
}
