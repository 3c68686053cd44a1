package facts

import (
	"fmt"
	"strings"
)

// dataPort says whether an RDMA port carries data of a card: not a software
// device, and not the management plane of an XDR card (smi).
func (p RDMAPort) dataPort() bool { return !p.Software && !strings.HasPrefix(p.Device, "smi") }

func rdmaPortDown() rule {
	return rule{
		Rule: Rule{ID: "rdma-port-down", Severity: Warn,
			Meaning: "An InfiniBand port is not active: no cable, or no subnet manager on the fabric. Ethernet (RoCE) ports are often unused, so these are info.",
			Fix:     "check the cable (DOWN), or that a subnet manager runs on the fabric (INIT); ibstat"},
		host: func(c hostCase) []hit {
			var ib, roce []string
			for _, p := range c.f.RDMA {
				if !p.dataPort() || p.State == "ACTIVE" {
					continue
				}
				s := fmt.Sprintf("%s/%d %s, %s", p.Device, p.Port, p.State, p.Phys)
				if p.LinkLayer == "InfiniBand" {
					ib = append(ib, s)
				} else {
					roce = append(roce, s)
				}
			}
			var out []hit
			if len(ib) > 0 {
				out = append(out, hit{summary: "an InfiniBand port is not active", evidence: some(ib)})
			}
			if len(roce) > 0 {
				out = append(out, hit{severity: Info, summary: "an RDMA port on Ethernet is down", evidence: some(roce), fix: "nothing, if it is not used"})
			}
			return out
		},
	}
}

func peermemMissing() rule {
	return rule{
		Rule: Rule{ID: "peermem-missing", Severity: Info,
			Meaning: "GPUDirect RDMA needs nvidia_peermem, or the open driver's DMA-BUF, which needs no module.",
			Fix:     "modprobe nvidia_peermem, or use the open flavour of the driver"},
		host: func(c hostCase) []hit {
			if !c.f.NVIDIA.Loaded || c.f.NVIDIA.Open || c.f.NVIDIA.Peermem {
				return nil
			}
			for _, p := range c.f.RDMA {
				if p.dataPort() && p.State == "ACTIVE" {
					return one("network cards cannot reach GPU memory: neither nvidia_peermem nor the open driver is loaded",
						fmt.Sprintf("RDMA port %s/%d is active, driver %s is the proprietary flavour", p.Device, p.Port, c.f.NVIDIA.DriverVersion))
				}
			}
			return nil
		},
	}
}
