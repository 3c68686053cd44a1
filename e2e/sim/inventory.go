package sim

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/crypto/ssh"

	"github.com/gpuboot/gpuboot/bootstrap/release"
	"github.com/gpuboot/gpuboot/e2e/sim/internal/machine"
)

// Files are what a person, or gpuboot, needs to work with a fleet.
type Files struct {
	Inventory string // its hosts' keys are pinned, so nothing is asked
	Key       string // of the login
	K3s       string // folder with the simulated executable and its checksum
}

// Setup says what WriteFiles writes.
type Setup struct {
	Dir  string // exists
	Name string // of the cluster
	// Size of the simulated k3s executable in bytes; the real one has about 80
	// million.
	Size int
	// Labels are put on all hosts of the inventory.
	Labels map[string]string
	// Only leaves all other hosts out.
	Only []string
	// Jump is a host of the fleet through which the others are reached; it is no
	// host of the inventory then.
	Jump string
}

// WriteFiles writes an inventory of the fleet, the key of its logins, and a
// simulated k3s executable, into a folder.
func (f *Fleet) WriteFiles(s Setup) (Files, error) {
	out := Files{Inventory: filepath.Join(s.Dir, "inventory.yaml"), Key: filepath.Join(s.Dir, "id_ed25519"), K3s: filepath.Join(s.Dir, "k3s-simulated")}
	block, err := ssh.MarshalPrivateKey(f.key, "simulated")
	if err != nil {
		return out, fmt.Errorf("writing the simulated login's key: %w", err)
	}
	if err := os.WriteFile(out.Key, pem.EncodeToMemory(block), 0o600); err != nil {
		return out, fmt.Errorf("writing the simulated login's key: %w", err)
	}
	if err := writeExecutable(out.K3s, release.Default, s.Size); err != nil {
		return out, fmt.Errorf("writing the simulated k3s: %w", err)
	}
	text, err := f.inventory(s)
	if err != nil {
		return out, fmt.Errorf("writing the inventory: %w", err)
	}
	if err := os.WriteFile(out.Inventory, text, 0o600); err != nil {
		return out, fmt.Errorf("writing the inventory: %w", err)
	}
	return out, nil
}

// writeExecutable makes a file that passes for an executable of k3s: a header,
// the version, and nothing that runs.
func writeExecutable(dir, version string, size int) error {
	head := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: uint32(elf.EV_CURRENT), Ehsize: 64}
	copy(head.Ident[:], elf.ELFMAG)
	head.Ident[elf.EI_CLASS], head.Ident[elf.EI_DATA], head.Ident[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, head); err != nil {
		return err
	}
	b.WriteString(machine.Magic + version + "\nThis is no k3s and runs nowhere: it is for gpuboot's simulated hosts.\n")
	b.Write(make([]byte, max(0, size-b.Len())))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	sum := sha256.Sum256(b.Bytes())
	if err := os.WriteFile(filepath.Join(dir, "sha256sum-amd64.txt"), fmt.Appendf(nil, "%x  k3s\n", sum), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "k3s"), b.Bytes(), 0o755)
}

type yamlHost struct {
	Name    string            `yaml:"name"`
	Address string            `yaml:"address"`
	Port    int               `yaml:"port"`
	HostKey string            `yaml:"hostKey"`
	Labels  map[string]string `yaml:"labels,omitempty"`
}

type yamlDefaults struct {
	User     string   `yaml:"user"`
	Identity string   `yaml:"identityFile"`
	Jump     []string `yaml:"jumpHosts,omitempty"`
}

type yamlPool struct {
	Name   string            `yaml:"name"`
	Role   string            `yaml:"role"`
	GPUs   string            `yaml:"gpus,omitempty"`
	Labels map[string]string `yaml:"labels,omitempty"`
	Hosts  []yamlHost        `yaml:"hosts"`
}

// inventory writes the fleet as gpuboot reads it.
func (f *Fleet) inventory(s Setup) ([]byte, error) {
	var pools []yamlPool
	for _, h := range f.hosts {
		if s.Only != nil && !slices.Contains(s.Only, h.Name) || h.Name == s.Jump {
			continue
		}
		name := h.Pool
		if name == "" {
			name = string(h.Role)
		}
		i := slices.IndexFunc(pools, func(p yamlPool) bool { return p.Name == name })
		if i < 0 {
			i = len(pools)
			pools = append(pools, yamlPool{Name: name, Role: string(h.Role), Labels: s.Labels})
			if h.GPUs > 0 {
				pools[i].GPUs = fmt.Sprintf("%dx %s", h.GPUs, h.GPU)
			}
		}
		ip, port := h.address()
		key := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(h.hostKey.PublicKey())))
		pools[i].Hosts = append(pools[i].Hosts, yamlHost{h.Name, ip, port, key, h.Labels})
	}
	doc := struct {
		Name     string            `yaml:"name"`
		K3s      map[string]string `yaml:"k3s"`
		Network  map[string]string `yaml:"network,omitempty"`
		Defaults yamlDefaults      `yaml:"defaults"`
		Pools    []yamlPool        `yaml:"pools"`
	}{s.Name, map[string]string{"version": release.Default, "source": "./k3s-simulated"}, nil, yamlDefaults{User: f.opt.User, Identity: "./id_ed25519"}, pools}
	if len(f.hosts) > 250 { // each node takes a /24 of the pods' network
		doc.Network = map[string]string{"podCIDR": "10.128.0.0/12"}
	}
	if s.Jump != "" {
		doc.Defaults.Jump = []string{f.opt.User + "@" + f.byName[s.Jump].server.Addr()}
	}
	body, err := yaml.Marshal(doc)
	return append([]byte("# "+Banner+"\n"), body...), err
}
