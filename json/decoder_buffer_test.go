package json

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/memory/buffer"
	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/json/internal/rules/v1"
)

// An eachKind has one field of each type whose decoded value can reference the input buffer.
type eachKind struct {
	S    string
	Any  any
	Raw  RawMessage
	B    []byte
	M    map[string]string
	N    Number
	Own  ownText
	Text *ownText
	Keep keepsText
}

type ownText string

func (o *ownText) UnmarshalText(b []byte) error { *o = ownText(b); return nil }

// TestDecodedOutlivesSlice overwrites the input buffer after decoding. The decoded value must not
// change.
func TestDecodedOutlivesSlice(t *testing.T) {
	const text = `{"S":"string","Any":{"a":["b",1.5]},"Raw":{"x": [1]},"B":"aGVsbG8=","M":{"key":"value"},"N":12.5,"Own":"own","Text":"text","Keep":"kept"}`
	for _, read := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.DataErrReader} {
		for _, after := range []string{"", "\n", strings.Repeat(" ", v1.MaxRest), strings.Repeat(" ", v1.MaxRest+1), "\n" + text, text + text} {
			std, d := json.NewDecoder(read(strings.NewReader(text+after))), NewDecoder(read(strings.NewReader(text+after)))
			for {
				var w, g eachKind
				wantErr, err := std.Decode(&w), d.Decode(&g)
				if fmt.Sprint(err) != fmt.Sprint(wantErr) || d.InputOffset() != std.InputOffset() {
					t.Fatalf("text and %q: %v at %d, want %v at %d", after, err, d.InputOffset(), wantErr, std.InputOffset())
				}
				if wantErr != nil {
					break
				}
				rest, _ := io.ReadAll(d.Buffered())
				if all := text + after; !strings.HasPrefix(all[d.InputOffset():], string(rest)) {
					t.Errorf("text and %q: Buffered returns %q, which is not the input at %d", after, rest, d.InputOffset())
				}
				// As in encoding/json, memory that a method retains belongs to the decoder until
				// the next call.
				if scribble(); !reflect.DeepEqual(g, w) {
					t.Errorf("text and %q:\ngot  %+v\nwant %+v", after, g, w)
				}
			}
		}
	}
}

// scribble overwrites pooled memory.
func scribble() {
	var all []*buffer.Buffer
	for range 8 {
		b := buffer.Take()
		for i := range b.B[:cap(b.B)] {
			b.B[:cap(b.B)][i] = '!'
		}
		all = append(all, b)
	}
	for _, b := range all {
		b.Release()
	}
}

// TestAliasedSliceIsKept decodes a stream with AliasInput and then overwrites the pooled buffers.
// The decoded strings must not change.
func TestAliasedSliceIsKept(t *testing.T) {
	d := Config{AliasInput: true}.NewDecoder(strings.NewReader(`["one","two"]` + "\n" + `["three"]`))
	var all [][]string
	for {
		var v []string
		if err := d.Decode(&v); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
		scribble()
	}
	if fmt.Sprint(all) != "[[one two] [three]]" {
		t.Error(all)
	}
}

// TestStreamAllocs limits the allocations for a stream of one value, as in an HTTP client.
func TestStreamAllocs(t *testing.T) {
	testkit.SkipIfInstrumented(t)
	if byStd(DefaultEngine) {
		t.Skip("encoding/json is the engine")
	}
	text := []byte(`{"name":"` + strings.Repeat("x", 3000) + "\"}\n")
	var into struct{ Other int } // the member is missing from the text, so nothing is decoded
	r := bytes.NewReader(nil)
	for name, run := range map[string]struct {
		most float64
		do   func() error
	}{
		"decoder": {1, func() error {
			r.Reset(text)
			return NewDecoder(r).Decode(&into)
		}},
		"encoder with lines": {1, func() error {
			e := NewEncoder(io.Discard)
			e.SetIndent("", "  ")
			return e.Encode(&into)
		}},
		"MarshalIndent": {1, func() error {
			_, err := MarshalIndent(&into, "", "  ")
			return err
		}},
	} {
		var err error
		if n := testing.AllocsPerRun(100, func() { err = run.do() }); n > run.most || err != nil {
			t.Errorf("%s: %v allocations, %v allowed (%v)", name, n, run.most, err)
		}
	}
}

// TestSharedStringsAllocs decodes 201 equal strings. They must share memory, so that at most two
// allocations are necessary.
func TestSharedStringsAllocs(t *testing.T) {
	if byStd(DefaultEngine) {
		t.Skip("tests the memory of Hone's engine")
	}
	testkit.SkipIfInstrumented(t)
	long := strings.Repeat("https://example.com/", 5)
	text := []byte("[" + strings.Repeat(`"`+long+`",`, 200) + `"` + long + `"]`)
	list := make([]string, 0, 201)
	if n := testing.AllocsPerRun(100, func() {
		if err := Unmarshal(text, &list); err != nil {
			t.Fatal(err)
		}
	}); n > 2 {
		t.Errorf("201 equal strings: %v allocations", n)
	}
}

// TestSharedStrings decodes many strings, most of which occur several times. Each must be decoded
// correctly, even after other strings have replaced it in the cache.
func TestSharedStrings(t *testing.T) {
	var differing, want []string
	for i := range 5000 {
		want = append(want, strings.Repeat("x", i%300)+strconv.Itoa(i%700))
	}
	encoded, err := Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := Unmarshal(encoded, &differing); err != nil || !slices.Equal(differing, want) {
			t.Fatalf("the strings changed when they were decoded, or decoding failed: %v", err)
		}
	}
}
