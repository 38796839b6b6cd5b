package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/json/document"
	"github.com/hone-go/hone/json/jsontext"
)

var withComments = document.Options{AllowComments: true}

// commented returns a valid text with comments and commas at random places. It reads tokens with
// encoding/json.
func commented(r *rand.Rand, data []byte) (out []byte) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	add := func() {
		out = append(out, []string{"", "", " ", "// a\n", "/* ], \" */", "/**/", "//\r", "\n/* // */", "/* * / **/ "}[r.IntN(9)]...)
	}
	var empty []bool // of the open arrays and objects
	start := 0
	for {
		token, err := d.Token()
		if err != nil {
			add()
			return append(out, data[start:]...)
		}
		end := int(d.InputOffset())
		text := data[start:end]
		last := len(empty) - 1
		switch token {
		case json.Delim(']'), json.Delim('}'):
			out = append(out, text[:len(text)-1]...)
			if !empty[last] && r.IntN(3) == 0 {
				add()
				out = append(out, ',')
			}
			add()
			out = append(out, text[len(text)-1])
			empty = empty[:last]
		default:
			// The comma or colon before the token, and white space.
			i := 0
			for i < len(text) && bytes.IndexByte([]byte(" \t\r\n,:"), text[i]) >= 0 {
				if text[i] == ',' || text[i] == ':' {
					add()
				}
				out = append(out, text[i])
				add()
				i++
			}
			add()
			out = append(out, text[i:]...)
			if last >= 0 {
				empty[last] = false
			}
			if token == json.Delim('[') || token == json.Delim('{') {
				empty = append(empty, true)
			}
		}
		start = end
	}
}

// TestComments adds comments to random texts. The values must be the same, and an edit must keep the
// comments.
func TestComments(t *testing.T) {
	var doc document.Document
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 4))
		plain := random.JSON(r, 4)
		data := commented(r, plain)
		before := bytes.Clone(data)
		want, err := anyOf(plain)
		if err != nil {
			t.Fatal(err)
		}
		if err := doc.Parse(data, withComments); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		compare(t, doc.Root(), doc.Root(), want, "")
		e := doc.Edit()
		for range 20 {
			_ = e.Delete(randomPointer(r, want) + "/no such name/x")
		}
		if same, err := e.Append(nil); err != nil || !bytes.Equal(same, data) {
			t.Fatalf("%q became %q, %v", data, same, err)
		}
		w := twin{want}
		for range 20 {
			pointer := randomPointer(r, w.root)
			if r.IntN(2) == 0 && pointer != "" {
				if e.Delete(pointer) == nil {
					w.root, _ = edit(w.root, split(pointer), "delete", nil)
				}
			} else if e.Insert(pointer, jsontext.Value(`"new"`)) == nil {
				w.root, _ = edit(w.root, split(pointer), "insert", "new")
			}
		}
		edited, err := e.Append(nil)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if err := doc.Parse(edited, withComments); err != nil {
			t.Fatalf("%q became %q: %v", before, edited, err)
		}
		compare(t, doc.Root(), doc.Root(), w.root, "")
		if !bytes.Equal(data, before) {
			t.Fatalf("Parse changed %q to %q", before, data)
		}
	}
}

// TestInvalidComments lists texts that are not JSON with comments. The offset is that of encoding/json for
// the text with spaces instead of comments.
func TestInvalidComments(t *testing.T) {
	for _, test := range []struct {
		text, plain string
	}{
		{"/* a", "/* a"}, {"1 /", "1 /"}, {"[1,,]", "[1,, ]"}, {"[,]", "[,]"}, {"{,}", "{,}"}, {`{"a":,}`, `{"a":,}`}, {`{"a",}`, `{"a" }`}, {"1,", "1,"}, {"1/**/2", "1    2"}, {"tr/**/ue", "tr    ue"},
		{"[1,}", "[1 }"}, {`["a//]`, `["a//]`}, {`["\`, `["\`}, {"// a", "    "}, {"", ""}, {"# a\n1", "# a\n1"}, {"[1 //]\n", "[1    \n"}, {"/*/ 1", "/*/ 1"}, {"[1,/*a*/]x", "[1      ]x"},
	} {
		_, err := document.Parse([]byte(test.text), withComments)
		want := json.Unmarshal([]byte(test.plain), new(any))
		if err == nil || want == nil || err.Error() != want.Error() || err.(*json.SyntaxError).Offset != want.(*json.SyntaxError).Offset {
			t.Errorf("%q: %v, want %v", test.text, err, want)
		}
	}
	for _, text := range []string{"[1,]", "// a\n1", "1/**/"} {
		if _, err := document.Parse([]byte(text)); !errors.As(err, new(*json.SyntaxError)) {
			t.Errorf("%q without the option: %v", text, err)
		}
	}
}

// TestEditComments lists edits of a text with comments.
func TestEditComments(t *testing.T) {
	const text = "{\n  // the port\n  \"port\": 80, // as ever\n  /* hosts */ \"hosts\": [\"a\", /* b */ \"b\",],\n} // end"
	for _, test := range []struct {
		edit func(e *document.Edit) error
		want string
	}{
		{func(e *document.Edit) error { return e.Set("/port", 443) }, "{\n  // the port\n  \"port\": 443, // as ever\n  /* hosts */ \"hosts\": [\"a\", /* b */ \"b\",],\n} // end"},
		{func(e *document.Edit) error { return e.Delete("/port") }, "{\n  /* hosts */ \"hosts\": [\"a\", /* b */ \"b\",],\n} // end"},
		{func(e *document.Edit) error { return e.Insert("/hosts/-", "c") }, "{\n  // the port\n  \"port\": 80, // as ever\n  /* hosts */ \"hosts\": [\"a\", /* b */ \"b\",\"c\",],\n} // end"},
		{func(e *document.Edit) error { return e.Delete("/hosts/0") }, "{\n  // the port\n  \"port\": 80, // as ever\n  /* hosts */ \"hosts\": [ /* b */ \"b\",],\n} // end"},
		{func(e *document.Edit) error { return e.Set("", 1) }, "1 // end"},
	} {
		doc, err := document.Parse([]byte(text), withComments)
		if err != nil {
			t.Fatal(err)
		}
		e := doc.Edit()
		editErr := test.edit(e)
		if got, err := e.Append(nil); editErr != nil || err != nil || string(got) != test.want {
			t.Errorf("%q, %v, %v\nwant %q", got, editErr, err, test.want)
		}
	}
}

// TestEditConfiguration lists edits of a configuration file. A comment goes with its member or element.
func TestEditConfiguration(t *testing.T) {
	const config = `// server
{
  // where it listens
  "port": 80, // http
  /* names */ "hosts": [
    "a", // first
    "b", /* second */
  ], // all hosts
  "debug": true, // off in production
}
// end
`
	for _, c := range []struct {
		edit     func(e *document.Edit) error
		old, new string // the change in config
	}{
		{func(e *document.Edit) error { return nil }, "", ""},
		{func(e *document.Edit) error { return e.Set("/port", 8080) }, "80,", "8080,"},
		{func(e *document.Edit) error { return e.Delete("/port") }, "  // where it listens\n  \"port\": 80, // http\n", ""},
		{func(e *document.Edit) error { return e.Delete("/debug") }, "\n  \"debug\": true, // off in production", ""},
		{func(e *document.Edit) error { return e.Set("/tls", true) }, "true, // off in production", "true, // off in production\n  \"tls\": true,"},
		{func(e *document.Edit) error { return e.Set("/hosts/-", "c") }, "\"b\", /* second */", "\"b\", /* second */\n    \"c\","},
		{func(e *document.Edit) error { return e.Insert("/hosts/0", "c") }, "\"a\",", "\"c\",\n    \"a\","},
		{func(e *document.Edit) error { return e.Insert("/hosts/1", "c") }, "// first\n", "// first\n    \"c\",\n"},
		{func(e *document.Edit) error { return e.Delete("/hosts/0") }, "\n    \"a\", // first", ""},
		{func(e *document.Edit) error { return e.Delete("/hosts/1") }, "\n    \"b\", /* second */", ""},
	} {
		doc, err := document.Parse([]byte(config), withComments)
		if err != nil {
			t.Fatal(err)
		}
		e := doc.Edit()
		if err := c.edit(e); err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(config, c.old, c.new, 1)
		if got, err := e.Append(nil); err != nil || string(got) != want {
			t.Errorf("%s, %v, not %s", got, err, want)
		}
	}
}

// FuzzComments compares the options on any text: a text that is valid without comments has the same values
// with the option, and a text with comments must survive an edit.
func FuzzComments(f *testing.F) {
	for _, text := range []string{"[1,]", "// a\n1", "{\"a\":[/*x*/],}", "1/**/", `["/*", "\"//"]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := document.Parse(data, withComments)
		plain, plainErr := document.Parse(data)
		if plainErr == nil && (err != nil || !plain.Root().Equal(doc.Root()) || !bytes.Equal(plain.Root().Raw(), doc.Root().Raw())) {
			t.Fatalf("%q: %v", data, err)
		}
		if err != nil {
			return
		}
		e := doc.Edit()
		openAll(e, doc.Root())
		if same, err := e.Append(nil); err != nil || !bytes.Equal(same, data) {
			t.Fatalf("%q became %q, %v", data, same, err)
		}
	})
}

// openAll leads pointers that change nothing through every array and object.
func openAll(e *document.Edit, v document.Value) {
	_ = e.Delete(v.Location() + "/no such name")
	for _, elem := range v.Elements() {
		if elem.Exists() {
			openAll(e, elem)
		}
	}
	for _, member := range v.Members() {
		if member.Exists() {
			openAll(e, member)
		}
	}
}

// TestEditKeepsComments lists comments of an array that belong to none of the removed elements.
func TestEditKeepsComments(t *testing.T) {
	remove := func(pointer string) func(e *document.Edit) error {
		return func(e *document.Edit) error { return e.Delete(pointer) }
	}
	add := func(pointer string) func(e *document.Edit) error {
		return func(e *document.Edit) error { return e.Set(pointer, 1) }
	}
	for _, c := range []struct {
		text string
		edit func(e *document.Edit) error
		want string
	}{
		{"[1 // one\n, 2]", remove("/1"), "[1 // one\n]"},
		{"[1 /* one */, 2]", remove("/1"), "[1 /* one */]"},
		{"[1, 2 // two\n ,// x\n 3 // three\n]", remove("/2"), "[1, 2 // two\n // x\n]"},
		{"[\n  // nothing yet\n]", add("/-"), "[\n1\n  // nothing yet\n]"},
		{"{ // settings\n}", add("/a"), "{ // settings\n\"a\":1\n}"},
		{"{ /* empty */ }", add("/a"), "{\"a\":1 /* empty */ }"},
		{"[\n  1\n  // add more here\n]", remove("/0"), "[\n  // add more here\n]"},
		{"[ // list\n  1\n]", remove("/0"), "[ // list\n]"},
		{"[ 1 ]", remove("/0"), "[]"},
		{"[1, // one\n]", remove("/0"), "[]"},
	} {
		doc, err := document.Parse([]byte(c.text), withComments)
		if err != nil {
			t.Fatal(err)
		}
		e := doc.Edit()
		editErr := c.edit(e)
		if got, err := e.Append(nil); editErr != nil || err != nil || string(got) != c.want {
			t.Errorf("%q becomes %q, %v, %v; want %q", c.text, got, editErr, err, c.want)
		}
	}
}

// TestCommentsWithoutEnd has a text that would take quadratic time if each comment were searched for to the end.
func TestCommentsWithoutEnd(t *testing.T) {
	if _, err := document.Parse(bytes.Repeat([]byte("/*a"), 1<<20), withComments); err == nil {
		t.Error("the text is accepted")
	}
}
