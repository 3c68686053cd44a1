package facts

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gpuboot/gpuboot/bootstrap/remote"
)

// localHost runs commands here, as a host would.
type localHost struct {
	cmds []remote.Cmd
	fail error
	// reply is what to answer instead.
	reply []byte
}

func (h *localHost) Run(ctx context.Context, cmd remote.Cmd) (remote.Result, error) {
	h.cmds = append(h.cmds, cmd)
	if h.fail != nil {
		return remote.Result{}, h.fail
	}
	if h.reply != nil {
		return remote.Result{Stdout: h.reply}, nil
	}
	c := exec.CommandContext(ctx, cmd.Args[0], cmd.Args[1:]...)
	c.Stdin = cmd.Stdin
	out, err := c.Output()
	return remote.Result{Stdout: out}, err
}

func TestCollectRunsOneCommandAsRoot(t *testing.T) {
	t.Parallel()
	h := &localHost{}
	f, err := Collect(t.Context(), h, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if len(h.cmds) != 1 || !h.cmds[0].Root || !slices.Equal(h.cmds[0].Args, []string{"sh"}) {
		t.Errorf("ran %+v", h.cmds)
	}
	if f.Kernel == "" || f.Clock.Offset.Abs() > time.Second {
		t.Errorf("kernel %q, clock %+v", f.Kernel, f.Clock)
	}
}

// The clock of the host is 90 s ahead; the way there takes 10 ms, the probe one
// second, and the way back 30 ms.
func TestCollectMeasuresTheClock(t *testing.T) {
	t.Parallel()
	base := time.Unix(1_900_000_000, 0)
	h := &localHost{reply: []byte("\n@@gpuboot-probe 1 @@m 1900000090.010000000\n\n@@m done 1900000091.010000000\n")}
	asked := 0
	now := func() time.Time {
		asked++
		return map[int]time.Time{1: base, 2: base.Add(1040 * time.Millisecond)}[asked]
	}
	f, err := Collect(t.Context(), h, now)
	if err != nil {
		t.Fatal(err)
	}
	if f.Clock.RTT != 40*time.Millisecond || f.Clock.Offset != 90*time.Second-10*time.Millisecond {
		t.Errorf("clock %+v", f.Clock)
	}
	if f.Clock.Remote.Unix() != 1900000090 || f.Clock.Synced != "unknown" {
		t.Errorf("clock %+v", f.Clock)
	}
}

// A host so loaded that the probe could not read its journal must not look like
// one that gpuboot never touched.
func TestCollectAsksOnceMoreForWhatMatters(t *testing.T) {
	t.Parallel()
	slow := []byte("\n@@gpuboot-probe 1 @@m 1900000090.0\n\n@@m begin journal\n\n@@m end journal skipped\n\n@@m done 1900000091.0\n")
	h := &localHost{reply: slow}
	if _, err := Collect(t.Context(), h, time.Now); !errors.Is(err, ErrIncomplete) || !strings.Contains(err.Error(), "journal") {
		t.Errorf("got %v", err)
	}
	if len(h.cmds) != 2 {
		t.Errorf("asked %d times, want 2", len(h.cmds))
	}
}

func TestCollectHandsErrorsOn(t *testing.T) {
	t.Parallel()
	if _, err := Collect(t.Context(), &localHost{fail: io.ErrUnexpectedEOF}, time.Now); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("err is %v", err)
	}
	if _, err := Collect(t.Context(), &localHost{reply: []byte("This account is disabled.\n")}, time.Now); !errors.Is(err, ErrNoProbe) {
		t.Errorf("err is %v", err)
	}
}

func TestParseFindsTheAnswerInNoise(t *testing.T) {
	t.Parallel()
	answer := "\n@@gpuboot-probe 1 @@m 1900000000.5\n\n@@m begin host\nuname=Linux a 6.1.0 x86_64\ncpus_online=0-3\n\n@@m end host 0\n\n@@m done 1900000001.5\n"
	tests := map[string]string{
		"plain":              answer,
		"banner":             "Welcome!\n\nLast login: today\n" + answer,
		"something after":    answer + "logout\n@@m begin host\n",
		"a false beginning":  "\n@@gpuboot-probe 1 @@x 1\n@@x begin host\nuname=bad\n" + answer,
		"a copy in the text": strings.Replace(answer, "cpus", "\n@@gpuboot-probe 9\ncpus", 1),
		"carriage returns":   strings.ReplaceAll(answer, "\n", "\r\n"),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := Parse([]byte(text))
			if err != nil || f.Hostname != "a" || f.Arch != "amd64" || f.CPUs != 4 {
				t.Errorf("got %+v %v", f, err)
			}
		})
	}
}

func TestParseSaysWhatIsCutOff(t *testing.T) {
	t.Parallel()
	whole := runProbe(t, []string{"sh"})
	for _, cut := range []int{0, 1, 20, len(whole) / 2, len(whole) - 40} {
		if _, err := Parse(whole[:cut]); !errors.Is(err, ErrNoProbe) && !errors.Is(err, ErrTruncated) {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	if _, err := Parse(bytes.Replace(whole, []byte("-probe 1 "), []byte("-probe 2 "), 1)); !errors.Is(err, ErrNoProbe) {
		t.Errorf("an answer of another version: %v", err)
	}
}

func TestParseNamesWhatIsUnknown(t *testing.T) {
	t.Parallel()
	text := "\n@@gpuboot-probe 1 @@m 1900000000\n" +
		"\n@@m begin memory\ngrep: /proc/meminfo: Permission denied\n\n@@m end memory 2\n" +
		"\n@@m begin host\n\n@@m end host skipped\n" +
		"\n@@m begin df\nhalf a line" +
		"\n@@m begin cgroup\nversion=3\n\n@@m end cgroup 0\n" +
		"\n@@m done 1900000001\n"
	f, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]string{"memory": "Permission denied", "host": "too slow", "df": "cut off: half a line",
		"cgroup": `version "3"`, "addr": "missing"} {
		if !strings.Contains(f.Unknown[name], part) {
			t.Errorf("%s is unknown because %q, want %q in it", name, f.Unknown[name], part)
		}
	}
	if f.Clock.Precision != time.Second || f.Raw["memory"] == "" {
		t.Errorf("clock %+v, raw %q", f.Clock, f.Raw["memory"])
	}
}
