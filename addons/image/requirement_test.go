package image

import (
	"slices"
	"strings"
	"testing"
)

func TestRequirementGrammar(t *testing.T) {
	t.Parallel()
	known := values{cuda: "12.2", driver: "535.104.05", arch: "9.0", brand: "nvidia"}
	long := strings.Repeat("9", 130)
	for expr, want := range map[string]outcome{
		// one term, every operator
		"cuda=12.2": holds, "cuda=12": fails, "cuda!=12.2": fails, "cuda!=11.8": holds,
		"cuda<12.2": fails, "cuda<12.10": holds, "cuda<=12.2": holds, "cuda>12.2": fails, "cuda>12": holds, "cuda>=12.2": holds,
		"cuda>=12.4": fails, "cuda>=13": fails,
		// every property; names and brands in any case
		"driver>=535": holds, "driver<536": holds, "driver>=535.104.05": holds, "driver>535.104.05": fails,
		"arch>=9": holds, "arch>=10.0": fails, "arch=9.0": holds, "brand=nvidia": holds, "brand=NVIDIA": holds,
		"Brand=tesla": fails, "brand!=geforce": holds, "CUDA>=12": holds,
		// numbers are compared as numbers, zeros at the end do not count
		"cuda=12.2.0.0": holds, "cuda=012.02": holds, "driver=535.104.5": holds, "driver<535.1040": holds, "cuda=12.2.": holds,
		"cuda=12..2": holds, "cuda=.12": invalid,
		// blanks are "or", commas "and", the first alternative that holds ends the reading
		"cuda>=13 driver>=535": holds, "cuda>=13 driver>=550": fails, "driver>=535,driver<536": holds,
		"driver>=535,driver<535.10": fails, "cuda>=13 brand=tesla,driver>=535 brand=nvidia,driver>=535,driver<536": holds,
		"cuda>=12 nonsense": holds, "cuda>=13 nonsense": invalid, "cuda>=13,nonsense driver>=535": holds,
		"nonsense cuda>=12": invalid, "cuda>=12,nonsense": invalid,
		// nothing holds; an alternative of commas ends the reading with what went before
		"": holds, "   ": holds, ",": holds, "cuda>=13 , cuda>=12": fails, " , cuda>=13": holds, "cuda>=13  cuda>=12": holds,
		",cuda>=12,": holds,
		// what is no expression
		"cuda": invalid, ">=12": invalid, "cuda>=": invalid, "cuda>=abc": invalid, "cuda==12.2": invalid, "cuda=>12": invalid,
		"cuda<>12": invalid, "gpu>=1": invalid, "brand<tesla": invalid, "brand>=tesla": invalid, "cuda>=12.2-rc": invalid,
		"cuda>=18446744073709551615": invalid, "cuda\t>=12": invalid, "cuda >= 12": invalid, "cuda>=12\tdriver>=1": invalid,
		// accidents of the original, kept: "!" is "!=", and a false term that is too long for its buffer is an error
		"brand!geforce": holds, "driver=" + strings.Repeat("1.", 70): invalid, "brand=" + long: invalid, "brand!=" + long: holds,
	} {
		if got := evaluate(expr, known); got != want {
			t.Errorf("%q: %d, want %d", expr, got, want)
		}
	}
}

func TestWhatIsNotKnownIsUnclear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expr  string
		known values
		want  outcome
	}{
		{"cuda>=12.4", values{}, unclear},
		{"cuda>=12.4 brand=tesla,driver>=535", values{cuda: "12.2", driver: "535.1"}, unclear},
		{"cuda>=12.4 brand=tesla,driver>=550", values{cuda: "12.2", driver: "535.1"}, fails},
		{"brand=tesla cuda>=12", values{cuda: "12.2"}, holds},
		{"brand=tesla cuda>=13", values{cuda: "12.2"}, unclear},
		{"brand=tesla nonsense", values{}, unclear},
		{"brand=tesla,nonsense", values{}, unclear},
		{"arch>=9.0", values{cuda: "12.2"}, unclear},
		{"brand<x", values{}, invalid},
		{"cuda>=x", values{}, invalid},
	} {
		if got := evaluate(c.expr, c.known); got != c.want {
			t.Errorf("%q with %+v: %d, want %d", c.expr, c.known, got, c.want)
		}
	}
}

func TestRequirementsOfAnImage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env    []string
		want   []string
		off    bool
		broken string
	}{
		{[]string{"NVIDIA_REQUIRE_CUDA=cuda>=11.6", "NVIDIA_REQUIRE_BRAND=brand=tesla"}, []string{"brand=tesla", "cuda>=11.6"}, false, ""},
		{[]string{"NVIDIA_REQUIRE_JETPACK=csv-mounts=all", "NVIDIA_REQUIRE_JETPACK_HOST_MOUNTS=base-only"}, nil, false, ""},
		{[]string{"CUDA_VERSION=11.6.2"}, []string{"cuda>=11.6"}, false, ""},
		{[]string{"CUDA_VERSION=v11", "NVIDIA_REQUIRE_CUDA=", "NVIDIA_REQUIRE_ARCH=arch>=7"}, []string{"cuda>=11.0", "arch>=7"}, false, ""},
		{[]string{"CUDA_VERSION=12.8.1", "NVIDIA_REQUIRE_CUDA=cuda>=9.0"}, []string{"cuda>=9.0"}, false, ""},
		{[]string{"CUDA_VERSION=12.8.0.038"}, nil, false, "12.8.0.038"},
		{[]string{"CUDA_VERSION=latest", "NVIDIA_REQUIRE_BRAND=brand=tesla"}, []string{"brand=tesla"}, false, "latest"},
		{[]string{"CUDA_VERSION=11.6", "NVIDIA_DISABLE_REQUIRE=true"}, nil, true, ""},
		{[]string{"CUDA_VERSION=11.6", "NVIDIA_DISABLE_REQUIRE=T"}, nil, true, ""},
		{[]string{"CUDA_VERSION=11.6", "NVIDIA_DISABLE_REQUIRE=yes"}, []string{"cuda>=11.6"}, false, ""}, // not a boolean of Go's
		{[]string{"NVIDIA_REQUIRE_CUDA=cuda>=1", "NVIDIA_REQUIRE_CUDA=cuda>=2", "NOVALUE"}, []string{"cuda>=2"}, false, ""},
		{nil, nil, false, ""},
	} {
		got, off, broken := requirements(environment(c.env))
		var exprs []string
		for _, r := range got {
			exprs = append(exprs, r.Expr)
		}
		if !slices.Equal(exprs, c.want) || off != c.off || broken != c.broken {
			t.Errorf("%q: %q, off %t, broken %q; want %q, %t, %q", c.env, exprs, off, broken, c.want, c.off, c.broken)
		}
	}
}

// An outcome that is decided while something is not known stays, whatever that turns out to be.
func FuzzRequirement(f *testing.F) {
	for _, s := range []string{
		"cuda>=12.8 brand=tesla,driver>=535,driver<536", "cuda>=9.0", "brand!tesla", ",", " ,", "cuda>=13 , x", "arch=", "a=b",
	} {
		f.Add(s, "12.2", "535.104.05", "9.0", "nvidia")
	}
	f.Fuzz(func(t *testing.T, expr, cuda, driver, arch, brand string) {
		full := values{cuda, driver, arch, brand}
		if got := evaluate(expr, full); cuda != "" && driver != "" && arch != "" && brand != "" && got == unclear {
			t.Errorf("%q with %+v is unclear", expr, full)
		}
		if len(expr) > 100 || !numeric(cuda) || !numeric(driver) || !numeric(arch) {
			return // a false term that is too long, or a host that is no host, is an error of its own
		}
		for _, v := range []string{cuda, driver, arch} {
			if _, ok := numbers(v); !ok {
				return
			}
		}
		for _, part := range []values{{}, {cuda: cuda}, {driver: driver, brand: brand}, {cuda: cuda, arch: arch}} {
			if early := evaluate(expr, part); early != unclear && early != evaluate(expr, full) {
				t.Errorf("%q: %d with %+v, %d with %+v", expr, early, part, evaluate(expr, full), full)
			}
		}
	})
}
