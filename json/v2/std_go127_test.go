//go:build go1.27 && goexperiment.jsonv2

//lint:file-ignore SA5008 the tests need unusual tags

package json

import (
	"bytes"
	"encoding/json"
	std "encoding/json/v2"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/test/testkit/random"
)

// decodeBoth decodes a text with both packages, and compares the values and the errors.
func decodeBoth(t *testing.T, typ reflect.Type, first, text string, bits uint32) (value any, ok bool) {
	t.Helper()
	options := optionsOf(bits)
	want, got := reflect.New(typ), reflect.New(typ)
	if first != "" {
		_ = std.Unmarshal([]byte(first), want.Interface(), json.DefaultOptionsV1())
		_ = std.Unmarshal([]byte(first), got.Interface(), json.DefaultOptionsV1())
	}
	werr := std.Unmarshal([]byte(text), want.Interface(), options...)
	gerr := Unmarshal([]byte(text), got.Interface(), options...)
	if w, g := say(werr), say(gerr); w != g {
		t.Errorf("%v from %q onto %q, options%s\ngot  %s\nwant %s", typ, text, first, optionNames(bits), g, w)
		return nil, false
	}
	if w, g := describe(want.Interface()), describe(got.Interface()); w != g {
		t.Errorf("%v from %q onto %q, options%s (%v)\ngot  %s\nwant %s", typ, text, first, optionNames(bits), gerr, g, w)
		return nil, false
	}
	return got.Interface(), true
}

// bothWays encodes a value with both packages, and compares the results.
func bothWays(t *testing.T, v any, bits uint32) {
	t.Helper()
	options := optionsOf(bits)
	want, werr := std.Marshal(v, options...)
	got, gerr := Marshal(v, options...)
	if w, g := say(werr), say(gerr); w != g {
		t.Errorf("%T %s, options%s\ngot  %s\nwant %s", v, describe(v), optionNames(bits), g, w)
		return
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%T %s, options%s\ngot  %s\nwant %s", v, describe(v), optionNames(bits), got, want)
	}
}

// TestStandard decodes all inputs into all targets with each option, and encodes the results. All
// results must be the same as with the standard library.
func TestStandard(t *testing.T) {
	sets := []uint32{0, 1 << 31}
	for i := range flags {
		sets = append(sets, 1<<i, 1<<31|1<<i)
	}
	for _, typ := range targets {
		for i, text := range inputs {
			for _, bits := range sets {
				if v, ok := decodeBoth(t, typ, "", text, bits); ok {
					bothWays(t, v, bits)
					bothWays(t, reflect.ValueOf(v).Elem().Interface(), bits)
				}
			}
			decodeBoth(t, typ, inputs[(i*7+3)%len(inputs)], text, sets[i%len(sets)])
			if t.Failed() && testing.Short() {
				return
			}
		}
	}
}

// FuzzStandard is like TestStandard, for random texts, types and options.
func FuzzStandard(f *testing.F) {
	for i, text := range inputs {
		f.Add([]byte(text), inputs[(i*5+2)%len(inputs)], uint64(i), uint32(i*0x9e3779b1))
	}
	f.Fuzz(func(t *testing.T, text []byte, first string, seed uint64, bits uint32) {
		typ := targets[seed%uint64(len(targets))]
		if seed>>32&1 != 0 {
			r := rand.New(rand.NewPCG(seed, 1))
			typ = random.Type(r, 3, tags, targets...)
			if strings.Contains(typ.String(), "mo.") {
				return // the standard library does not have these types
			}
			v := reflect.New(typ)
			random.Fill(r, v.Elem(), 3)
			bothWays(t, v.Interface(), bits)
			bothWays(t, v.Elem().Interface(), bits)
			if b, err := std.Marshal(v.Interface()); err == nil && seed>>33&1 != 0 {
				text = b
			}
		}
		if v, ok := decodeBoth(t, typ, first, string(text), bits); ok {
			bothWays(t, v, bits)
		}
	})
}

// FuzzDirect decodes almost valid texts into zero values of random types, with options that one
// pass supports. The results must be the same as with the standard library.
func FuzzDirect(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed, []byte(nil))
		f.Add(seed, []byte{byte(seed * 31), byte(seed * 7), byte(seed), byte(seed / 3)})
	}
	f.Fuzz(func(t *testing.T, seed uint64, edits []byte) {
		r := rand.New(rand.NewPCG(seed, 9))
		typ := random.Type(r, 3, tags, reflect.TypeFor[any](), reflect.TypeFor[json.RawMessage](), reflect.TypeFor[*float64]())
		if strings.Contains(typ.String(), "mo.") {
			return
		}
		v := reflect.New(typ)
		random.Fill(r, v.Elem(), 4)
		text, err := std.Marshal(v.Interface())
		if err != nil {
			return
		}
		text = random.Edited(text, edits)
		decodeBoth(t, typ, "", string(text), 0)
		decodeBoth(t, typ, "", string(text), 1<<15) // RejectUnknownMembers
	})
}

// TestNumberNames encodes and decodes maps whose keys are Numbers, with and without the methods of
// Number. The results must be the same as with the standard library.
func TestNumberNames(t *testing.T) {
	typ := reflect.TypeFor[map[json.Number]int]()
	for _, bits := range []uint32{0, 1 << 31, 1 << 16, 1<<31 | 1<<16, 1 << 10, 1 << 25, 1<<31 | 1<<25} {
		for _, text := range []string{`{"1":1}`, `{"x":3}`, `{"01":2}`, `{"1":1,"1.0":2}`, `{"":1}`, `{1:1}`} {
			if v, ok := decodeBoth(t, typ, "", text, bits); ok {
				bothWays(t, v, bits)
			}
		}
		for _, key := range []json.Number{"1", "x", "01", ""} {
			bothWays(t, map[json.Number]int{key: 1}, bits)
		}
	}
}

// TestReaders decodes from readers that fail, and from readers that return one byte at a time. The
// values and the errors must be the same as with the standard library.
func TestReaders(t *testing.T) {
	for _, text := range inputs {
		for _, typ := range targets[:20] {
			fails := func() *failingReader { return &failingReader{strings.NewReader(text)} }
			want, got := reflect.New(typ).Interface(), reflect.New(typ).Interface()
			werr, gerr := std.UnmarshalRead(fails(), want), UnmarshalRead(fails(), got)
			// For a value that is read as a whole, the standard library's error has the position at
			// which the reader failed.
			same := say(werr) == say(gerr) || strings.Contains(say(werr), errReader.Error()) && errors.Is(gerr, errReader)
			if !same || EngineByDefault() == HoneEngine && describe(want) != describe(got) {
				t.Errorf("%v from %q\ngot  %s %s\nwant %s %s", typ, text, say(gerr), describe(got), say(werr), describe(want))
			}
			want, got = reflect.New(typ).Interface(), reflect.New(typ).Interface()
			werr, gerr = std.UnmarshalRead(iotest.OneByteReader(strings.NewReader(text)), want), UnmarshalRead(iotest.OneByteReader(strings.NewReader(text)), got)
			if say(werr) != say(gerr) || describe(want) != describe(got) {
				t.Errorf("%v from %q\ngot  %s %s\nwant %s %s", typ, text, say(gerr), describe(got), say(werr), describe(want))
			}
		}
	}
}

var errReader = errors.New("the reader fails")

type failingReader struct{ r *strings.Reader }

func (f *failingReader) Read(b []byte) (int, error) {
	if f.r.Len() == 0 {
		return 0, errReader
	}
	return f.r.Read(b[:1])
}
