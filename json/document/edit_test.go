package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/json/document"
	"github.com/hone-go/hone/json/jsontext"
)

// TestEditText lists texts before and after edits, with their white space.
func TestEditText(t *testing.T) {
	lines := "{\n  \"a\": 1.50,\n  \"b\": [1, 2],\n  \"c\": {}\n}\n"
	for _, test := range []struct {
		text string
		edit func(e *document.Edit) error
		want string
	}{
		{lines, func(e *document.Edit) error { return e.Set("/b/1", "<x>") }, "{\n  \"a\": 1.50,\n  \"b\": [1, \"<x>\"],\n  \"c\": {}\n}\n"},
		{lines, func(e *document.Edit) error { return e.Set("/d", jsontext.Value(" [ 1 ] ")) }, "{\n  \"a\": 1.50,\n  \"b\": [1, 2],\n  \"c\": {},\n  \"d\": [ 1 ]\n}\n"},
		{lines, func(e *document.Edit) error { return e.Delete("/c") }, "{\n  \"a\": 1.50,\n  \"b\": [1, 2]\n}\n"},
		{lines, func(e *document.Edit) error { return e.Delete("/a") }, "{\n  \"b\": [1, 2],\n  \"c\": {}\n}\n"},
		{lines, func(e *document.Edit) error { return e.Insert("/b/0", 0) }, "{\n  \"a\": 1.50,\n  \"b\": [0, 1, 2],\n  \"c\": {}\n}\n"},
		{lines, func(e *document.Edit) error { return e.Insert("/b/-", 3) }, "{\n  \"a\": 1.50,\n  \"b\": [1, 2, 3],\n  \"c\": {}\n}\n"},
		{lines, func(e *document.Edit) error { return e.Set("/b/-", 3) }, "{\n  \"a\": 1.50,\n  \"b\": [1, 2, 3],\n  \"c\": {}\n}\n"},
		{lines, func(e *document.Edit) error { return e.Insert("/b/2", 3) }, "{\n  \"a\": 1.50,\n  \"b\": [1, 2, 3],\n  \"c\": {}\n}\n"},
		{lines, func(e *document.Edit) error { return e.Delete("/b/0") }, "{\n  \"a\": 1.50,\n  \"b\": [2],\n  \"c\": {}\n}\n"},
		{lines, func(e *document.Edit) error { return e.Set("/c/x~1\"", nil) }, "{\n  \"a\": 1.50,\n  \"b\": [1, 2],\n  \"c\": {\"x/\\\"\":null}\n}\n"},
		{lines, func(e *document.Edit) error { return e.Set("", true) }, "true\n"},
		{lines, func(e *document.Edit) error { return e.Set("/a", parse(t, `{"b": [1,2 ]}`).Get("b")) }, "{\n  \"a\": [1,2 ],\n  \"b\": [1, 2],\n  \"c\": {}\n}\n"},
		// Edits inside values that were set before.
		{`{}`, func(e *document.Edit) error {
			return errors.Join(e.Set("/a", []int{1, 2}), e.Set("/a/1", map[string]int{}), e.Set("/a/1/b", 1), e.Set("/a/1/b", 2), e.Delete("/a/0"))
		}, `{"a":[{"b":2}]}`},
		{`{"a":1}`, func(e *document.Edit) error { return errors.Join(e.Delete("/a"), e.Set("/a", 2), e.Delete("/a")) }, `{}`},
		{`[1]`, func(e *document.Edit) error { return errors.Join(e.Delete("/0"), e.Insert("/0", 2), e.Insert("/0", 1)) }, `[1,2]`},
		// Names that occur several times.
		{`{"a":1,"b":2,"\u0061":3}`, func(e *document.Edit) error { return e.Set("/a", 4) }, `{"b":2,"\u0061":4}`},
		{`{"a":1,"b":2,"\u0061":3}`, func(e *document.Edit) error { return e.Delete("/a") }, `{"b":2}`},
		{`{"a":{"x":1},"a":{"y":2}}`, func(e *document.Edit) error { return e.Delete("/a/y") }, `{"a":{"x":1},"a":{}}`},
		{" [ 1 , 2 ] ", func(e *document.Edit) error { return e.Delete("/1") }, " [ 1 ] "},
		{" [ 1 , 2 ] ", func(e *document.Edit) error { return e.Insert("/-", 3) }, " [ 1 , 2, 3 ] "},
	} {
		doc, err := document.Parse([]byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		e := doc.Edit()
		editErr := test.edit(e)
		got, err := e.Append([]byte("<"))
		if editErr != nil || err != nil || string(got) != "<"+test.want {
			t.Errorf("%q becomes %q, %v, %v\nwant %q", test.text, got, editErr, err, test.want)
		}
		if string(doc.Root().Raw()) != strings.TrimSpace(test.text) {
			t.Errorf("the text became %q", doc.Root().Raw())
		}
	}
}

// TestEditErrors checks that an edit with an error changes nothing.
func TestEditErrors(t *testing.T) {
	const text = `{"a":[1,{}],"s":"x"}`
	doc, err := document.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e := doc.Edit()
	for _, test := range []struct {
		err  error
		want error
	}{
		{e.Set("/a/2", 1), document.ErrNotFound}, {e.Set("/a/x", 1), document.ErrNotFound}, {e.Insert("/a/3", 1), document.ErrNotFound}, {e.Insert("/a/01", 1), document.ErrNotFound},
		{e.Set("/b/c", 1), document.ErrNotFound}, {e.Set("/s/c", 1), document.ErrKind}, {e.Set("/s/c/d", 1), document.ErrKind}, {e.Set("a", 1), document.ErrPointer}, {e.Set("/~", 1), document.ErrPointer}, {e.Set("/\xff", 1), document.ErrPointer}, {e.Delete("/\xff/a"), document.ErrPointer},
		{e.Delete(""), document.ErrPointer}, {e.Delete("/a/-"), document.ErrNotFound}, {e.Delete("/b"), document.ErrNotFound}, {e.Delete("x"), document.ErrPointer}, {e.Delete("/s/0"), document.ErrKind},
		{e.Set("/a", doc.Root().Get("b")), document.ErrNotFound}, {new(document.Document).Edit().Set("", 1), document.ErrNoValue}, {new(document.Document).Edit().Delete("/a"), document.ErrNoValue},
	} {
		if !errors.Is(test.err, test.want) {
			t.Errorf("%v, want %v", test.err, test.want)
		}
	}
	if err := e.Set("/a", jsontext.Value(`[1,]`)); !errors.As(err, new(*json.SyntaxError)) {
		t.Errorf("an invalid value: %v", err)
	}
	if err := e.Set("/a", json.RawMessage(``)); !errors.As(err, new(*json.SyntaxError)) {
		t.Errorf("an empty value: %v", err)
	}
	if err := e.Set("/a", make(chan int)); !errors.As(err, new(*json.UnsupportedTypeError)) {
		t.Errorf("a channel: %v", err)
	}
	if got, err := e.Append(nil); err != nil || string(got) != text {
		t.Errorf("the text is %s, %v", got, err)
	}
	if _, err := new(document.Document).Edit().Append(nil); !errors.Is(err, document.ErrNoValue) {
		t.Errorf("no text: %v", err)
	}
}

// TestStaleEdit edits a text that the Document no longer has.
func TestStaleEdit(t *testing.T) {
	var doc document.Document
	if err := doc.Parse([]byte(`{"a":[1,2,3]}`)); err != nil {
		t.Fatal(err)
	}
	e := doc.Edit()
	if err := e.Set("/a/1", 5); err != nil {
		t.Fatal(err)
	}
	if err := doc.Parse([]byte(`1`)); err != nil {
		t.Fatal(err)
	}
	_, appendErr := e.Append(nil)
	for _, err := range []error{e.Set("/a/1", 5), e.Set("", 5), e.Insert("/a/0", 5), e.Delete("/a/0"), appendErr} {
		if !errors.Is(err, document.ErrNoValue) {
			t.Errorf("%v", err)
		}
	}
}

// A twin is a text as Go values, on which edits are made in the simplest way. A member of the map is a *any.
type twin struct{ root any }

// split returns the unescaped tokens of a pointer.
func split(pointer string) (list []string) {
	for _, token := range strings.Split(pointer, "/")[1:] {
		list = append(list, strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"))
	}
	return list
}

// edit returns v after an operation at the place of the tokens. It may change v.
func edit(v any, tokens []string, op string, value any) (any, bool) {
	if len(tokens) == 0 {
		return value, op != "delete"
	}
	token, last := tokens[0], len(tokens) == 1
	switch v := v.(type) {
	case map[string]any:
		old, there := v[token]
		switch {
		case !last && !there, last && op == "delete" && !there:
			return v, false
		case last && op == "delete":
			delete(v, token)
			return v, true
		case last:
			v[token] = value
			return v, true
		}
		changed, ok := edit(old, tokens[1:], op, value)
		if ok {
			v[token] = changed
		}
		return v, ok
	case []any:
		i, err := strconv.Atoi(token)
		if token == "-" {
			i, err = len(v), nil
		}
		if err != nil || strconv.Itoa(i) != token && token != "-" || i < 0 || i > len(v) {
			return v, false
		}
		switch {
		case last && op != "delete" && (op == "insert" && i <= len(v) || token == "-"):
			return slices.Insert(v, i, value), true
		case i == len(v):
			return v, false
		case last && op == "delete":
			return slices.Delete(v, i, i+1), true
		}
		changed, ok := edit(v[i], tokens[1:], op, value)
		if ok {
			v[i] = changed
		}
		return v, ok
	}
	return v, false
}

// TestEditTwin makes random edits of random texts, and compares the result with the twin.
func TestEditTwin(t *testing.T) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 9))
		editRandomly(t, r, random.JSON(r, 4))
	}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 10))
		editRandomly(t, r, []byte(bigArray(3000, "[%]")))
		editRandomly(t, r, []byte(bigObject(500)))
	}
}

// FuzzEdit is like TestEditTwin, for any text.
func FuzzEdit(f *testing.F) {
	for i, text := range texts {
		if len(text) < 2000 {
			f.Add([]byte(text), uint64(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		if json.Valid(data) {
			editRandomly(t, rand.New(rand.NewPCG(seed, 11)), data)
		}
	})
}

func editRandomly(t *testing.T, r *rand.Rand, data []byte) {
	t.Helper()
	doc, err := document.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	x, err := anyOf(data)
	if err != nil {
		t.Fatal(err)
	}
	e, w := doc.Edit(), twin{x}
	// Pointers that lead nowhere open the arrays and objects on their way, and change nothing.
	for range 5 {
		_ = e.Delete(randomPointer(r, w.root) + "/no such name/x")
	}
	if same, err := e.Append(nil); err != nil || !bytes.Equal(same, data) {
		t.Fatalf("%q became %q, %v", data, same, err)
	}
	for range r.IntN(60) {
		pointer := randomPointer(r, w.root)
		op := []string{"set", "insert", "delete"}[r.IntN(3)]
		value := [...]string{`1`, `[1, 2]`, `{"a": {"b":[]}, "c":2}`, `{}`, `"é\n"`, `[]`}[r.IntN(6)]
		decoded, _ := anyOf([]byte(value))
		var editErr error
		switch op {
		case "set":
			editErr = e.Set(pointer, jsontext.Value(value))
		case "insert":
			editErr = e.Insert(pointer, jsontext.Value(value))
		case "delete":
			editErr = e.Delete(pointer)
		}
		if op == "delete" && pointer == "" {
			continue
		}
		var ok bool
		if w.root, ok = edit(w.root, split(pointer), op, decoded); ok != (editErr == nil) {
			t.Fatalf("%q: %s %q: %v, want success: %v", data, op, pointer, editErr, ok)
		}
	}
	got, err := e.Append(nil)
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	if x, err := anyOf(got); err != nil || !reflect.DeepEqual(x, w.root) {
		t.Fatalf("%q became %s, %v; want %v", data, got, err, w.root)
	}
}

// randomPointer returns a pointer to a value of x, or to a place where a value could be.
func randomPointer(r *rand.Rand, x any) string {
	pointer := ""
	for r.IntN(6) > 0 {
		var token string
		switch v := x.(type) {
		case []any:
			i := r.IntN(len(v) + 1)
			if token = strconv.Itoa(i); i == len(v) {
				return pointer + "/" + []string{"-", token, "0" + token, "x"}[r.IntN(4)]
			}
			x = v[i]
		case map[string]any:
			names := make([]string, 0, len(v))
			for name := range v {
				names = append(names, name)
			}
			slices.Sort(names)
			i := r.IntN(len(names) + 1)
			if i == len(names) {
				return pointer + "/" + fmt.Sprint("new", r.IntN(3))
			}
			token, x = names[i], v[names[i]]
		default:
			if r.IntN(4) > 0 {
				return pointer
			}
			return pointer + "/x"
		}
		pointer += "/" + pointerEscapes.Replace(token)
	}
	return pointer
}

// TestEditSpace edits texts with much white space, which new children must not multiply.
func TestEditSpace(t *testing.T) {
	space := strings.Repeat(" ", 100_000)
	for _, text := range []string{`{"a":` + space + `1}`, "[1," + space + "1]", "[" + space + "1]", "{" + space + `"a"` + space + ":1," + space + `"b":1}`} {
		doc, err := document.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		e := doc.Edit()
		for i := range 100 {
			pointer := fmt.Sprintf("/n%d", i)
			if doc.Root().Kind() == document.Array {
				pointer = "/-"
			}
			if err := e.Set(pointer, i); err != nil {
				t.Fatal(err)
			}
		}
		if out, err := e.Append(nil); err != nil || len(out) > 2*len(text)+100*600 {
			t.Errorf("%d bytes become %d, %v", len(text), len(out), err)
		}
	}
}

// TestMarshal encodes Values as parts of other values.
func TestMarshal(t *testing.T) {
	doc, err := document.Parse([]byte(`{"a":[1, 2.50],"b":0}`))
	if err != nil {
		t.Fatal(err)
	}
	v := doc.Root().Get("a")
	e := doc.Edit()
	if err := errors.Join(e.Set("/b", map[string]any{"moved": v, "whole": &v}), e.Set("/c", doc)); err != nil {
		t.Fatal(err)
	}
	const want = `{"a":[1, 2.50],"b":{"moved":[1,2.50],"whole":[1,2.50]},"c":{"a":[1,2.50],"b":0}}`
	if out, err := e.Append(nil); err != nil || string(out) != want {
		t.Errorf("%s, %v, not %s", out, err, want)
	}
	if err := e.Set("/b", []any{doc.Root().Get("missing")}); !errors.Is(err, document.ErrNotFound) {
		t.Errorf("a failure is encoded: %v", err)
	}
}

// TestEditDepth sets, moves and copies values that nest as deeply as JSON allows, and one level deeper.
func TestEditDepth(t *testing.T) {
	const most = 10000
	nested := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	for _, test := range []struct {
		name, text, patch string
		fits              bool
	}{
		{"set", `{"a":{"b":0}}`, `[{"op":"add","path":"/a/b","value":` + nested(most-4) + `}]`, true}, // the patch has two levels around it
		{"set twice", `{"a":0}`, `[{"op":"add","path":"/a","value":` + nested(most-2) + `},{"op":"add","path":"` + "/a" + strings.Repeat("/0", most-4) + `/-","value":[[[]]]}]`, false},
		{"move", `{"a":` + nested(most-1) + `,"b":[0]}`, `[{"op":"move","from":"/a","path":"/b/0"}]`, false},
		{"move a part", `{"a":` + nested(most-1) + `,"b":[0]}`, `[{"op":"move","from":"/a/0","path":"/b/0"}]`, true},
		{"copy", `{"a":` + nested(most-1) + `,"b":[0]}`, `[{"op":"copy","from":"/a","path":"/b/0"}]`, false},
		{"copy an opened value", `{"a":[0],"b":[0]}`, `[{"op":"add","path":"/a/0","value":` + nested(most-3) + `},{"op":"copy","from":"/a","path":"/b/0"}]`, true},
		{"a long value", `{"a":0}`, `[{"op":"add","path":"/a","value":"` + strings.Repeat("x", 3*most) + `"}]`, true},
	} {
		got, err := document.Patch([]byte(test.text), []byte(test.patch))
		if test.fits != (err == nil) || err != nil && !errors.Is(err, document.ErrDepth) {
			t.Errorf("%s: %v", test.name, err)
		}
		if err == nil && !json.Valid(got) {
			t.Errorf("%s: the result is not valid", test.name)
		}
	}
	doc, err := document.Parse([]byte(`[[0]]`))
	if err != nil {
		t.Fatal(err)
	}
	for levels, fits := range map[int]bool{most - 2: true, most - 1: false} {
		e := doc.Edit()
		if err := e.Set("/0/0", json.RawMessage(nested(levels))); err != nil {
			t.Fatal(err)
		}
		if out, err := e.Append(nil); fits != (err == nil) || fits && !json.Valid(out) {
			t.Errorf("%d levels in two arrays: %v", levels, err)
		}
	}
}
