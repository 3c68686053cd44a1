package kube

import (
	"fmt"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// Rename takes a kubeconfig as k3s writes it, with everything called "default"
// and the server on 127.0.0.1, and gives it a cluster's name and a server that
// can be reached from elsewhere. Credentials and CA stay.
func Rename(kubeconfig []byte, name, server string) ([]byte, error) {
	in, err := clientcmd.Load(kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("reading the server's kubeconfig: %w", err)
	}
	context, ok := in.Contexts[in.CurrentContext]
	if !ok || in.Clusters[context.Cluster] == nil || in.AuthInfos[context.AuthInfo] == nil {
		return nil, fmt.Errorf("the server's kubeconfig has no complete current context %q", in.CurrentContext)
	}
	out := api.NewConfig()
	cluster := in.Clusters[context.Cluster].DeepCopy()
	cluster.Server = server
	out.Clusters[name] = cluster
	out.AuthInfos[name] = in.AuthInfos[context.AuthInfo]
	out.Contexts[name] = &api.Context{Cluster: name, AuthInfo: name, Namespace: context.Namespace}
	out.CurrentContext = name
	return clientcmd.Write(*out)
}

// Merge puts the cluster, user and context called name of a renamed kubeconfig
// into an existing one, parsed, not pasted. Entries of that name are replaced,
// all others stay, and the current context stays unless use is true or there is
// none.
func Merge(existing, renamed []byte, name string, use bool) ([]byte, error) {
	into, err := clientcmd.Load(existing)
	if err != nil {
		return nil, fmt.Errorf("reading the existing kubeconfig: %w", err)
	}
	from, err := clientcmd.Load(renamed)
	if err != nil {
		return nil, fmt.Errorf("reading the new kubeconfig: %w", err)
	}
	into.Clusters[name] = from.Clusters[name]
	into.AuthInfos[name] = from.AuthInfos[name]
	into.Contexts[name] = from.Contexts[name]
	if use || into.CurrentContext == "" {
		into.CurrentContext = name
	}
	return clientcmd.Write(*into)
}
