package inventory

// The shape of registries.yaml is that of k3s's documentation page
// docs.k3s.io/installation/private-registry and of the types it is read into,
// pkg/registries/types.go in github.com/rancher/wharfie.

type registriesSpec struct {
	Mirrors dict[mirrorSpec]         `yaml:"mirrors" doc:"By the name of a registry: where its images are pulled from."`
	Configs dict[registryConfigSpec] `yaml:"configs" doc:"By the host of a registry or mirror: how to log in and which certificates to trust."`
}

type mirrorSpec struct {
	Endpoint list[string] `yaml:"endpoint" doc:"URLs to try in this order."`
	Rewrite  dict[string] `yaml:"rewrite" doc:"Regular expressions for image names with their replacement."`
}

type registryConfigSpec struct {
	Auth registryAuthSpec `yaml:"auth" doc:"How to log in to the registry."`
	TLS  registryTLSSpec  `yaml:"tls" doc:"Which certificates to use; the files are on the hosts."`
}

type registryAuthSpec struct {
	Username      val[string] `yaml:"username" doc:"Login name."`
	Password      val[Secret] `yaml:"password" doc:"Where the password is kept."`
	Auth          val[Secret] `yaml:"auth" doc:"Where the base64 of username:password is kept, instead of both."`
	IdentityToken val[Secret] `yaml:"identity_token" doc:"Where an identity token is kept, instead of a password."`
}

type registryTLSSpec struct {
	CAFile             val[string] `yaml:"ca_file" doc:"File on the host with the registry's CA."`
	CertFile           val[string] `yaml:"cert_file" doc:"File on the host with a client certificate."`
	KeyFile            val[string] `yaml:"key_file" doc:"File on the host with the client's key."`
	InsecureSkipVerify val[bool]   `yaml:"insecure_skip_verify" doc:"Trust any certificate of the registry."`
}

// registries gives the map to write as registries.yaml, nil if there is nothing
// to write.
func (d *decoder) registries(spec *registriesSpec) map[string]any {
	mirrors, configs := map[string]any{}, map[string]any{}
	for _, m := range spec.Mirrors {
		mirrors[m.key] = d.mirror(&m.value.V)
	}
	for _, c := range spec.Configs {
		configs[c.key] = d.registryConfig(&c.value.V)
	}
	out := map[string]any{}
	put(out, "mirrors", mirrors, len(mirrors) > 0)
	put(out, "configs", configs, len(configs) > 0)
	if len(out) == 0 {
		return nil
	}
	return out
}

func put(m map[string]any, key string, value any, wanted bool) {
	if wanted {
		m[key] = value
	}
}

func (d *decoder) mirror(spec *mirrorSpec) map[string]any {
	var endpoints []any
	for _, e := range spec.Endpoint.V {
		d.checkAt(e.At, e.Set, checkURL("endpoint", e.V, "https", "http"))
		endpoints = append(endpoints, e.V)
	}
	rewrites := map[string]any{}
	for _, r := range spec.Rewrite {
		d.checkAt(r.at, true, checkRegexp(r.key))
		rewrites[r.key] = r.value.V
	}
	out := map[string]any{}
	put(out, "endpoint", endpoints, endpoints != nil)
	put(out, "rewrite", rewrites, len(rewrites) > 0)
	return out
}

func (d *decoder) registryConfig(spec *registryConfigSpec) map[string]any {
	auth, tls := map[string]any{}, map[string]any{}
	put(auth, "username", spec.Auth.Username.V, spec.Auth.Username.Set)
	put(auth, "password", spec.Auth.Password.V, spec.Auth.Password.Set)
	put(auth, "auth", spec.Auth.Auth.V, spec.Auth.Auth.Set)
	put(auth, "identity_token", spec.Auth.IdentityToken.V, spec.Auth.IdentityToken.Set)
	put(tls, "ca_file", spec.TLS.CAFile.V, spec.TLS.CAFile.Set)
	put(tls, "cert_file", spec.TLS.CertFile.V, spec.TLS.CertFile.Set)
	put(tls, "key_file", spec.TLS.KeyFile.V, spec.TLS.KeyFile.Set)
	put(tls, "insecure_skip_verify", spec.TLS.InsecureSkipVerify.V, spec.TLS.InsecureSkipVerify.Set)
	if spec.TLS.CertFile.Set != spec.TLS.KeyFile.Set {
		given := spec.TLS.CertFile
		if spec.TLS.KeyFile.Set {
			given = spec.TLS.KeyFile
		}
		d.report(given.At, "cert_file and key_file are needed together", "")
	}
	out := map[string]any{}
	put(out, "auth", auth, len(auth) > 0)
	put(out, "tls", tls, len(tls) > 0)
	return out
}
