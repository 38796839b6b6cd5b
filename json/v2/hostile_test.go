package json

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/hone-go/hone/internal/test/testkit"
	v1 "github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
)

// objectOf returns an object with n members whose names begin with prefix, followed by a member
// whose name is last.
func objectOf(prefix string, n int, last string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"%s%d":0,`, prefix, i)
	}
	return "{" + b.String() + `"` + last + `":0}`
}

// TestUnknownNamesOfEachObject decodes several objects with many unknown members. An equal name in
// another object must be accepted, and in the same object it must be an error.
func TestUnknownNamesOfEachObject(t *testing.T) {
	type inner struct {
		A, B int
		Next []inner
	}
	for n := 60; n < 140; n++ {
		var v []inner
		text := "[" + objectOf("x", n, "last") + "," + objectOf("y", n, "x3") + "," + objectOf("x", n, "y3") + "]"
		if err := Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(n, err)
		}
		text = "[" + objectOf("x", n, "last") + "," + objectOf("y", n, "y3") + "]"
		if err := Unmarshal([]byte(text), &v); !errors.Is(err, jsontext.ErrDuplicateName) {
			t.Fatal(n, err)
		}
		// Objects nested in an object, between its own unknown members.
		outer := objectOf("x", n, "z")
		nested := objectOf("x", n, "y")
		text = outer[:len(outer)-1] + `,"Next":[` + nested + "," + nested + `],"more":0}`
		var one inner
		if err := Unmarshal([]byte(text), &one); err != nil {
			t.Fatal(n, err)
		}
		text = outer[:len(outer)-1] + `,"Next":[` + nested + "," + nested + `],"x1":0}`
		if err := Unmarshal([]byte(text), &one); !errors.Is(err, jsontext.ErrDuplicateName) {
			t.Fatal(n, err)
		}
	}
}

// TestTypeErrorInTruncatedValue decodes streams that end within a value, after a part with the wrong
// type. Loops over the values must end.
func TestTypeErrorInTruncatedValue(t *testing.T) {
	type pair struct{ A, B int }
	const text = `[{"A":"x","B":1},{"A":"x","B":`
	for end := 1; end <= len(text); end++ {
		for _, tail := range []io.Reader{strings.NewReader(""), strings.NewReader("!"), iotest.ErrReader(io.ErrClosedPipe)} {
			r := io.MultiReader(strings.NewReader(text[:end]), tail)
			count := 0
			var last error
			for _, err := range Elements[pair](r) {
				if count++; count > 10 {
					t.Fatalf("%s: no end, %v", text[:end], err)
				}
				last = err
			}
			if _, isSemantic := last.(*SemanticError); last == nil || isSemantic {
				t.Errorf("%s: %v", text[:end], last)
			}
		}
	}
}

// tree has a method that decodes it from a stream, one level per call, and returns an error for
// numbers.
type tree struct{ kids []*tree }

func (v *tree) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	_ = from.StackDepth()
	switch from.PeekKind() {
	case '[':
	case '0':
		return errors.New("no numbers")
	default:
		return from.SkipValue()
	}
	if _, err := from.ReadToken(); err != nil {
		return err
	}
	for from.PeekKind() != ']' {
		kid := new(tree)
		if err := UnmarshalDecode(from, kid); err != nil {
			return err
		}
		v.kids = append(v.kids, kid)
	}
	_, err := from.ReadToken()
	return err
}

// TestErrorsInNestedMethods checks the position of an error inside many nested methods. Deep stacks
// take more than linear time; finding the position anew in each method would take cubic time.
func TestErrorsInNestedMethods(t *testing.T) {
	for _, inner := range []string{"1", "tru", `"\ud800"`, "[}"} {
		fail := func(depth int) error {
			return Unmarshal([]byte(strings.Repeat("[", depth)+inner+strings.Repeat("]", depth)), new(tree))
		}
		testkit.Grows(t, 1500, 30, func(depth int) { _ = fail(depth) })
		const depth = 1500
		err := fail(depth)
		var place jsontext.Pointer
		if s := (*SemanticError)(nil); errors.As(err, &s) {
			place = s.JSONPointer
		} else if s := (*jsontext.SyntacticError)(nil); errors.As(err, &s) {
			place = s.JSONPointer
		}
		if n := strings.Count(string(place), "/0"); n < depth {
			t.Errorf("%s: %d levels, %v", inner, n, err)
		}
	}
}

// TestPlacesOfDeepValues decodes many nested values with a function that calls StackPointer. The pointers
// have quadratic length. The test fails if computing them takes cubic time.
func TestPlacesOfDeepValues(t *testing.T) {
	var longest jsontext.Pointer
	places := WithUnmarshalers(UnmarshalFromFunc(func(from *jsontext.Decoder, _ *any) error {
		if p := from.StackPointer(); len(p) > len(longest) {
			longest = p
		}
		return errors.ErrUnsupported
	}))
	testkit.Grows(t, 3000, 48, func(depth int) {
		text := strings.Repeat(`{"b":1,"a":`, depth) + "1" + strings.Repeat("}", depth)
		longest = ""
		if err := Unmarshal([]byte(text), new(any), places); err != nil || string(longest) != strings.Repeat("/a", depth-1)+"/b" {
			t.Error(len(longest), err)
		}
	})
}

// knot has a method that writes it to a stream.
type knot struct{ next *knot }

func (k *knot) MarshalJSONTo(to *jsontext.Encoder) error {
	if err := to.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	if err := MarshalEncode(to, k.next); err != nil {
		return err
	}
	return to.WriteToken(jsontext.EndArray)
}

// TestKnot encodes a value that contains itself and has a method that takes a stream. The error
// must report that the maximum depth is exceeded.
func TestKnot(t *testing.T) {
	k := &knot{}
	k.next = k
	for _, opts := range [][]Options{nil, {jsontext.Multiline(true), jsontext.WithIndent("")}} {
		if _, err := Marshal(k, opts...); err == nil || !strings.Contains(err.Error(), "exceeded max depth") {
			t.Error(err)
		}
	}
}

// pipe is a function that implements io.Reader and io.Writer.
type pipe func([]byte) (int, error)

func (p pipe) Read(b []byte) (int, error)  { return p(b) }
func (p pipe) Write(b []byte) (int, error) { return p(b) }

// TestBrokenPipes uses readers and writers that violate their contract. Every call must return an
// error of package jsontext.
func TestBrokenPipes(t *testing.T) {
	for name, p := range map[string]pipe{
		"below zero":           func([]byte) (int, error) { return -1, nil },
		"too much":             func(b []byte) (int, error) { return len(b) + 1, nil },
		"below zero, error":    func([]byte) (int, error) { return -1, io.ErrClosedPipe },
		"too much, error":      func(b []byte) (int, error) { return len(b) + 1, io.ErrClosedPipe },
		"nothing for all time": func([]byte) (int, error) { return 0, nil },
	} {
		for call, f := range map[string]func() error{
			"UnmarshalRead":   func() error { return UnmarshalRead(p, new(any)) },
			"UnmarshalDecode": func() error { return UnmarshalDecode(jsontext.NewDecoder(p), new(any)) },
			"ReadToken":       func() error { _, err := jsontext.NewDecoder(p).ReadToken(); return err },
			"ReadValue":       func() error { _, err := jsontext.NewDecoder(p).ReadValue(); return err },
			"MarshalWrite":    func() error { return MarshalWrite(p, "text") },
			"MarshalEncode":   func() error { return MarshalEncode(jsontext.NewEncoder(p), "text") },
			"WriteToken":      func() error { return jsontext.NewEncoder(p).WriteToken(jsontext.Null) },
		} {
			if err := f(); err == nil || !strings.HasPrefix(err.Error(), "jsontext: ") {
				t.Errorf("%s, %s: %v", call, name, err)
			}
		}
	}
	// This writer writes only half of its argument, and returns no error.
	var written strings.Builder
	slow := pipe(func(b []byte) (int, error) { return written.Write(b[:len(b)/2]) })
	e := jsontext.NewEncoder(slow)
	if err := e.WriteToken(jsontext.String("some text")); !errors.Is(err, io.ErrShortWrite) {
		t.Error(err)
	}
	if err := MarshalWrite(slow, "some text"); !errors.Is(err, io.ErrShortWrite) {
		t.Error(err)
	}
	for range 10 {
		_ = e.WriteToken(jsontext.Null)
	}
	if got := strings.Count(written.String(), "some text"); got > 2 {
		t.Errorf("%q", &written)
	}
}

// holder is a key type that may contain a value that is not hashable.
type holder struct{ v any }

func (h *holder) UnmarshalText(text []byte) error {
	if h.v = string(text); h.v == "slice" {
		h.v = []int{1}
	}
	return nil
}

// TestKeysThatCannotBeHashed decodes names into keys that are not hashable. The decoder must return
// an error instead of a panic.
func TestKeysThatCannotBeHashed(t *testing.T) {
	byHone(t)
	const text = `{"a":1,"slice":2}`
	for _, v := range []any{new(map[holder]int), new(map[[1]holder]int), &map[any]int{}} {
		into := WithUnmarshalers(JoinUnmarshalers(
			UnmarshalFunc(func(b []byte, h *[1]holder) error { return h[0].UnmarshalText(b[1 : len(b)-1]) }),
			UnmarshalFunc(func(b []byte, p *any) error {
				var h holder
				err := h.UnmarshalText(b[1 : len(b)-1])
				*p = h
				return err
			}),
		))
		if err := Unmarshal([]byte(text), v, into); err == nil || !strings.Contains(err.Error(), "incomparable key type") {
			t.Errorf("%T: %v", v, err)
		}
	}
}

// A chain has a method that decodes it from a stream. The next chain is an element of an array or a
// member of an object, between other values.
type chain struct {
	name  string
	next  *chain
	steps int
}

func (v *chain) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	token, err := from.ReadToken()
	if err != nil {
		return err
	}
	for k := token.Kind(); k == '{' || k == '['; v.steps++ {
		switch {
		case from.PeekKind() == k+2:
			_, err := from.ReadToken()
			return err
		case k == '{':
			if err = UnmarshalDecode(from, &v.name); err != nil {
				return err
			}
		}
		if next := from.PeekKind(); next == '{' || next == '[' {
			v.next = new(chain)
			err = UnmarshalDecode(from, v.next)
		} else if v.steps%2 == 0 {
			err = from.SkipValue()
		} else {
			err = UnmarshalDecode(from, new(any))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A link is decoded with a function.
type link struct{ next []link }

// TestNestedMethodsAreLinear decodes deeply nested values whose methods decode their parts. Eight
// times the depth must take about eight times as long.
func TestNestedMethodsAreLinear(t *testing.T) {
	byHone(t)
	// Each garbage collection scans the whole stack, so the test makes collections rare.
	defer debug.SetGCPercent(debug.SetGCPercent(200))
	links := WithUnmarshalers(UnmarshalFromFunc(func(from *jsontext.Decoder, l *link) error {
		return UnmarshalDecode(from, &l.next)
	}))
	for name, c := range map[string]struct {
		head, inner, tail string
		target            func() any
		fails             bool
		options           []Options
	}{
		"arrays":                {"[", "null", "]", func() any { return new(tree) }, false, nil},
		"both":                  {`[1,"b",`, "null", `,"c",[]]`, func() any { return new(chain) }, false, nil},
		"objects":               {`{"some name":1,"next":`, "null", `,"third":{"a":[]}}`, func() any { return new(chain) }, false, nil},
		"function":              {"[", "null", ",[],[],[]]", func() any { return new(link) }, false, []Options{links}},
		"legacy":                {`{"some name":1,"next":`, "null", `,"third":{"a":[]}}`, func() any { return new(chain) }, false, []Options{v1.ReportErrorsWithLegacySemantics(true)}},
		"wrong type":            {"[", "1", ",null,null]", func() any { return new(tree) }, true, nil},
		"wrong type, truncated": {"[", "1", ",null,null", func() any { return new(tree) }, true, nil},
		"broken":                {`{"some name":1,"next":`, `"` + "\x01" + `"`, `,"third":{"a":[]}}`, func() any { return new(chain) }, true, nil},
		"cut off":               {`{"some name":1,"next":`, ``, ``, func() any { return new(chain) }, true, nil},
	} {
		took := func(depth int) time.Duration {
			text := []byte(strings.Repeat(c.head, depth) + c.inner + strings.Repeat(c.tail, depth))
			best := time.Hour
			for range 3 {
				start := time.Now()
				if err := Unmarshal(text, c.target(), c.options...); (err != nil) != c.fails {
					t.Fatalf("%s: %v", name, err)
				}
				best = min(best, time.Since(start))
			}
			return best
		}
		took(6000) // grows the stack
		// Other processes can slow one measurement down, but not all of them.
		few, many := took(750), took(6000)
		for range 4 {
			if many <= 30*few+100*time.Millisecond {
				break
			}
			few, many = took(750), took(6000)
		}
		if many > 30*few+100*time.Millisecond {
			t.Errorf("%s: %v for 750 levels, %v for 6000", name, few, many)
		}
	}
}

// TestDuplicateNamesInMaps decodes maps with a duplicate name, which must be an error. The map must
// contain the members before the duplicate.
func TestDuplicateNamesInMaps(t *testing.T) {
	for _, c := range []struct {
		text string
		v    any
		want string
	}{
		{`{"a":1,"b":2,"a":3}`, new(map[string]int), `map[a:1 b:2]`},
		{`{"a":1,"b":2,"a":"x"}`, new(map[string]int), `map[a:1 b:2]`},
		{`{"a":"1","\u0061":"2"}`, new(map[string]string), `map[a:1]`},
		{`{"a":[1,{"b":[]}],"c":null,"a":2}`, new(any), `map[a:[1 map[b:[]]] c:<nil>]`},
		{`{"a":[1],"c":null,"a":[1,{"x":1,"x":2}]}`, new(any), `map[a:[1] c:<nil>]`},
		{`{"a":[1],"\u0061":{}}`, new(map[string]any), `map[a:[1]]`},
		{`{"b":{"x":1},"a":{},"b":{"x":2,"x":3}}`, new(map[string]any), `map[a:map[] b:map[x:1]]`},
	} {
		err := Unmarshal([]byte(c.text), c.v)
		if !errors.Is(err, jsontext.ErrDuplicateName) {
			t.Errorf("%s: %v", c.text, err)
		}
		if got := fmt.Sprint(reflect.ValueOf(c.v).Elem().Interface()); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
