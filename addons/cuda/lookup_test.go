package cuda

import (
	"encoding/json"
	"testing"
)

func driver(t *testing.T, s string) Driver {
	t.Helper()
	d, err := ParseDriver(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// What nvidia-smi prints as "CUDA Version" next to these drivers, in public reports.
func TestNativeIsWhatNvidiaSmiPrints(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Version{
		"450.80.02": {11, 0}, "470.256.02": {11, 4}, "525.147.05": {12, 0}, "535.104.12": {12, 2}, "550.135": {12, 4},
		"565.57.01": {12, 7}, "570.86.10": {12, 8}, "580.126.09": {13, 0}, "590.48.01": {13, 1}, "610.43.02": {13, 3},
		"615.71.09": {13, 4}, "620.70.06": {13, 5},
	} {
		if lowest, highest := driver(t, text).Native(); lowest != want || highest != want {
			t.Errorf("%s: %s to %s, want %s", text, lowest, highest, want)
		}
	}
}

func TestNativeOfABranchOutsideTheTableIsARange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text            string
		lowest, highest Version
	}{
		{"375.26", Version{}, Version{9, 0}},
		{"435.21", Version{10, 1}, Version{10, 2}},
		{"585.10", Version{13, 0}, Version{13, 1}},
		{"700.01", Version{13, 5}, Version{}},
	} {
		if lowest, highest := driver(t, c.text).Native(); lowest != c.lowest || highest != c.highest {
			t.Errorf("%s: %s to %s, want %s to %s", c.text, lowest, highest, c.lowest, c.highest)
		}
	}
}

func TestDriversCompare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"525.60.13", "525.60.13", 0}, {"525.60.11", "525.60.13", -1}, {"525.60", "525.60.00", 0},
		{"580", "580.65.06", -1}, {"570.124.06", "570.26", 1}, {"1000.1", "", 2}, {"57", "", 2}, {"a.b", "", 2},
		{"570.1.2.3", "", 2}, {"570..1", "", 2}, {"", "", 2}, {" 535.54.03\n", "535.54.03", 0},
	} {
		a, err := ParseDriver(c.a)
		if c.want == 2 {
			if err == nil {
				t.Errorf("%q was read as %+v", c.a, a)
			}
			continue
		}
		if got := a.Compare(driver(t, c.b)); err != nil || got != c.want {
			t.Errorf("%s and %s: %d, %v, want %d", c.a, c.b, got, err, c.want)
		}
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Version{
		"12.8": {12, 8}, "12.8.1": {12, 8}, "12.8.0.038": {12, 8}, "v11.6": {11, 6}, "13": {13, 0}, "8.6": {8, 6}, "12.10": {12, 10},
	} {
		if got, err := ParseVersion(text); err != nil || got != want {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "latest", "12.x", "-1", "12.", ".5", "99999.1"} {
		if got, err := ParseVersion(text); err == nil {
			t.Errorf("%q was read as %s", text, got)
		}
	}
	data, err := json.Marshal(map[string]any{"v": Version{12, 8}, "none": Version{}})
	if err != nil || string(data) != `{"none":"","v":"12.8"}` {
		t.Errorf("%s, %v", data, err)
	}
	var back map[string]Version
	if err := json.Unmarshal(data, &back); err != nil || back["v"] != (Version{12, 8}) || !back["none"].IsZero() {
		t.Errorf("%v, %v", back, err)
	}
}

func TestForward(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cuda   Version
		branch int
		want   Tri
	}{
		{Version{12, 9}, 535, Yes}, {Version{12, 9}, 470, No}, {Version{12, 9}, 580, No}, {Version{13, 1}, 560, No},
		{Version{13, 1}, 570, Yes}, {Version{13, 0}, 550, Yes}, {Version{13, 0}, 470, Unknown}, {Version{13, 2}, 570, Unknown},
		{Version{13, 3}, 535, No}, {Version{13, 3}, 595, Yes}, {Version{12, 8}, 470, Unknown}, {Version{12, 8}, 560, No},
		{Version{12, 4}, 470, Yes}, {Version{12, 4}, 450, No}, {Version{12, 1}, 450, Yes}, {Version{11, 8}, 455, Unknown},
	} {
		if got := Forward(c.cuda, c.branch); got != c.want {
			t.Errorf("cuda-compat-%s over %d: %d, want %d", c.cuda, c.branch, got, c.want)
		}
	}
}

func TestRelative(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ capability, cuda, want Version }{
		{Version{8, 9}, Version{11, 4}, Version{8, 6}}, {Version{8, 9}, Version{11, 0}, Version{8, 0}},
		{Version{9, 0}, Version{11, 4}, Version{}}, {Version{10, 0}, Version{12, 4}, Version{}},
		{Version{10, 3}, Version{12, 8}, Version{10, 0}}, {Version{12, 1}, Version{12, 8}, Version{12, 0}},
		{Version{7, 5}, Version{9, 2}, Version{7, 0}}, {Version{12, 0}, Version{12, 8}, Version{}},
	} {
		a, _ := ArchitectureOf(c.capability)
		if got, ok := a.Relative(c.cuda); got.Capability != c.want || ok != !c.want.IsZero() {
			t.Errorf("%s with CUDA %s: %s, want %s", c.capability, c.cuda, got.Capability, c.want)
		}
	}
}

func TestFloorsAndBranches(t *testing.T) {
	t.Parallel()
	if floor, ok := MinorFloor(12); !ok || floor.String() != "525.60.13" {
		t.Errorf("%s, %t", floor, ok)
	}
	if _, ok := MinorFloor(10); ok {
		t.Error("CUDA 10 has no minor-version compatibility")
	}
	if b, ok := BranchFor(Version{12, 5}); !ok || b.Branch != 555 {
		t.Errorf("%+v", b)
	}
	if b, ok := BranchFor(Version{13, 9}); ok {
		t.Errorf("%+v", b)
	}
	if v, ok := Newest(12); !ok || v != (Version{12, 9}) {
		t.Errorf("%s", v)
	}
	if _, ok := Newest(14); ok {
		t.Error("CUDA 14 is not in the table")
	}
}
