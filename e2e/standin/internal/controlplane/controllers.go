package controlplane

import (
	"context"

	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	cmoptions "k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
	schedapp "k8s.io/kubernetes/cmd/kube-scheduler/app"
	schedoptions "k8s.io/kubernetes/cmd/kube-scheduler/app/options"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/kubeargs"
)

// newControllerManager gives the function that runs the kube-controller-manager until ctx ends.
func (s Settings) newControllerManager() (func(context.Context) error, error) {
	opts, err := cmoptions.NewKubeControllerManagerOptions()
	if err != nil {
		return nil, err
	}
	flags := opts.Flags(app.KnownControllers(), app.ControllersDisabledByDefault(), app.ControllerAliases())
	opts.ParsedFlags = &flags
	if err := parse("kube-controller-manager", flags, kubeargs.Merge(s.controllerArgs(), s.ControllerArgs)); err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		conf, err := opts.Config(ctx, app.KnownControllers(), app.ControllersDisabledByDefault(), app.ControllerAliases())
		if err != nil {
			return err
		}
		return app.Run(ctx, conf.Complete())
	}, nil
}

func (s Settings) controllerArgs() map[string]string {
	kubeconfig := s.Dir.Cred("controller.kubeconfig")
	args := map[string]string{
		"allocate-node-cidrs":              "true",
		"authentication-kubeconfig":        kubeconfig,
		"authorization-kubeconfig":         kubeconfig,
		"kubeconfig":                       kubeconfig,
		"bind-address":                     "127.0.0.1",
		"secure-port":                      "10257",
		"cluster-cidr":                     s.ClusterCIDR,
		"configure-cloud-routes":           "false",
		"controllers":                      "*,tokencleaner",
		"profiling":                        "false",
		"root-ca-file":                     s.Dir.TLS("server-ca.crt"),
		"service-account-private-key-file": s.Dir.TLS("service.current.key"),
		"service-cluster-ip-range":         s.ServiceCIDR,
		"tls-cert-file":                    s.Dir.TLS("serving-kube-apiserver.crt"),
		"tls-private-key-file":             s.Dir.TLS("serving-kube-apiserver.key"),
		"use-service-account-credentials":  "true",
	}
	for usage, ca := range map[string]string{"kubelet-client": "client-ca", "kube-apiserver-client": "client-ca",
		"legacy-unknown": "server-ca", "kubelet-serving": "server-ca"} {
		args["cluster-signing-"+usage+"-cert-file"] = s.Dir.TLS(ca + ".crt")
		args["cluster-signing-"+usage+"-key-file"] = s.Dir.TLS(ca + ".key")
	}
	if s.ExternalCloud {
		args["cloud-provider"] = "external"
		args["controllers"] += ",-service,-route,-cloud-node-lifecycle"
	}
	return args
}

// newScheduler gives the function that runs the kube-scheduler until ctx ends.
func (s Settings) newScheduler() (func(context.Context) error, error) {
	opts := schedoptions.NewOptions()
	kubeconfig := s.Dir.Cred("scheduler.kubeconfig")
	args := kubeargs.Merge(map[string]string{
		"authentication-kubeconfig": kubeconfig,
		"authorization-kubeconfig":  kubeconfig,
		"kubeconfig":                kubeconfig,
		"bind-address":              "127.0.0.1",
		"secure-port":               "10259",
		"profiling":                 "false",
		"tls-cert-file":             s.Dir.TLS("serving-kube-apiserver.crt"),
		"tls-private-key-file":      s.Dir.TLS("serving-kube-apiserver.key"),
	}, s.SchedulerArgs)
	if err := parse("kube-scheduler", *opts.Flags, args); err != nil {
		return nil, err
	}
	return func(ctx context.Context) error {
		conf, scheduler, err := schedapp.Setup(ctx, opts)
		if err != nil {
			return err
		}
		return schedapp.Run(ctx, conf, scheduler)
	}, nil
}
