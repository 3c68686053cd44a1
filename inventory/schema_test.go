package inventory

import (
	"bytes"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// options is the example with every option switched on.
func options() []byte { return switchOn(Example()) }

func switchOn(data []byte) []byte {
	option := regexp.MustCompile(`(?m)^(\s*)#( {2,}\S|[^ \n])`)
	return option.ReplaceAll(data, []byte("$1$2"))
}

// alternatives is the same with what excludes other options as well; it can be
// decoded, but not meant.
func alternatives() []byte {
	return switchOn(options())
}

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("inventory.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("inventory.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, data []byte) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

func TestExampleParsesWithNoProblem(t *testing.T) {
	t.Parallel()
	s := schema(t)
	for name, data := range map[string][]byte{"as it is": Example(), "all options on": options()} {
		inv, err := Parse("example.yaml", data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(inv.Warnings) > 0 {
			t.Errorf("%s: %v", name, inv.Warnings)
		}
		if err := validate(t, s, data); err != nil {
			t.Errorf("%s: the schema refuses it: %v", name, err)
		}
	}
}

// TestExampleMentionsEveryField decodes the example with all options on and
// looks for fields that nothing in it sets.
func TestExampleMentionsEveryField(t *testing.T) {
	t.Parallel()
	d := &decoder{file: "example.yaml", roleless: map[*poolSpec]bool{}}
	var s spec
	d.into(&s, d.document(alternatives()), "")
	seen := map[string]bool{}
	walk(reflect.ValueOf(s), seen)
	for field, set := range seen {
		if !set {
			t.Errorf("the example does not mention %s", field)
		}
	}
	if len(seen) < 40 {
		t.Errorf("only %d fields were looked at", len(seen))
	}
}

// walk notes for each field of each spec struct whether any value of it is set.
func walk(v reflect.Value, seen map[string]bool) {
	switch {
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), seen)
		}
	case v.Kind() != reflect.Struct:
	case v.FieldByName("Set").IsValid():
		walk(v.FieldByName("V"), seen)
	case v.FieldByName("key").IsValid():
		walk(v.FieldByName("value"), seen)
	default:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if key := f.Tag.Get("yaml"); key != "" {
				name := v.Type().Name() + "." + key
				seen[name] = seen[name] || !v.Field(i).IsZero()
			}
			if f.Anonymous || f.Tag.Get("yaml") != "" {
				walk(v.Field(i), seen)
			}
		}
	}
}

func TestSchemaAcceptsWhatParseAccepts(t *testing.T) {
	t.Parallel()
	s := schema(t)
	each(t, "ok", func(t *testing.T, _ string, data []byte, _ string) {
		if err := validate(t, s, data); err != nil {
			t.Error(err)
		}
	})
}

func TestSchemaRefusesWhatAnEditorCanSee(t *testing.T) {
	t.Parallel()
	s := schema(t)
	for _, text := range []string{
		"name: a\nhost: []\n",
		"hosts: []\n",
		"name: a\ndefaults: {sudoPassword: hunter2}\n",
		"name: a\ndefaults: {sudoPassword: {env: A, file: b}}\n",
		"name: a\ndefaults: {port: 0}\n",
		"name: a\ndefaults: {taints: [gpu]}\n",
		"name: a\nnetwork: {flannelBackend: ipsec}\n",
		"name: a\nk3s: {config: {node-label: [x]}}\n",
		"name: a\nk3s: {config: {debug: text}}\n",
		"name: a\nhosts: [{address: x, role: master}]\n",
		"name: a\nhosts: [{address: x, gpus: many}]\n",
		"name: a\nhosts: [{role: both}]\n",
		"name: a\npools: [{role: both}]\n",
	} {
		if validate(t, s, []byte(text)) == nil {
			t.Errorf("the schema accepts\n%s", text)
		}
	}
}

func TestEveryFieldIsDescribed(t *testing.T) {
	t.Parallel()
	if n := strings.Count(string(Schema()), `"description": ""`); n > 0 {
		t.Errorf("%d fields have no doc tag", n)
	}
	golden(t, "testdata/schema.json", string(Schema()))
}
