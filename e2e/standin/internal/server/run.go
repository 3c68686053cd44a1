package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"github.com/sirupsen/logrus"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/gpuboot/gpuboot/e2e/standin/internal/bootdata"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/controlplane"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/datastore"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/nodes"
	"github.com/gpuboot/gpuboot/e2e/standin/internal/supervisor"
)

// Hooks are what the server needs from the rest of the program.
type Hooks struct {
	Agent func(context.Context) error // runs this host's agent; nil on a server without one
	Ready func()                      // tells systemd
}

const (
	// stopWithin bounds how long etcd and the API server may take to end.
	stopWithin = 8 * time.Second
	// drainAPI is what the API server gets of that: it would wait a minute for its watches.
	drainAPI = time.Second
)

// Run is the server's life. It returns nil when ctx ends it.
func Run(ctx context.Context, s Settings, hooks Hooks) error {
	if s.Values.Bool("cluster-reset") {
		return s.reset(ctx)
	}
	if err := s.Dir.MakeServer(); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(s.Values.String("bind-address"), strconv.Itoa(s.Port)))
	if err != nil {
		return preparing(err)
	}
	p, err := s.prepare(ctx)
	if err != nil {
		return preparing(err)
	}
	if err := s.writeTokens(); err != nil {
		return preparing(err)
	}
	if err := s.writeKubeconfig(); err != nil {
		return preparing(err)
	}
	failed := make(chan error, 8)
	front := s.supervisor()
	if err := serve(ctx, listener, front, s.Dir, failed); err != nil {
		return preparing(err)
	}
	plane, err := s.controlPlane().Read()
	if err != nil {
		return fmt.Errorf("starting kubernetes: %w", err)
	}
	if hooks.Agent != nil {
		controlplane.Run(ctx, "agent", failed, hooks.Agent)
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		if err := s.runCluster(ctx, cluster{p, plane, front, hooks.Ready, failed}); err != nil && ctx.Err() == nil {
			failed <- err
		}
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	select {
	case <-stopped:
	case <-time.After(stopWithin):
	}
	return nil
}

func preparing(err error) error { return fmt.Errorf("starting kubernetes: preparing server: %w", err) }

func (s Settings) supervisor() *supervisor.Supervisor {
	return &supervisor.Supervisor{Dir: s.Dir, NodeName: s.NodeName, Control: s.Control, User: s.user,
		SnapshotDir: s.snapshotDir(), Clustered: s.clustered()}
}

// clustered tells whether this is k3s's embedded etcd. Without it k3s uses SQLite; the stand-in uses a lone etcd member but
// behaves as if there were none: no etcd role, no joining, no snapshots.
func (s Settings) clustered() bool { return s.ClusterInit || s.JoinURL != "" }

func (s Settings) snapshotDir() string {
	if dir := s.Values.String("etcd-snapshot-dir"); dir != "" {
		return dir
	}
	return s.Dir.Server("db", "snapshots")
}

// cluster is what runCluster needs.
type cluster struct {
	prepared
	plane  controlplane.Plane
	front  *supervisor.Supervisor
	ready  func()
	failed chan<- error
}

// runCluster runs etcd and the control plane until ctx ends, etcd last.
func (s Settings) runCluster(ctx context.Context, c cluster) error {
	store, err := c.start(ctx)
	if err != nil {
		return preparing(err)
	}
	defer store.Close()
	c.front.Store.Store(store)
	go s.watchMember(ctx, store, c.failed)
	if s.JoinURL == "" {
		if err := s.saveBootstrap(ctx, store, c.password); err != nil {
			return preparing(err)
		}
	}
	go store.ManageLearners(ctx)
	api, err := c.plane.NewAPIServer(ctx)
	if err != nil {
		return fmt.Errorf("starting kubernetes: %w", err)
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	c.front.Built(&supervisor.API{Handler: api.Handler, Authenticator: api.Authenticator, Client: client})
	ended := make(chan struct{})
	controlplane.Run(ctx, "kube-apiserver", c.failed, func(ctx context.Context) error {
		defer close(ended)
		return api.Run(ctx)
	})
	if err := s.whenReady(ctx, c, client, store); err != nil {
		return err
	}
	<-ctx.Done()
	select {
	case <-ended:
	case <-time.After(drainAPI):
	}
	return nil
}

func (s Settings) saveBootstrap(ctx context.Context, store *datastore.Store, password string) error {
	data, err := bootdata.Read(s.Dir)
	if err != nil {
		return err
	}
	return store.SaveBootstrap(ctx, password, data)
}

// watchMember ends the server when etcd ends, except when the cluster removed this member: then k3s goes on without a
// datastore until someone restarts it, and the restart joins anew.
func (s Settings) watchMember(ctx context.Context, store *datastore.Store, failed chan<- error) {
	removed, err := store.Wait()
	switch {
	case err != nil:
		failed <- fmt.Errorf("etcd ended: %w", err)
	case !removed || ctx.Err() != nil:
	default:
		if err := s.store().Bury(); err != nil {
			failed <- err
			return
		}
		logrus.Infof("this node has been removed from the cluster please restart k3s to rejoin the cluster")
	}
}

func (s Settings) whenReady(ctx context.Context, c cluster, client kubernetes.Interface, store *datastore.Store) error {
	if err := waitReady(ctx, client); err != nil {
		return err
	}
	c.front.Ready()
	if !s.Values.Bool("disable-controller-manager") {
		controlplane.RunOn(ctx, "kube-controller-manager", c.failed, c.plane.RunController)
	}
	if !s.Values.Bool("disable-scheduler") {
		controlplane.RunOn(ctx, "kube-scheduler", c.failed, c.plane.RunScheduler)
	}
	if err := nodes.CreateObjects(ctx, client, s.Disable); err != nil {
		return err
	}
	if !s.Values.Bool("disable-agent") {
		go c.front.EnsureOwn(ctx)
	}
	keeper := &nodes.Keeper{Client: client, NodeName: s.NodeName, Address: s.IPs[0].String(), Store: store,
		Clustered: s.clustered(), Cloud: !s.Control.DisableCCM}
	go keeper.Run(ctx)
	if s.clustered() {
		go keeper.WatchVoter(ctx)
	}
	logrus.Info("k3s is up and running")
	c.ready()
	return nil
}

func (s Settings) controlPlane() controlplane.Settings {
	advertise := s.Values.String("advertise-address")
	if advertise == "" {
		advertise = s.IPs[0].String()
	}
	return controlplane.Settings{
		Dir: s.Dir, AdvertiseAddress: advertise, HTTPSPort: s.Port, ServiceCIDR: s.Control.ServiceIPRanges[0],
		ClusterCIDR: s.Control.ClusterIPRanges[0], ClusterDomain: s.Control.ClusterDomain,
		ServiceNodePortRange: s.Control.ServiceNodePortRange, ExternalCloud: !s.Control.DisableCCM,
		APIServerArgs: s.Values.Strings("kube-apiserver-arg"), ControllerArgs: s.Values.Strings("kube-controller-manager-arg"),
		SchedulerArgs: s.Values.Strings("kube-scheduler-arg"),
	}
}

func (s Settings) client() (kubernetes.Interface, error) {
	conf, err := clientcmd.BuildConfigFromFlags("", s.Dir.Cred("supervisor.kubeconfig"))
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(conf)
}

// waitReady polls the API server's own readiness; the loop ends with ctx, as k3s has no deadline here either.
func waitReady(ctx context.Context, client kubernetes.Interface) error {
	for {
		result := client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx)
		if result.Error() == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// reset is `k3s server --cluster-reset`: this member becomes the only one, from a snapshot if one is named.
func (s Settings) reset(ctx context.Context) error {
	snapshot := s.Values.String("cluster-reset-restore-path")
	if snapshot == "" && !s.store().Initialized() {
		return preparing(errors.New("cluster-reset needs a datastore"))
	}
	if snapshot != "" && !filepath.IsAbs(snapshot) {
		snapshot = filepath.Join(s.snapshotDir(), snapshot)
	}
	if err := s.Dir.MakeServer(); err != nil {
		return err
	}
	if err := s.ensureAuthorities(); err != nil {
		return preparing(err)
	}
	if err := s.ensureLeaves(); err != nil {
		return preparing(err)
	}
	if err := s.store().Reset(ctx, snapshot, time.Now()); err != nil {
		return preparing(err)
	}
	logrus.Info("Managed etcd cluster membership has been reset, restart without --cluster-reset flag now. " +
		"Backup and delete ${datadir}/server/db on each peer etcd server and rejoin the nodes")
	return nil
}
