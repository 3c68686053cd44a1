package inventory

// The structs of this file and of registries.go are the shape of the YAML file.
// Their tags are the one source of the decoder, of the allowed keys in messages
// and of Schema: yaml is the key, doc its sentence, default the value that an
// absent key has, enum the allowed words, required marks keys that must be there.

type spec struct {
	Name     val[string]       `yaml:"name" required:"true" doc:"Name of the cluster: a DNS label such as train. It names the kubeconfig context."`
	K3s      k3sSpec           `yaml:"k3s" doc:"Which k3s to install and how to configure it."`
	Network  networkSpec       `yaml:"network" doc:"Networks of the cluster; they cannot be changed later."`
	Existing existingSpec      `yaml:"existing" doc:"A k3s cluster that gpuboot did not make: the hosts join it as workers, and nothing on its servers is touched."`
	Defaults settings          `yaml:"defaults" doc:"Values for all hosts that neither their pool nor they themselves give."`
	Pools    list[poolSpec]    `yaml:"pools" doc:"Groups of hosts that share settings."`
	Hosts    list[topHostSpec] `yaml:"hosts" doc:"Hosts that are not listed in a pool."`
}

type k3sSpec struct {
	Version    val[string]    `yaml:"version" doc:"k3s release such as v1.36.5+k3s1; left out, the one this gpuboot was made for."`
	Source     val[string]    `yaml:"source" doc:"Where the executable comes from: an https URL of a mirror of the releases, or the path of a k3s executable with its sha256sum file beside it. Left out, the upstream release."`
	Config     k3sConfig      `yaml:"config" doc:"k3s config.yaml keys for all hosts; each host gets those that its role's k3s knows."`
	Registries registriesSpec `yaml:"registries" doc:"Content of k3s's registries.yaml: mirrors and logins of image registries."`
	TLSSANs    list[string]   `yaml:"tlsSANs" doc:"Extra DNS names and IP addresses under which the API is reached. Those of the servers and of apiEndpoint are added by themselves."`
}

type networkSpec struct {
	PodCIDR        val[string] `yaml:"podCIDR" default:"10.42.0.0/16" doc:"Network of the pods; each node takes a /24 of it, or a /64 with IPv6."`
	ServiceCIDR    val[string] `yaml:"serviceCIDR" default:"10.43.0.0/16" doc:"Network of the services."`
	FlannelBackend val[string] `yaml:"flannelBackend" default:"vxlan" enum:"vxlan,host-gw,wireguard-native,none" doc:"How pods on different hosts reach each other. wireguard-native encrypts and fits hosts that only meet over the internet; none leaves it to a network plugin of yours."`
	APIEndpoint    val[string] `yaml:"apiEndpoint" doc:"host or host:port under which the API is reached from outside, such as a load balancer. Left out, the first server."`
}

type existingSpec struct {
	Server     val[string] `yaml:"server" doc:"URL that the hosts join through, such as https://10.0.0.5:6443."`
	Token      val[Secret] `yaml:"token" doc:"Where the join token is kept: the cluster's agent token, or one of k3s token create. The full form, K10…, pins the cluster."`
	Kubeconfig val[string] `yaml:"kubeconfig" doc:"Path of an admin kubeconfig of the cluster; relative to the inventory, ~ is the home folder. It is used through the SSH connection of a host."`
}

// settings are the keys allowed in defaults, pools and hosts alike.
type settings struct {
	User          val[string]  `yaml:"user" doc:"Login name. Left out, ssh_config decides, then your own login name."`
	Port          val[int]     `yaml:"port" min:"1" max:"65535" doc:"SSH port. Left out, ssh_config decides, then 22."`
	IdentityFile  val[string]  `yaml:"identityFile" doc:"Private key to log in with; relative to the inventory, ~ is the home folder. Left out, the agent and ssh_config decide."`
	IdentityFiles list[string] `yaml:"identityFiles" doc:"Several private keys to try in this order, instead of identityFile."`
	SudoPassword  val[Secret]  `yaml:"sudoPassword" doc:"Where the password for sudo is kept, if sudo asks for one."`
	Password      val[Secret]  `yaml:"password" doc:"Where the password of the login is kept, if there is no key."`
	JumpHosts     list[string] `yaml:"jumpHosts" doc:"Hosts to go through, [user@]host[:port], outermost first. [] goes straight even where ssh_config has a ProxyJump."`
	HostKey       val[string]  `yaml:"hostKey" doc:"The host key to expect: ssh-ed25519 AAAA… or SHA256:… Left out, known_hosts and trust on first use."`
	Interface     val[string]  `yaml:"interface" doc:"Network interface for the traffic of the cluster: its name, or a CIDR that its address lies in. Left out, gpuboot decides and shows it in the plan."`
	Labels        dict[string] `yaml:"labels" doc:"Node labels, merged key by key: host over pool over defaults."`
	Taints        list[Taint]  `yaml:"taints" doc:"Node taints, key=value:Effect. A list on the host replaces that of the pool, which replaces that of defaults; [] means none."`
	K3sConfig     k3sConfig    `yaml:"k3sConfig" doc:"k3s config.yaml keys, merged key by key over k3s.config. A list key with a + behind it adds to the list instead of replacing it."`
}

type poolSpec struct {
	Name  val[string]    `yaml:"name" required:"true" doc:"Name of the pool, a DNS label."`
	Role  val[Role]      `yaml:"role" doc:"Role of the hosts that give none: server runs the control plane only, worker runs work, both does both."`
	GPUs  val[GPUs]      `yaml:"gpus" doc:"What every host of the pool must hold, such as 8x H100 or 8; gpuboot proves it."`
	Hosts list[hostSpec] `yaml:"hosts" doc:"Hosts: [name=][user@]address[:port] with ranges such as gpu[01-16] or 10.0.0.[11-18], or a map."`
	settings
}

type hostSpec struct {
	Name    val[string] `yaml:"name" doc:"Kubernetes node name. Left out, the address if it is a name, else ip- and the address."`
	Address val[string] `yaml:"address" required:"true" doc:"IP address, DNS name or Host alias of your ssh_config; may hold ranges."`
	Role    val[Role]   `yaml:"role" doc:"Role of this host, instead of its pool's."`
	NodeIP  val[string] `yaml:"nodeIP" doc:"IP address of the node in the cluster. Left out, gpuboot decides."`
	GPUs    val[GPUs]   `yaml:"gpus" doc:"What this host must hold, instead of its pool's promise; 0 promises none."`
	settings
	// targets are worked out of the string form or of name and address.
	targets []target
	// refused is set for an entry that is no host at all.
	refused bool
}

// topHostSpec is a host under the top-level key hosts, which may join a pool.
type topHostSpec struct {
	Pool val[string] `yaml:"pool" doc:"Name of the pool whose settings the host takes."`
	hostSpec
}
