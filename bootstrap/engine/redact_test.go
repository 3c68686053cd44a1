package engine_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/gpuboot/gpuboot/bootstrap/engine"
)

func TestRedactorString(t *testing.T) {
	t.Parallel()
	const pw = `s3/cr?t&"it's"<ä>`
	asJSON, _ := json.Marshal(pw)
	b64 := base64.StdEncoding.EncodeToString
	for _, c := range []struct{ name, secret, in, want string }{
		{"plain", "hunter2", "login hunter2 ok, hunter2", "login [redacted] ok, [redacted]"},
		{"short ones stay", "abc", "abc abcd", "abc abcd"},
		{"empty", "", "nothing", "nothing"},
		{"white space only", "  \n\t ", "a  \n\t b", "a  \n\t b"},
		{"new line at its end", "hunter2\n", "pw=hunter2.", "pw=[redacted]."},
		{"URL query", pw, "?p=" + url.QueryEscape(pw) + "#", "?p=[redacted]#"},
		{"URL path", pw, "/" + url.PathEscape(pw) + "/", "/[redacted]/"},
		{"URL user", pw, "//" + url.UserPassword("u", pw).String() + "@h", "//u:[redacted]@h"},
		{"URL in lower case", "a/b/c/d", "p=a%2fb%2fc%2fd.", "p=[redacted]."},
		{"JSON", pw, "{" + string(asJSON) + "}", `{"[redacted]"}`},
		{"JSON without HTML escapes", `a"<b>"c`, `"a\"<b>\"c"`, `"[redacted]"`},
		{"Go", "tab\tend\x01", fmt.Sprintf("%q", "tab\tend\x01"), `"[redacted]"`},
		{"shell", "it's me", `echo 'it'\''s me'`, "echo '[redacted]'"},
		{"base64", "hunter2!", "key " + b64([]byte("hunter2!")) + " end", "key [redacted] end"},
		{"base64 without padding", "hunter22!", base64.RawStdEncoding.EncodeToString([]byte("hunter22!")), "[redacted]"},
		{"base64 for URLs", "\xff\xfe\xfd\xfc??>>", base64.URLEncoding.EncodeToString([]byte("\xff\xfe\xfd\xfc??>>")), "[redacted]"},
		{"base64 with a new line at its end", "hunter2", b64([]byte("hunter2\n")), "[redacted]"},
		{"several lines", "first line\r\nabc\nlast line\n", "x last line y first line z abc", "x [redacted] y [redacted] z abc"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := engine.NewRedactor(c.secret).String(c.in)
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestSecretInsideLongerBase64IsFound(t *testing.T) {
	t.Parallel()
	const secret = "correct horse"
	r := engine.NewRedactor(secret)
	for shift := range 6 {
		text := strings.Repeat("u", shift) + secret + "tail"
		got := r.String("Basic " + base64.StdEncoding.EncodeToString([]byte(text)))
		if !strings.Contains(got, engine.Redacted) {
			t.Errorf("%d bytes before it: %q", shift, got)
		}
	}
}

func TestOverlappingSecretsLeaveNothing(t *testing.T) {
	t.Parallel()
	r := engine.NewRedactor("abcdef", "defghi", "cdef", "aaaa")
	for in, want := range map[string]string{
		"<abcdefghi>":    "<[redacted]>",
		"<aaaaaa>":       "<[redacted]>",
		"abcdefabcdef":   "[redacted]",
		"abcdef defghi.": "[redacted] [redacted].",
	} {
		if got := r.String(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// fill puts s into every string that v holds, however deep.
func fill(v reflect.Value, s string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(s)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), s)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), s)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), s)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(s), reflect.ValueOf(s))
	}
}

func TestRedactorReachesEveryStringOfAnEvent(t *testing.T) {
	t.Parallel()
	var e engine.Event
	fill(reflect.ValueOf(&e).Elem(), "hunter2")
	before, _ := json.Marshal(e)
	e.Kind, e.Status = engine.KindNote, engine.StatusDone // not free text
	var after engine.Event
	engine.NewRedactor("hunter2").Wrap(func(e engine.Event) { after = e })(e)
	data, err := json.Marshal(after)
	if err != nil || strings.Contains(string(data), "hunter2") {
		t.Errorf("%v: %s", err, data)
	}
	again, _ := json.Marshal(e)
	if strings.Count(string(before), "hunter2") != strings.Count(string(again), "hunter2")+2 {
		t.Error("the sender's event was changed")
	}
}

func TestRedactorIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	r := engine.NewRedactor()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			secret := fmt.Sprintf("secret-%d", i)
			r.Add(secret)
			if got := r.String(secret); got != engine.Redacted {
				t.Errorf("%q became %q", secret, got)
			}
		})
	}
	wg.Wait()
	var none *engine.Redactor
	if none.String("plain") != "plain" {
		t.Error("a nil redactor changes text")
	}
}

func FuzzRedactor(f *testing.F) {
	f.Add("hunter2", "before ", " after")
	f.Add("line one\nline two", "", "")
	f.Add("aaaa", "aa", "aa")
	f.Fuzz(func(t *testing.T, secret, before, after string) {
		if len(strings.TrimSpace(secret)) < 4 || strings.Contains(engine.Redacted, strings.TrimSpace(secret)) {
			t.Skip()
		}
		if len(secret)+len(before)+len(after) > 4<<10 {
			t.Skip() // a secret of thousands of lines only costs time
		}
		r := engine.NewRedactor(secret)
		for _, form := range []string{secret, base64.StdEncoding.EncodeToString([]byte(secret)), url.QueryEscape(secret)} {
			got := r.String(before + form + after)
			for piece := range strings.SplitSeq(got, engine.Redacted) {
				if strings.Contains(piece, secret) || strings.Contains(piece, form) {
					t.Errorf("%q is left in %q", form, got)
				}
			}
		}
	})
}
