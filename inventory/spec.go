package inventory

// The structs of this file are the shape of the YAML file. Their tags are the
// one source for the decoder, the allowed keys in messages, and Schema.

type spec struct {
	Name     val[string]    `yaml:"name"`
	K3s      k3sSpec        `yaml:"k3s"`
	Network  networkSpec    `yaml:"network"`
	Defaults settings       `yaml:"defaults"`
	Pools    []poolSpec     `yaml:"pools"`
	Hosts    list[hostSpec] `yaml:"hosts"`
}

type k3sSpec struct {
	Version val[string]  `yaml:"version"`
	Source  val[string]  `yaml:"source"`
	TLSSANs list[string] `yaml:"tlsSANs"`
}

type networkSpec struct {
	PodCIDR        val[string] `yaml:"podCIDR"`
	ServiceCIDR    val[string] `yaml:"serviceCIDR"`
	FlannelBackend val[string] `yaml:"flannelBackend"`
	APIEndpoint    val[string] `yaml:"apiEndpoint"`
}

type settings struct {
	User          val[string]  `yaml:"user"`
	Port          val[int]     `yaml:"port"`
	IdentityFiles list[string] `yaml:"identityFiles"`
	JumpHosts     list[string] `yaml:"jumpHosts"`
	HostKey       val[string]  `yaml:"hostKey"`
	Interface     val[string]  `yaml:"interface"`
	Taints        list[Taint]  `yaml:"taints"`
}

type poolSpec struct {
	settings
	Name  val[string]    `yaml:"name"`
	Role  val[Role]      `yaml:"role"`
	GPUs  val[GPUs]      `yaml:"gpus"`
	Hosts list[hostSpec] `yaml:"hosts"`
}

type hostSpec struct {
	settings
	Name    val[string] `yaml:"name"`
	Address val[string] `yaml:"address"`
	Pool    val[string] `yaml:"pool"`
	Role    val[Role]   `yaml:"role"`
	NodeIP  val[string] `yaml:"nodeIP"`
	GPUs    val[GPUs]   `yaml:"gpus"`
}
