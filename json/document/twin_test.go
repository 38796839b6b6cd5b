package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit/random"
	honejson "github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/document"
	"github.com/hone-go/hone/json/jsontext"
)

// anyOf decodes a text with encoding/json, which is the twin of a Document.
func anyOf(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var x any
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return nil, err
	}
	return x, d.Decode(&x)
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// compare compares v with the value x of the twin, in every way in which v can be read. The pointer leads
// from root to v.
func compare(t *testing.T, root, v document.Value, x any, pointer string) {
	t.Helper()
	if err := v.Err(); err != nil || !v.Exists() {
		t.Fatalf("%s: %v", pointer, err)
	}
	if got := root.Pointer(pointer); got != v {
		t.Fatalf("Pointer(%q) leads elsewhere: %v", pointer, got.Err())
	}
	if got := v.Location(); got != pointer {
		t.Fatalf("Location is %q, want %q", got, pointer)
	}
	var decoded any
	if err := v.Decode(&decoded, honejson.Config{UseNumber: true}); err != nil || !reflect.DeepEqual(decoded, x) {
		t.Fatalf("%s decodes to %v, %v; want %v", pointer, decoded, err, x)
	}
	if !bytes.HasPrefix(root.Raw()[v.Offset()-root.Offset():], v.Raw()) {
		t.Fatalf("%s: Raw is %q, at %d", pointer, v.Raw(), v.Offset())
	}
	switch x := x.(type) {
	case nil:
		wantKind(t, v, document.Null)
	case bool:
		wantKind(t, v, document.Bool)
		if got, err := v.Bool(); got != x || err != nil {
			t.Fatalf("%s: %v, %v", pointer, got, err)
		}
	case json.Number:
		wantKind(t, v, document.Number)
		compareNumber(t, v, x)
	case string:
		wantKind(t, v, document.String)
		got, err := v.String()
		appended, appendErr := v.AppendString([]byte("<"))
		if got != x || err != nil || string(appended) != "<"+x || appendErr != nil {
			t.Fatalf("%s: %q, %v, %q, %v; want %q", pointer, got, err, appended, appendErr, x)
		}
	case []any:
		wantKind(t, v, document.Array)
		if v.Len() != len(x) {
			t.Fatalf("%s has length %d, want %d", pointer, v.Len(), len(x))
		}
		n := 0
		for i, elem := range v.Elements() {
			if i != n || v.Index(i) != elem {
				t.Fatalf("%s: element %d is number %d", pointer, n, i)
			}
			compare(t, root, elem, x[i], pointer+"/"+strconv.Itoa(i))
			n++
		}
		if n != len(x) {
			t.Fatalf("%s has %d elements, want %d", pointer, n, len(x))
		}
		for _, i := range []int{-1, len(x)} {
			wantError(t, v.Index(i), document.ErrNotFound)
		}
	case map[string]any:
		wantKind(t, v, document.Object)
		last := map[string]document.Value{}
		n := 0
		for name, member := range v.Members() {
			s := name.String()
			if !name.Is(s) || name.Is(s+"x") || string(name.Append(nil)) != s {
				t.Fatalf("%s: the name %q is not itself", pointer, s)
			}
			last[s] = member
			n++
		}
		if n != v.Len() || len(last) != len(x) {
			t.Fatalf("%s has %d members of %d names, want %d names", pointer, n, len(last), len(x))
		}
		for name, want := range x {
			if v.Get(name) != last[name] {
				t.Fatalf("%s: Get(%q): %v", pointer, name, v.Get(name).Err())
			}
			compare(t, root, last[name], want, pointer+"/"+pointerEscapes.Replace(name))
		}
		wantError(t, v.Get("no such name"), document.ErrNotFound)
	}
}

func compareNumber(t *testing.T, v document.Value, x json.Number) {
	t.Helper()
	var i int64
	var u uint64
	var f float64
	wantI, wantU, wantF := json.Unmarshal([]byte(x), &i), json.Unmarshal([]byte(x), &u), json.Unmarshal([]byte(x), &f)
	if got, err := v.Int64(); (err == nil) != (wantI == nil) || err == nil && got != i {
		t.Fatalf("%s as an int64: %d, %v; want %d, %v", x, got, err, i, wantI)
	}
	if got, err := v.Uint64(); (err == nil) != (wantU == nil) || err == nil && got != u {
		t.Fatalf("%s as a uint64: %d, %v; want %d, %v", x, got, err, u, wantU)
	}
	if got, err := v.Float64(); (err == nil) != (wantF == nil) || err == nil && got != f {
		t.Fatalf("%s as a float64: %v, %v; want %v, %v", x, got, err, f, wantF)
	} else if err != nil && !errors.Is(err, document.ErrRange) {
		t.Fatalf("%s as a float64: %v", x, err)
	}
}

// wantKind checks the kind of v, and that the methods for other kinds return an error.
func wantKind(t *testing.T, v document.Value, want document.Kind) {
	t.Helper()
	if v.Kind() != want {
		t.Fatalf("%s is %v, want %v", v.Raw(), v.Kind(), want)
	}
	check := func(kind document.Kind, err error) {
		t.Helper()
		var e *document.Error
		if kind == want {
			return
		}
		if !errors.As(err, &e) || e.Err != document.ErrKind || e.Want != kind || e.Got != want || e.Offset != v.Offset() {
			t.Fatalf("%s as %v: %v", v.Raw(), kind, err)
		}
	}
	_, err := v.Bool()
	check(document.Bool, err)
	_, err = v.Int64()
	check(document.Number, err)
	_, err = v.Uint64()
	check(document.Number, err)
	_, err = v.Float64()
	check(document.Number, err)
	_, err = v.String()
	check(document.String, err)
	_, err = v.AppendString(nil)
	check(document.String, err)
	check(document.Array, v.Index(0).Index(1).Get("a").Err())
	check(document.Object, v.Get("a").Index(1).Get("b").Err())
	if want == document.Null {
		return
	}
	for _, elem := range v.Elements() {
		if want != document.Array {
			check(document.Array, elem.Err())
		}
	}
	for _, member := range v.Members() {
		if want != document.Object {
			check(document.Object, member.Err())
		}
	}
}

func wantError(t *testing.T, v document.Value, want error) {
	t.Helper()
	if err := v.Err(); !errors.Is(err, want) || v.Kind() != document.Invalid {
		t.Fatalf("the error is %v, want %v", err, want)
	}
}

// compareText compares a text with its twin. doc has had other texts before.
func compareText(t *testing.T, doc *document.Document, data []byte) {
	t.Helper()
	want, wantErr := anyOf(data)
	err := doc.Parse(data)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%q: %v, want %v", data, err, wantErr)
	}
	if err != nil {
		if hone := honejson.Unmarshal(data, new(any)); !reflect.DeepEqual(err, wantErr) || !reflect.DeepEqual(err, hone) {
			t.Fatalf("%q: %#v, want %#v or %#v", data, err, wantErr, hone)
		}
		if doc.Root().Exists() {
			t.Fatalf("%q: there is a root after an error", data)
		}
		return
	}
	compare(t, doc.Root(), doc.Root(), want, "")
	if fresh, err := document.Parse(data); err != nil || !bytes.Equal(fresh.Root().Raw(), doc.Root().Raw()) {
		t.Fatalf("%q: %v", data, err)
	}
	compareStrict(t, data)
}

// compareStrict compares the options with a simple search for duplicate names, and with package jsontext,
// which refuses invalid UTF-8.
func compareStrict(t *testing.T, data []byte) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	_, err := document.Parse(data, document.Options{RejectDuplicateNames: true})
	if want := repeats(d); (err != nil) != want || err != nil && !errors.Is(err, document.ErrDuplicateName) {
		t.Fatalf("%q: %v; a name repeats: %v", data, err, want)
	}
	_, err = document.Parse(data, document.Options{RejectInvalidUTF8: true})
	_, want := jsontext.NewDecoder(bytes.NewReader(data), jsontext.AllowDuplicateNames(true)).ReadValue()
	if (err == nil) != (want == nil) || err != nil && !errors.Is(err, document.ErrInvalidUTF8) {
		t.Fatalf("%q: %v; jsontext: %v", data, err, want)
	}
}

// repeats reports whether an object of the next value of d has a name twice.
func repeats(d *json.Decoder) (found bool) {
	token, err := d.Token()
	if err != nil {
		panic(err)
	}
	switch token {
	case json.Delim('['):
		for d.More() {
			found = repeats(d) || found
		}
	case json.Delim('{'):
		seen := map[any]bool{}
		for d.More() {
			name, _ := d.Token()
			found = found || seen[name]
			seen[name] = true
			found = repeats(d) || found
		}
	default:
		return false
	}
	_, _ = d.Token()
	return found
}

// texts are seeds for the comparison with the twin.
var texts = []string{
	``, ` `, `null`, ` true `, `false`, `"a"`, `""`, `0`, `-0`, `1.0`, `1e2`, `1e400`, `-1e-400`, `9223372036854775807`, `9223372036854775808`, `-9223372036854775808`,
	`-9223372036854775809`, `18446744073709551615`, `18446744073709551616`, `123456789012345678901234567890`, `0.1`, `[]`, `{}`, `[[],[]]`, `[{},{"a":{}}]`,
	`{"a":1,"a":2,"\u0061":3}`, `{"a~b/c":{"":[1,{"":null}]}}`, `{"\ud800":1,"\ufffd":2}`, "{\"\xff\":1,\"\xef\xbf\xbd\":2}", "\"\xff\xfe\"", `"\ud83d\ude00\ud83d"`, `"é"`, `{"é":1,"\u00e9":2}`,
	`[1,2,3`, `{"a":}`, `{"a" 1}`, `[1,]`, `{,}`, `01`, `1.`, `"a`, "\"\x01\"", `"\x"`, `nul`, `[1]]`, `tru`, `{"A":1,"a":2}`, "\ufeff1",
	`["` + strings.Repeat("x", 5000) + `",` + strings.Repeat("1", 5000) + `,"` + strings.Repeat(`\n`, 3000) + `"]`,
	strings.Repeat("[", 10001) + strings.Repeat("]", 10001), strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300),
	bigArray(300, `[%]`), bigArray(300, `%`), bigArray(65, `{"a":%}`), bigArray(64, `[]`), bigObject(64), bigObject(65), bigObject(500),
}

// bigArray returns an array of n elements, in which % stands for the number of the element.
func bigArray(n int, element string) string {
	var list []string
	for i := range n {
		list = append(list, strings.ReplaceAll(element, "%", strconv.Itoa(i)))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// bigObject returns an object of n members, some of which have the same name, in other spellings.
func bigObject(n int) string {
	var list []string
	for i := range n {
		name := strconv.Itoa(i)
		switch i % 5 {
		case 1:
			name = `\u0061` + strconv.Itoa(i/2)
		case 2:
			name = `a` + strconv.Itoa(i/2)
		case 3:
			name = "\xffé" + strconv.Itoa(i/10)
		}
		list = append(list, `"`+name+`":[`+strconv.Itoa(i)+`]`)
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// TestTwin compares texts with encoding/json, all with one Document.
func TestTwin(t *testing.T) {
	var doc document.Document
	for _, text := range texts {
		compareText(t, &doc, []byte(text))
	}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		text := random.JSON(r, 5)
		if seed%5 == 0 {
			text = text[:r.IntN(len(text)+1)]
		}
		compareText(t, &doc, text)
	}
}

// FuzzTwin is like TestTwin, for any text. The Document has had another text before.
func FuzzTwin(f *testing.F) {
	for _, text := range texts {
		if len(text) < 2000 {
			f.Add([]byte(text), []byte(`{"a":[1]}`))
		}
	}
	f.Fuzz(func(t *testing.T, data, earlier []byte) {
		var doc document.Document
		_ = doc.Parse(earlier)
		compareText(t, &doc, data)
	})
}
