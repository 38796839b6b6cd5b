package document_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/json/document"
)

func parse(t testing.TB, text string, options ...document.Options) document.Value {
	t.Helper()
	doc, err := document.Parse([]byte(text), options...)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root()
}

// TestErrors lists the texts of errors, and their fields.
func TestErrors(t *testing.T) {
	root := parse(t, `{"a":[1,"x"],"b/c":{"d~":{"n":1.0}},"s":"text","z":null, "long": 123456789012345678901234567890123456789012345678901234567890}`)
	number := func(v document.Value) error { _, err := v.Int64(); return err }
	for _, test := range []struct {
		err     error
		text    string
		pointer string
		offset  int64
		cause   error
	}{
		{number(root.Get("a").Index(3)), "document: /a/3: no such element; the array has 2", "/a/3", 5, document.ErrNotFound},
		{number(root.Get("a").Index(-1).Get("x")), "document: /a/-1: no such element; the array has 2", "/a/-1", 5, document.ErrNotFound},
		{number(root.Get("x").Get("y").Index(0)), "document: /x: no such member", "/x", 0, document.ErrNotFound},
		{number(root.Get("b/c").Get("~/")), "document: /b~1c/~0~1: no such member", "/b~1c/~0~1", 19, document.ErrNotFound},
		{number(root.Pointer("/b~1c/d~0/n")), "document: /b~1c/d~0/n: the number 1.0 is not an int64", "/b~1c/d~0/n", 30, document.ErrRange},
		{number(root.Get("long")), "document: /long: the number 1234567890123456789012345678901234567890… is not an int64", "/long", 65, document.ErrRange},
		{number(root.Get("s")), "document: /s: the value is a string, not a number", "/s", 40, document.ErrKind},
		{number(root), "document: the value is an object, not a number", "", 0, document.ErrKind},
		{number(root.Get("z").Get("y")), "document: /z: the value is null, not an object", "/z", 51, document.ErrKind},
		{root.Pointer("/a/-").Err(), "document: /a/-: not the number of an element", "/a/-", 5, document.ErrNotFound},
		{root.Pointer("/a/01").Err(), "document: /a/01: not the number of an element", "/a/01", 5, document.ErrNotFound},
		{root.Pointer("/a/1/2").Err(), "document: /a/1: the value is a string, not an object", "/a/1", 8, document.ErrKind},
		{root.Pointer("a").Err(), `document: invalid JSON pointer: "a"`, "", 0, document.ErrPointer},
		{root.Get("a").Pointer("/~2").Err(), `document: /a: invalid JSON pointer: "/~2"`, "/a", 5, document.ErrPointer},
		{document.Value{}.Err(), "document: " + document.ErrNoValue.Error(), "", -1, document.ErrNoValue},
		{number(document.Value{}.Get("a").Index(0).Pointer("/a")), "document: " + document.ErrNoValue.Error(), "", -1, document.ErrNoValue},
		{root.Get("a").Decode(new([]int)), "document: /a/1: " + json.Unmarshal([]byte(`[1,"x"]`), new([]int)).Error(), "/a/1", 8, nil},
		{root.Get("a").Decode(nil), "document: /a: json: Unmarshal(nil)", "/a", 5, nil},
		{root.Get("x").Decode(new(int)), "document: /x: no such member", "/x", 0, document.ErrNotFound},
	} {
		var e *document.Error
		if !errors.As(test.err, &e) {
			t.Errorf("%v, want %s", test.err, test.text)
			continue
		}
		if e.Error() != test.text || e.Pointer != test.pointer || e.Offset != test.offset || test.cause != nil && !errors.Is(e, test.cause) {
			t.Errorf("%v (pointer %q, offset %d)\nwant %s (pointer %q, offset %d)", e, e.Pointer, e.Offset, test.text, test.pointer, test.offset)
		}
	}
	var mismatch *json.UnmarshalTypeError
	if err := root.Get("a").Decode(new([]int)); !errors.As(err, &mismatch) {
		t.Errorf("%v wraps no UnmarshalTypeError", err)
	}
}

// TestStrictErrors checks where duplicate names and invalid UTF-8 are found.
func TestStrictErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`[{"a":1,"b":{"x":1,"\u0078":2}}]`, "document: /0/b/x: duplicate name"},
		{"[{\"a\":1,\"\xff\":2}]", "document: /0/\ufffd: invalid UTF-8 in a string"},
		{"{\"a\":[\"\xff\"]}", "document: /a/0: invalid UTF-8 in a string"},
		{`{"a":["\ud800"]}`, "document: /a/0: invalid UTF-8 in a string"},
	} {
		_, err := document.Parse([]byte(test.text), document.Options{RejectDuplicateNames: true, RejectInvalidUTF8: true})
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.text, err, test.want)
		}
	}
}

// TestStale reads Values of an earlier text.
func TestStale(t *testing.T) {
	var doc document.Document
	if err := doc.Root().Err(); !errors.Is(err, document.ErrNoValue) {
		t.Errorf("the root of the zero Document: %v", err)
	}
	if err := doc.Parse([]byte(`{"a":[1,2,3]}`)); err != nil {
		t.Fatal(err)
	}
	old := doc.Root().Get("a")
	var names []document.Name
	for name := range doc.Root().Members() {
		names = append(names, name)
	}
	missing := doc.Root().Get("b")
	if err := doc.Parse([]byte(`1`)); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{old.Err(), old.Index(1).Err(), old.Get("x").Err(), old.Pointer("/1").Err(), missing.Err(), old.Decode(new(any))} {
		if !errors.Is(err, document.ErrNoValue) {
			t.Errorf("an earlier value: %v", err)
		}
	}
	if old.Raw() != nil || old.Len() != 0 || old.Offset() != -1 || old.Location() != "" || names[0].String() != "" || names[0].Is("") || names[0].Raw() != nil {
		t.Error("an earlier value is read from the new text")
	}
	if err := doc.Parse([]byte(`{"a":[1,2,3]}`)); err != nil {
		t.Fatal(err)
	}
	for range doc.Root().Get("a").Elements() {
		_ = doc.Parse([]byte(`[]`)) // the loop ends
	}
}

// TestPointer has the examples of RFC 6901, section 5.
func TestPointer(t *testing.T) {
	text := `{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}`
	root := parse(t, text)
	for pointer, want := range map[string]string{
		"": text, "/foo": `["bar","baz"]`, "/foo/0": `"bar"`, "/": "0", "/a~1b": "1", "/c%d": "2", "/e^f": "3", "/g|h": "4", "/i\\j": "5", "/k\"l": "6", "/ ": "7", "/m~0n": "8",
	} {
		if got := root.Pointer(pointer); string(got.Raw()) != want || got.Location() != pointer {
			t.Errorf("%q: %s %v, at %q", pointer, got.Raw(), got.Err(), got.Location())
		}
	}
	for pointer, want := range map[string]error{
		"foo": document.ErrPointer, "/~": document.ErrPointer, "/a~2b": document.ErrPointer, "~0": document.ErrPointer, "/foo/2": document.ErrNotFound, "/foo/-": document.ErrNotFound,
		"/foo/00": document.ErrNotFound, "/foo/+1": document.ErrNotFound, "/foo/-1": document.ErrNotFound, "/foo/": document.ErrNotFound, "/foo/99999999999999999999": document.ErrNotFound,
		"/foo/4294967296": document.ErrNotFound, "/foo/18446744073709551616": document.ErrNotFound, "/Foo": document.ErrNotFound, "/foo/0/x": document.ErrKind,
	} {
		if err := root.Pointer(pointer).Err(); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", pointer, err, want)
		}
	}
}

// TestDeep reads the innermost value of a text with 10,000 levels.
func TestDeep(t *testing.T) {
	const depth = 10000
	v := parse(t, strings.Repeat("[", depth)+strings.Repeat("]", depth))
	for range depth - 1 {
		v = v.Index(0)
	}
	if v.Kind() != document.Array || v.Len() != 0 || v.Location() != strings.Repeat("/0", depth-1) {
		t.Errorf("the innermost value is %s, at %.20s", v.Raw(), v.Location())
	}
	if text := v.Index(0).Err().Error(); len(text) > 300 {
		t.Errorf("the error has %d bytes", len(text))
	}
}

// TestErrorCost creates an error for each value of a long text. The pointers of all errors together may be
// only a few times as long as the text.
func TestErrorCost(t *testing.T) {
	const n = 20000
	name := strings.Repeat("n", 10000)
	root := parse(t, `{"`+name+`":[`+strings.Repeat(`{},`, n)+`{}]}`)
	total, last := 0, error(nil)
	for _, v := range root.Get(name).Elements() {
		last = v.Get("id").Err()
		total += len(last.(*document.Error).Pointer)
	}
	if total > 10*n*8 {
		t.Errorf("the pointers have %d bytes", total)
	}
	if want := fmt.Sprintf("document: offset %d: no such member", len(name)+5+3*n); last.Error() != want {
		t.Errorf("%v, want %s", last, want)
	}
}

// TestConcurrent reads from one Document in several goroutines, which build its tables at once.
func TestConcurrent(t *testing.T) {
	var doc document.Document
	for range 20 {
		if err := doc.Parse([]byte(bigArray(200, bigObject(100)))); err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for i := range 200 {
					v := doc.Root().Index(i)
					if n, err := v.Get("95").Index(0).Int64(); n != 95 || err != nil {
						t.Errorf("%d, %v", n, err)
					}
					if v.Get("none").Err() == nil {
						t.Error("there is a member none")
					}
				}
			})
		}
		group.Wait()
	}
}

// TestAllocs checks that reading from a Document whose memory is large enough does not allocate.
func TestAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	var doc document.Document
	text := []byte(`{"id":12345678,"name":"Ada","ok":true,"f":1.5e3,"\u0061":[1,{"b":2}],"list":` + bigArray(300, "[%]") + `,"big":` + bigObject(200) + `}`)
	var buf []byte
	read := func() {
		if err := doc.Parse(text); err != nil {
			t.Fatal(err)
		}
		root := doc.Root()
		id, err1 := root.Get("id").Int64()
		ok, err2 := root.Get("ok").Bool()
		f, err3 := root.Get("f").Float64()
		b, err4 := root.Pointer("/a/1/b").Uint64()
		last, err5 := root.Get("list").Index(299).Index(0).Int64()
		big, err6 := root.Get("big").Get("195").Index(0).Int64()
		var err7 error
		buf, err7 = root.Get("name").AppendString(buf[:0])
		if err := errors.Join(err1, err2, err3, err4, err5, err6, err7); err != nil || id != 12345678 || !ok || f != 1500 || b != 2 || last != 299 || big != 195 || string(buf) != "Ada" {
			t.Fatal(err)
		}
		if _, there := root.Lookup("none"); there {
			t.Fatal("there is a member none")
		}
		n := 0
		for name, member := range root.Members() {
			if name.Is("a") {
				for _, elem := range member.Elements() {
					n += int(elem.Kind())
				}
			}
		}
	}
	read()
	if n := testing.AllocsPerRun(100, read); n > 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

// TestDense parses a text with so many short values that the index would be refused elsewhere.
func TestDense(t *testing.T) {
	const n = 600_000
	text := []byte("[" + strings.Repeat("[],", n) + "[]]")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	doc, err := document.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if v := doc.Root().Index(n); v.Kind() != document.Array || doc.Root().Len() != n+1 {
		t.Errorf("the last element: %v", v.Err())
	}
	// The index takes 24 bytes for each array. The rest has the words before the text was found to be dense.
	if size := after.TotalAlloc - before.TotalAlloc; size > 24*n+8*uint64(len(text)) {
		t.Errorf("%d bytes for a text of %d bytes", size, len(text))
	}
	for _, limit := range []int{24 * (n + 2), 24*(n+2) - 1, 1} {
		_, err := document.Parse(text, document.Options{MaxIndex: limit})
		if fits := limit == 24*(n+2); (err == nil) != fits || !fits && !errors.Is(err, document.ErrIndexSize) {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	if _, err := document.Parse([]byte("[1,2]"), document.Options{MaxIndex: 39}); !errors.Is(err, document.ErrIndexSize) {
		t.Errorf("a small limit: %v", err)
	}
}
