package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/json/document"
)

// TestPatchSuite runs the published suite for RFC 6902, including the cases that it disables because not
// all libraries pass them.
func TestPatchSuite(t *testing.T) {
	ran := 0
	for _, name := range []string{"tests.json", "spec_tests.json"} {
		text, err := os.ReadFile(filepath.Join("testdata", "json-patch", name))
		if err != nil {
			t.Fatal(err)
		}
		var cases []struct {
			Comment, Error       string
			Doc, Patch, Expected json.RawMessage
		}
		if err := json.Unmarshal(text, &cases); err != nil {
			t.Fatal(err)
		}
		for i, c := range cases {
			ran++
			got, err := document.Patch(c.Doc, c.Patch)
			want := c.Expected
			if want == nil && c.Error == "" {
				want = c.Doc // a test that passes
			}
			if c.Error != "" {
				var failed *document.PatchError
				if got != nil || !errors.As(err, &failed) {
					t.Errorf("%s, case %d, %s: %s, %v; want the error %s", name, i, c.Comment, got, err, c.Error)
				}
				continue
			}
			if err != nil || !equal(t, got, want) {
				t.Errorf("%s, case %d, %s: %s, %v; want %s", name, i, c.Comment, got, err, want)
			}
		}
	}
	if ran != 112 {
		t.Errorf("ran %d cases", ran)
	}
}

// equal reports whether two texts decode to the same value.
func equal(t *testing.T, a, b []byte) bool {
	t.Helper()
	x, err1 := anyOf(a)
	y, err2 := anyOf(b)
	if err1 != nil || err2 != nil {
		t.Fatalf("%s: %v; %s: %v", a, err1, b, err2)
	}
	return reflect.DeepEqual(x, y)
}

// TestPatchErrors lists errors of patches.
func TestPatchErrors(t *testing.T) {
	for _, test := range []struct {
		patch, want string
		cause       error
	}{
		{`{}`, "document: the value is an object, not an array", document.ErrKind},
		{`[1]`, "document: patch operation 0 (): /0: the value is a number, not an object", document.ErrKind},
		{`[{"op":"test","path":"/a","value":[1]},{"op":"test","path":"/a/0","value":2}]`, "document: patch operation 1 (test): /a/0: " + document.ErrTest.Error(), document.ErrTest},
		{`[{"op":"remove","path":""}]`, "document: patch operation 0 (remove): the root cannot be removed", document.ErrPointer},
		{`[{"op":"replace","path":"/b","value":1}]`, "document: patch operation 0 (replace): /b: no such member", document.ErrNotFound},
		{`[{"op":"add","path":"/a/2","value":1}]`, "document: patch operation 0 (add): /a/2: no such element", document.ErrNotFound},
		{`[{"op":"add","path":"/a/0/x~1y","value":1}]`, "document: patch operation 0 (add): /a/0: the value is a number, not an array or an object", document.ErrKind},
		{`[{"op":"add","path":"/a/0/x/y","value":1}]`, "document: patch operation 0 (add): /a/0: the value is a number, not an array or an object", document.ErrKind},
		{`[{"op":"move","from":"/a","path":"/a/0"}]`, "document: patch operation 0 (move): /a: a value cannot be moved into itself", document.ErrPointer},
		{`[{"op":"add","path":"a","value":1}]`, "document: patch operation 0 (add): " + document.ErrPointer.Error() + ": a", document.ErrPointer},
		{`[{"op":"spam","path":"a"}]`, "document: patch operation 0 (spam): /0/op: " + document.ErrOperation.Error(), document.ErrOperation},
	} {
		got, err := document.Patch([]byte(`{"a":[1]}`), []byte(test.patch))
		if err == nil || err.Error() != test.want || !errors.Is(err, test.cause) || got != nil {
			t.Errorf("%s: %s, %v\nwant %s", test.patch, got, err, test.want)
		}
	}
	if _, err := document.Patch([]byte(`{`), []byte(`[]`)); !errors.As(err, new(*json.SyntaxError)) {
		t.Errorf("an invalid text: %v", err)
	}
	if _, err := document.Patch([]byte(`{}`), []byte(`[`)); !errors.As(err, new(*json.SyntaxError)) {
		t.Errorf("an invalid patch: %v", err)
	}
}

// TestPatchBounds applies patches that would double the text many times, or nest it too deeply.
func TestPatchBounds(t *testing.T) {
	double := "[" + strings.TrimSuffix(strings.Repeat(`{"op":"copy","from":"/a","path":"/a/-"},`, 100), ",") + "]"
	if _, err := document.Patch([]byte(`{"a":["`+strings.Repeat("x", 1000)+`"]}`), []byte(double)); !errors.Is(err, document.ErrCopySize) {
		t.Errorf("copies: %v", err)
	}
	if _, err := document.Patch([]byte(`{"a":[12345]}`), []byte(double), document.PatchOptions{MaxCopy: 6}); !errors.Is(err, document.ErrCopySize) {
		t.Errorf("copies of 7 bytes: %v", err)
	}
	test := "[" + strings.TrimSuffix(strings.Repeat(`{"op":"test","path":"","value":1},`, 100), ",") + "]"
	if _, err := document.Patch([]byte("1."+strings.Repeat("0", 1<<20)), []byte(test)); !errors.Is(err, document.ErrCopySize) {
		t.Errorf("tests of a long number: %v", err)
	}
	deep := strings.Repeat("[", 6000) + strings.Repeat("]", 6000)
	nest := fmt.Sprintf(`[{"op":"add","path":"","value":%s},{"op":"add","path":"%s","value":%s}]`, deep, strings.Repeat("/0", 5999)+"/-", deep)
	if _, err := document.Patch([]byte(`1`), []byte(nest)); !errors.Is(err, document.ErrDepth) {
		t.Errorf("nested values: %v", err)
	}
}

// TestPatchManyOperations inserts at the start of a long array, and adds and removes members of a large
// object. The time of each operation must not depend on the length.
func TestPatchManyOperations(t *testing.T) {
	const n = 20_000
	var patch bytes.Buffer
	patch.WriteByte('[')
	for i := range n {
		fmt.Fprintf(&patch, `{"op":"add","path":"/list/0","value":%d},{"op":"add","path":"/object/m%d","value":[]},{"op":"remove","path":"/object/%d"},`, i, i, 2*i)
	}
	patch.WriteString(`{"op":"remove","path":"/list/0"}]`)
	list, object := make([]string, 0, 2*n), make([]string, 0, 2*n)
	for i := range 2 * n {
		list = append(list, "0")
		object = append(object, fmt.Sprintf(`"%d":0`, i))
	}
	got, err := document.Patch([]byte(`{"list":[`+strings.Join(list, ",")+`],"object":{`+strings.Join(object, ",")+`}}`), patch.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	root := parse(t, string(got))
	if v, err := root.Pointer("/list/0").Int64(); v != n-2 || err != nil || root.Get("list").Len() != 3*n-1 || root.Get("object").Len() != 2*n {
		t.Errorf("%d, %v; %d elements, %d members", v, err, root.Get("list").Len(), root.Get("object").Len())
	}
}

// TestMergePatch has the examples of RFC 7396, appendix A.
func TestMergePatch(t *testing.T) {
	for _, test := range []struct{ original, patch, want string }{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`["a","b"]`, `["c","d"]`, `["c","d"]`},
		{`{"a":"b"}`, `["c"]`, `["c"]`},
		{`{"a":"foo"}`, `null`, `null`},
		{`{"a":"foo"}`, `"bar"`, `"bar"`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
		// The example of section 3, and names that occur several times.
		{`{"title":"Goodbye!","author":{"givenName":"John","familyName":"Doe"},"tags":["example","sample"],"content":"This will be unchanged"}`,
			`{"title":"Hello!","phoneNumber":"+01-123-456-7890","author":{"familyName":null},"tags":["example"]}`,
			`{"title":"Hello!","author":{"givenName":"John"},"tags":["example"],"content":"This will be unchanged","phoneNumber":"+01-123-456-7890"}`},
		{`{"a":1}`, `{"a":{"x":1},"b":null,"\u0061":{"y":2},"b":3}`, `{"a":{"y":2},"b":3}`},
		{`{"a":1,"b":2,"a":3}`, `{"a":null}`, `{"b":2}`},
		{" { \"a\" : 1 ,\n \"b\":2}\n", `{"b":3}`, " { \"a\" : 1 ,\n \"b\":3}\n"},
	} {
		got, err := document.MergePatch([]byte(test.original), []byte(test.patch))
		if err != nil || string(got) != test.want {
			t.Errorf("%s with %s: %s, %v\nwant %s", test.original, test.patch, got, err, test.want)
		}
	}
}

// TestEqual compares values as a patch does.
func TestEqual(t *testing.T) {
	zeros := strings.Repeat("0", 30)
	equals := [][]string{
		{`1`, `1.0`, `10e-1`, `0.1e1`, `1E0`, `1e+0`, `100e-0002`, `0.001e3`}, {`0`, `-0`, `0.0`, `0e99999999999999999999`, `-0.00e-5`}, {`-1`, `-1.0`}, {`1.5`, `15e-1`}, {`10.5`, `1.05e1`, `105e-1`},
		{`1e100000000000000000000`, `10e99999999999999999999`, `0.1e100000000000000000001`, `1` + zeros + `e99999999999999999970`}, {`1e-100000000000000000000`, `10e-100000000000000000001`},
		{`1e999999999999999999`, `10e999999999999999998`, `0.1e1000000000000000000`}, {`1e1000000000000000000`, `0.01e1000000000000000002`}, {`-1e1000000000000000000`}, {`1e-1000000000000000000`},
		{`12345678901234567890`}, {`12345678901234567891`}, {`"a"`, `"\u0061"`}, {`""`}, {`"é"`, `"\u00e9"`}, {`null`}, {`true`}, {`false`},
		{`[]`, `[ ]`}, {`[1,[2]]`, `[1.0, [2e0]]`}, {`[1]`}, {`{}`}, {`{"a":1,"b":{"c":[]}}`, `{"b":{"c":[]},"a":1}`, `{"\u0061":2,"b":0,"a":1,"b":{"c":[]}}`}, {`{"a":1}`}, {`{"a":1,"c":{"c":[]}}`}, {`{"a":1,"b":null}`},
	}
	for i, class := range equals {
		for _, a := range class {
			for j, other := range equals {
				for _, b := range other {
					if got := parse(t, a).Equal(parse(t, b)); got != (i == j) {
						t.Errorf("%s and %s are equal: %v", a, b, got)
					}
				}
			}
		}
	}
	if (document.Value{}).Equal(document.Value{}) {
		t.Error("failures are equal")
	}
}
