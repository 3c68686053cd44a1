package image

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gpuboot/gpuboot/addons/cuda"
)

// Verdict is an answer.
type Verdict string

// OK: nothing stands against it. Warn: it should run, with the limits that the reason states. Unknown: what would decide it
// is not known. Fail: it will not run.
const (
	OK      Verdict = "ok"
	Warn    Verdict = "warn"
	Unknown Verdict = "unknown"
	Fail    Verdict = "fail"
)

// Worse orders verdicts from OK over Warn and Unknown to Fail: positive if v is worse than o.
func (v Verdict) Worse(o Verdict) int { return cmp.Compare(v.rank(), o.rank()) }

func (v Verdict) rank() int {
	return map[Verdict]int{OK: 0, Warn: 1, Unknown: 2, Fail: 3}[v]
}

// Check names what a finding is about.
type Check string

// The checks, in the order of a Result's findings: of two that are equally bad, the first is the more useful reason.
const (
	CheckPlatform    Check = "platform"    // is there an image for the host's architecture
	CheckGPU         Check = "gpu"         // is the image made for the vendor of the host's GPUs
	CheckDriver      Check = "driver"      // does the driver carry the image's CUDA
	CheckCompute     Check = "compute"     // is there code for the GPU
	CheckHardware    Check = "hardware"    // does the driver drive the GPU
	CheckRequirement Check = "requirement" // does NVIDIA_REQUIRE_* hold
	CheckDisk        Check = "disk"        // is there room
)

// Finding is the answer of one check, for one kind of GPU where the check is about GPUs.
type Finding struct {
	Check   Check   `json:"check"`
	GPU     string  `json:"gpu,omitempty"`
	Verdict Verdict `json:"verdict"`
	Reason  string  `json:"reason"`
	Fix     *Fix    `json:"fix,omitempty"`
}

// Fix is the nearest change that would help. Driver and CUDA name alternatives, unless Text says "and".
type Fix struct {
	Branch  int          `json:"driver_branch,omitempty"` // oldest branch of drivers that would do
	Driver  string       `json:"driver,omitempty"`        // oldest version of it
	CUDAMin cuda.Version `json:"cuda_min,omitzero"`       // oldest and newest CUDA of an image that would do; zero is no limit
	CUDAMax cuda.Version `json:"cuda_max,omitzero"`
	Text    string       `json:"text"` // for people
}

// Result is the answer for one image on one host.
type Result struct {
	Image    string  `json:"image"`
	Host     string  `json:"host,omitempty"`
	Platform string  `json:"platform,omitempty"` // of the variant that was judged
	Digest   string  `json:"digest,omitempty"`   // of it
	Verdict  Verdict `json:"verdict"`            // the worst of the findings
	Reason   string  `json:"reason"`             // of the first finding that is as bad
	Fix      *Fix    `json:"fix,omitempty"`      // of it
	// Compressed is what a pull would transfer, in bytes; 0 is not known.
	Compressed int64     `json:"compressed_bytes,omitempty"`
	Claims     *Claims   `json:"claims,omitempty"`
	Findings   []Finding `json:"findings"`
}

// add takes a finding into the result.
func (r *Result) add(f Finding) {
	r.Findings = append(r.Findings, f)
	if r.Verdict == "" || f.Verdict.Worse(r.Verdict) > 0 {
		r.Verdict, r.Reason, r.Fix = f.Verdict, f.Reason, f.Fix
	}
}

// String is the answer in one line: "gpu-1: fail: … (fix: …)".
func (r Result) String() string {
	var b strings.Builder
	if r.Host != "" {
		fmt.Fprintf(&b, "%s: ", r.Host)
	}
	fmt.Fprintf(&b, "%s: %s", r.Verdict, r.Reason)
	if r.Fix != nil {
		fmt.Fprintf(&b, " (fix: %s)", r.Fix.Text)
	}
	return b.String()
}

func (f Finding) String() string {
	return Result{Host: string(f.Check), Verdict: f.Verdict, Reason: f.Reason, Fix: f.Fix}.String()
}
