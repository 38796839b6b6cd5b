package gen

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/wire/schema"
)

func parse(text string) (*schema.Schema, error) {
	s := new(schema.Schema)
	if err := json.Unmarshal([]byte(text), s); err != nil {
		return nil, err
	}
	return s, s.Check()
}

// sample returns a schema with difficult names: two types of the same name, generic types,
// keywords, names that differ in case alone, and structs without a name.
func sample(t *testing.T) *schema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "sample.json"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSample generates the code for the sample. It must be the same each time, and the same as in
// testdata/sample.ts and sample.py, which HONE_UPDATE=1 writes.
func TestSample(t *testing.T) {
	s := sample(t)
	for _, one := range []target{typeScriptTarget, pythonTarget} {
		code, err := one.generate(s)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if again, err := one.generate(s); err != nil || !bytes.Equal(again, code) {
				t.Fatalf("%s: the same schema yields different code: %v", one.language.name, err)
			}
		}
		name := filepath.Join("testdata", "sample"+one.suffix)
		if os.Getenv("HONE_UPDATE") != "" {
			if err := os.WriteFile(name, code, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(code, want) {
			t.Errorf("%s differs from %s:\n%s", one.language.name, name, code)
		}
	}
}

// TestUse runs programs that use the code for the sample: use.ts and use.py. Both must print the
// text in use.txt, which HONE_UPDATE=1 writes.
func TestUse(t *testing.T) {
	use := filepath.Join("testdata", "use.txt")
	want, err := os.ReadFile(use)
	if err != nil {
		t.Fatal(err)
	}
	prepare := func(t *testing.T, one target, script string) (dir string) {
		dir = t.TempDir()
		code, err := one.generate(sample(t))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join("testdata", script))
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{"sample" + one.suffix: code, one.runtimeName: one.runtime, script: text} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	t.Run("TypeScript", func(t *testing.T) {
		node, tsc := testkit.Tool(t, "node"), testkit.Tool(t, "tsc")
		dir := prepare(t, typeScriptTarget, "use.ts")
		compile(t, tsc, dir)
		if got := run(t, dir, nil, node, "use.js"); !bytes.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
	t.Run("Python", func(t *testing.T) {
		python := testkit.Tool(t, "python3")
		dir := prepare(t, pythonTarget, "use.py")
		got := run(t, dir, nil, python, "-B", "-W", "error", "use.py")
		if os.Getenv("HONE_UPDATE") != "" {
			if err := os.WriteFile(use, got, 0o644); err != nil {
				t.Fatal(err)
			}
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// TestNames lists Go names, and the names of types, properties and attributes that the generators
// must make from them.
func TestNames(t *testing.T) {
	for _, test := range []struct{ name, typ, property, attribute string }{
		{"Name", "Name", "name", "name"},
		{"UserID", "UserID", "userId", "user_id"},
		{"UserIDs", "UserIDs", "userIds", "user_ids"},
		{"HTTPServer", "HTTPServer", "httpServer", "http_server"},
		{"X509Cert", "X509Cert", "x509Cert", "x509_cert"},
		{"snake_case", "SnakeCase", "snakeCase", "snake_case"},
		{"Class", "Class", "class", "class_"},
		{"Self", "Self", "self", "self_"},
		{"List", "List", "list", "list_"},
		{"__proto__", "Proto", "proto", "proto"},
		{"2nd", "Type2nd", "_2nd", "_2nd"},
		{"Größe", "Größe", "größe", "größe"},
		{"日本", "日本", "日本", "u65e5u672c"},
		{"model.User", "User", "modelUser", "model_user"},
		{"app.Page[example.org/x/app.User]", "PageUser", "appPageExampleOrgXAppUser", "app_page_example_org_x_app_user"},
		{"app.Pair[string,map[string][]int]", "PairStringMapStringInt", "appPairStringMapStringInt", "app_pair_string_map_string_int"},
		{"", "Type", "", ""},
	} {
		if got := typeScript.typeName(test.name, false); got != test.typ {
			t.Errorf("%s: type %s; want %s", test.name, got, test.typ)
		}
		if test.name == "" {
			continue
		}
		if got := identifier(typeScript.property(typeScript.words(test.name)), "_"); got != test.property {
			t.Errorf("%s: property %s; want %s", test.name, got, test.property)
		}
		if got := identifier(python.property(python.words(test.name)), "_"); got != test.attribute {
			t.Errorf("%s: attribute %s; want %s", test.name, got, test.attribute)
		}
	}
}

// TestErrors checks schemas that are refused because no code can be generated for them.
func TestErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"version":2,"type":{"kind":"bool"}}`, "version 2"},
		{`{"version":1,"type":{"kind":"ref","name":"a"},"types":{"a":{"kind":"struct","evolving":true,"fields":[{"name":"A","type":{"kind":"ref","name":"a"}}]}}}`, "contains itself"},
		{`{"version":1,"type":{"kind":"ref","name":"a"},"types":{"a":{"kind":"union","tag":"byte","cases":[{"id":0,"name":"x","type":{"kind":"ref","name":"a"}}]}}}`, "contains itself"},
		{`{"version":1,"type":{"kind":"slice","length":"u8","elem":{"kind":"bigint","length":"u8"}}}`, "only uvarint"},
	} {
		s := new(schema.Schema)
		if err := json.Unmarshal([]byte(test.text), s); err != nil {
			t.Fatal(err)
		}
		for _, one := range []target{typeScriptTarget, pythonTarget} {
			if _, err := one.generate(s); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v; want %s", test.text, err, test.want)
			}
		}
	}
}

// TestGivenNames checks that a property has the name that Names contains for its field, and that no
// other property gets this name.
func TestGivenNames(t *testing.T) {
	for _, generate := range []func(*schema.Schema, Names) ([]byte, error){TypeScriptNamed, PythonNamed} {
		code, err := generate(sample(t), Names{"Order.ID": "url", "OrderItemsItem.SKU": "stock_keeping_unit"})
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{`"ID", "url"`, `"SKU", "stock_keeping_unit"`} {
			if !bytes.Contains(code, []byte(part)) {
				t.Errorf("the code has no %s:\n%.2000s", part, code)
			}
		}
		for _, test := range []struct {
			names Names
			want  string
		}{
			{Names{"Order.Id": "id"}, "no field Order.Id"},
			{Names{"Order.Discount": "discount"}, "no field Order.Discount"},
			{Names{"Order.ID": "a b"}, "letters, digits"},
			{Names{"Order.ID": "__proto__"}, "letters, digits"},
			{Names{"Order.ID": ""}, "letters, digits"},
			{Names{"Order.ID": "x", "Order.From": "x"}, `have the name "x"`},
		} {
			if _, err := generate(sample(t), test.names); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v: %v, want %s", test.names, err, test.want)
			}
		}
	}
}
