//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"bytes"
	stdtext "encoding/json/jsontext"
	std "encoding/json/v2"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/json/jsontext"
)

// A writer is an Encoder of this module or of the standard library. A reader is a Decoder.
type writer interface {
	placed
	WriteValue(jsontext.Value) error
	OutputOffset() int64
}

type reader interface {
	placed
	ReadValue() (jsontext.Value, error)
	SkipValue() error
	PeekKind() jsontext.Kind
	InputOffset() int64
}

type placed interface {
	StackDepth() int
	StackIndex(int) (jsontext.Kind, int64)
	StackPointer() jsontext.Pointer
}

func place(p placed) string {
	var b strings.Builder
	for i := 0; i <= p.StackDepth(); i++ {
		k, n := p.StackIndex(i)
		fmt.Fprint(&b, " ", k, n)
	}
	fmt.Fprintf(&b, " %q", p.StackPointer())
	return b.String()
}

// write is the body of a method or a function that writes to the stream to. The parameter what
// selects the tokens that it writes. It appends the position of the stream to notes.
func write(to writer, what string, notes *[]string) error {
	*notes = append(*notes, "to"+place(to)+fmt.Sprint(" ", to.OutputOffset()))
	switch what {
	case "unsupported":
		return errors.ErrUnsupported
	case "fail":
		return errors.New("no")
	case "semantic":
		return &SemanticError{Err: errors.New("meaning")}
	case "nothing":
		return nil
	case "eof":
		return io.EOF
	case "two":
		_ = to.WriteValue(jsontext.Value("1"))
		return to.WriteValue(jsontext.Value("2"))
	case "partly":
		_ = to.WriteValue(jsontext.Value("1"))
		return errors.ErrUnsupported
	case "late":
		_ = to.WriteValue(jsontext.Value("1"))
		return errors.New("late")
	case "broken":
		return to.WriteValue(jsontext.Value(`{"a":1,"a":2}`))
	}
	b, _ := jsontext.AppendQuote(nil, what)
	err := to.WriteValue(b)
	*notes = append(*notes, "to"+place(to)+fmt.Sprint(" ", to.OutputOffset()))
	return err
}

// read is like write, for reading.
func read(from reader, set func(string), notes *[]string) error {
	*notes = append(*notes, "from"+place(from))
	switch k := from.PeekKind(); k {
	case '0':
		v, err := from.ReadValue()
		if err != nil {
			return err
		}
		switch string(v) {
		case "1":
			return errors.New("one")
		case "2":
			return &SemanticError{Err: errors.New("two")}
		case "3":
			return errors.ErrUnsupported
		}
		set(string(v))
		return nil
	case 't':
		return errors.ErrUnsupported
	case 'f':
		return errors.New("before")
	case 'n':
		return nil
	case '[':
		return from.SkipValue()
	}
	v, err := from.ReadValue()
	set(string(v))
	*notes = append(*notes, "from"+place(from)+fmt.Sprint(" ", from.InputOffset()))
	return err
}

// Two types whose methods make the same calls. The methods of the type ours take streams of this
// module, and the methods of the type theirs take streams of the standard library.
type (
	ours   struct{ S string }
	theirs struct{ S string }
)

var notes []string

func (o ours) MarshalJSONTo(to *jsontext.Encoder) error  { return write(to, o.S, &notes) }
func (o theirs) MarshalJSONTo(to *stdtext.Encoder) error { return write(to, o.S, &notes) }
func (o *ours) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	return read(from, func(s string) { o.S = s }, &notes)
}
func (o *theirs) UnmarshalJSONFrom(from *stdtext.Decoder) error {
	return read(from, func(s string) { o.S = s }, &notes)
}

type holds[T comparable] struct {
	A   T            `json:"a"`
	P   *T           `json:"p,omitempty"`
	L   []T          `json:"l"`
	M   map[string]T `json:"m"`
	K   map[T]int    `json:"k,omitempty"`
	Any any          `json:"any"`
}

func fill[T comparable](of func(string) T, what string) holds[T] {
	t := of(what)
	return holds[T]{A: of("a"), P: &t, L: []T{of("l"), t, of("x")}, M: map[string]T{"a": of("m"), "b": t}, Any: map[string]any{"q": []any{1, t}}}
}

func alike(s string) string {
	s = strings.ReplaceAll(s, "github.com/hone-go/hone/json", "encoding/json")
	if EngineByDefault() == StdEngine { // this engine calls such methods through functions
		s = strings.ReplaceAll(s, "MarshalToFunc", "MarshalJSONTo")
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "theirs", "ours"), "holds[json.ours]", "holds[ours]")
}

// TestMethodsWithStreams encodes and decodes with methods and functions that take streams. Hone's
// streams must report the same positions and errors as the standard library's.
func TestMethodsWithStreams(t *testing.T) {
	for _, what := range []string{"plain", "", "é\n", "unsupported", "fail", "semantic", "nothing", "eof", "two", "partly", "late", "broken"} {
		for _, bits := range []uint32{0, 1 << 31, 1 << 9, 1<<9 | 1<<7} {
			compareMarshal(t, what, bits, theirs{what}, ours{what})
			compareMarshal(t, what, bits, fill(func(s string) theirs { return theirs{s} }, what), fill(func(s string) ours { return ours{s} }, what))
			compareMarshal(t, what, bits, map[theirs]int{{what}: 1}, map[ours]int{{what}: 1})
		}
		// Call the same methods from functions in the options.
		w := std.WithMarshalers(std.MarshalToFunc(func(to *stdtext.Encoder, s string) error { return write(to, s, &notes) }))
		g := WithMarshalers(MarshalToFunc(func(to *jsontext.Encoder, s string) error { return write(to, s, &notes) }))
		for _, v := range []any{what, []string{"a", what}, map[string]string{"a": what}, map[string]any{"a": []any{"x", what}}, struct {
			A string `json:",omitempty"`
			B *string
			C any
		}{what, &what, what}} {
			notes = nil
			want, werr := std.Marshal(v, w, std.Deterministic(true))
			wnotes := notes
			notes = nil
			got, gerr := Marshal(v, g, Deterministic(true))
			if EngineByDefault() == StdEngine && werr != nil {
				want, got = nil, nil // the standard library keeps the tokens that functions wrote before an error
			}
			if what == "two" && werr != nil && gerr != nil {
				want, got, werr, gerr, wnotes, notes = nil, nil, nil, nil, nil, nil
			}
			if string(want) != string(got) || say(werr) != say(gerr) || !reflect.DeepEqual(wnotes, notes) {
				t.Errorf("%q of %v by functions\ngot  %s %s\n%q\nwant %s %s\n%q", what, v, got, say(gerr), notes, want, say(werr), wnotes)
			}
		}
	}
	for _, text := range inputs {
		for _, bits := range []uint32{0, 1 << 31, 1 << 0} {
			compareUnmarshal(t, text, bits, &theirs{}, &ours{})
			compareUnmarshal(t, `{"a":`+text+`,"p":`+text+`,"l":[0,`+text+`],"m":{"k":`+text+`}}`, bits, &holds[theirs]{}, &holds[ours]{})
			compareUnmarshal(t, `{"k":{`+text+`:1}}`, bits, &holds[theirs]{}, &holds[ours]{})
			compareUnmarshal(t, `[`+text+`,`+text+`]`, bits, &[]theirs{}, &[]ours{})
		}
		w := std.WithUnmarshalers(std.UnmarshalFromFunc(func(from *stdtext.Decoder, s *string) error {
			return read(from, func(v string) { *s = v }, &notes)
		}))
		g := WithUnmarshalers(UnmarshalFromFunc(func(from *jsontext.Decoder, s *string) error {
			return read(from, func(v string) { *s = v }, &notes)
		}))
		for _, target := range []func() any{
			func() any { return new(string) }, func() any { return new([]string) }, func() any { return new(map[string]string) }, func() any { return new(any) },
			func() any { return new(struct{ A, B *string }) },
		} {
			want, got := target(), target()
			notes = nil
			werr := std.Unmarshal([]byte(text), want, w)
			wnotes := notes
			notes = nil
			gerr := Unmarshal([]byte(text), got, g)
			if errors.Is(werr, jsontext.ErrDuplicateName) || skipBroken(text) {
				wnotes, notes = nil, nil // no function is called for such a name
			}
			if say(werr) != say(gerr) || describe(want) != describe(got) || !reflect.DeepEqual(wnotes, notes) {
				t.Errorf("%T from %s by functions\ngot  %s %s\n%q\nwant %s %s\n%q", want, text, describe(got), say(gerr), notes, describe(want), say(werr), wnotes)
			}
		}
	}
}

func compareMarshal(t *testing.T, what string, bits uint32, theirs, ours any) {
	t.Helper()
	notes = nil
	want, werr := std.Marshal(theirs, optionsOf(bits)...)
	wnotes := notes
	notes = nil
	got, gerr := Marshal(ours, optionsOf(bits)...)
	if bits&(1<<9) != 0 || what == "two" {
		// With white space the positions differ, and a second value is reported only after the
		// method has returned.
		wnotes, notes = nil, nil
		if werr != nil && gerr != nil {
			gerr = werr
		}
	}
	if werr != nil && (what == "two" || EngineByDefault() == StdEngine) {
		want, got = nil, nil
	}
	if string(want) != string(got) || alike(say(werr)) != alike(say(gerr)) || !reflect.DeepEqual(wnotes, notes) {
		t.Errorf("%q in %T, options%s\ngot  %s %s\n%q\nwant %s %s\n%q", what, ours, optionNames(bits), got, say(gerr), notes, want, say(werr), wnotes)
	}
	// This module also calls methods that take the standard library's streams.
	got, gerr = Marshal(theirs, optionsOf(bits)...)
	if werr != nil {
		want, got = nil, nil // the output does not contain the tokens of a method that failed
	}
	if string(want) != string(got) || (werr == nil) != (gerr == nil) {
		t.Errorf("%q in %T, options%s\ngot  %s %s\nwant %s %s", what, theirs, optionNames(bits), got, say(gerr), want, say(werr))
	}
}

func compareUnmarshal(t *testing.T, text string, bits uint32, theirs, ours any) {
	t.Helper()
	notes = nil
	werr := std.Unmarshal([]byte(text), theirs, optionsOf(bits)...)
	wnotes := notes
	notes = nil
	gerr := Unmarshal([]byte(text), ours, optionsOf(bits)...)
	if skipBroken(text) {
		wnotes, notes = nil, nil
	}
	if alike(say(werr)) != alike(say(gerr)) || describe(theirs) != describe(ours) || !reflect.DeepEqual(wnotes, notes) {
		t.Errorf("%T from %s, options%s\ngot  %s %s\n%q\nwant %s %s\n%q", ours, text, optionNames(bits), describe(ours), say(gerr), notes, describe(theirs), say(werr), wnotes)
	}
	again := reflect.New(reflect.TypeOf(theirs).Elem()).Interface()
	gerr = Unmarshal([]byte(text), again, optionsOf(bits)...)
	if (werr == nil) != (gerr == nil) || werr == nil && describe(theirs) != describe(again) {
		t.Errorf("%T from %s, options%s\ngot  %s %s\nwant %s %s", theirs, text, optionNames(bits), describe(again), say(gerr), describe(theirs), say(werr))
	}
}

// TestValuesInPlaceOfNames decodes values other than strings where an object needs a name. The
// values and the errors must be the same as with the standard library.
func TestValuesInPlaceOfNames(t *testing.T) {
	byHone(t)
	for _, text := range []string{`{{}}`, `{{}`, `{1:2}`, `{1`, `{[1]}`, `{null:1}`, `{nul`, `{tru:1}`, `{true`, `{{"a":1,"a":2}:1}`, "{[\"\xff\"]:1}", `{[1}`, `{}`, `{]`, `{-`, `{`, `{ , `} {
		for _, typ := range targets {
			for _, bits := range []uint32{0, 1, 2, 1 << 25, 1<<25 | 1, 1<<25 | 2, 1<<31 | 0, 1<<31 | 3, 1<<31 | 1<<20} {
				options := optionsOf(bits)
				wd, gd := stdtext.NewDecoder(strings.NewReader(text), options...), jsontext.NewDecoder(strings.NewReader(text), options...)
				_, werr := wd.ReadToken()
				_, gerr := gd.ReadToken()
				if k := wd.PeekKind(); werr != nil || gerr != nil || k == '}' || k == ']' {
					continue // for some types, the standard library treats a bracket as a value
				}
				want, got := reflect.New(typ), reflect.New(typ)
				werr = std.UnmarshalDecode(wd, want.Interface())
				gerr = UnmarshalDecode(gd, got.Interface())
				if say(werr) != say(gerr) && !sameEnd(werr, gerr) {
					t.Errorf("%q, %v, options%s\ngot  %s\nwant %s", text, typ, optionNames(bits), say(gerr), say(werr))
				}
				if w, g := describe(want.Interface()), describe(got.Interface()); w != g {
					t.Errorf("%q, %v, options%s (%v)\ngot  %s\nwant %s", text, typ, optionNames(bits), gerr, g, w)
				}
			}
		}
	}
}

// FuzzStreams reads and writes a mixture of tokens and Go values. The streams must behave as the
// streams of the standard library do.
func FuzzStreams(f *testing.F) {
	for i, text := range inputs {
		f.Add([]byte(text), []byte{byte(i), 0, 3, byte(i * 3), 1, 5}, uint64(i), uint32(0))
		f.Add([]byte("["+text+","+text+"]"), []byte{1, 3, 8, 9}, uint64(i), uint32(i*0x9e3779b1))
		f.Add([]byte(`{"a":`+text+`,"b":`+text+"}"), []byte{1, 3, 3, 2, 3}, uint64(i), uint32(1<<i%20))
	}
	f.Fuzz(func(t *testing.T, text, calls []byte, seed uint64, bits uint32) {
		if skipBroken(string(text)) {
			return
		}
		options := optionsOf(bits)
		wd, gd := stdtext.NewDecoder(bytes.NewReader(text), options...), jsontext.NewDecoder(bytes.NewReader(text), options...)
		var wout, gout bytes.Buffer
		we, ge := stdtext.NewEncoder(&wout, options...), jsontext.NewEncoder(&gout, options...)
		for i, call := range calls {
			typ := targets[(seed+uint64(call)*7)%uint64(len(targets))]
			var werr, gerr error
			if k := wd.PeekKind(); k == '}' || k == ']' {
				call = 0 // for some types, the standard library treats a bracket as a value
			}
			switch call % 4 {
			case 0, 1:
				var wt stdtext.Token
				var gt jsontext.Token
				wt, werr = wd.ReadToken()
				gt, gerr = gd.ReadToken()
				if werr == nil && gerr == nil {
					if wt.String() != gt.String() {
						t.Fatalf("token %v, want %v", gt, wt)
					}
					w, g := we.WriteToken(wt), ge.WriteToken(gt)
					if say(w) != say(g) {
						t.Fatalf("%q, call %d: WriteToken\ngot  %s\nwant %s", text, i, say(g), say(w))
					}
				}
			default:
				want, got := reflect.New(typ), reflect.New(typ)
				more := []Options{}
				if call&16 != 0 {
					more = append(more, flags[int(call/32)+10](call&8 != 0))
				}
				werr = std.UnmarshalDecode(wd, want.Interface(), more...)
				gerr = UnmarshalDecode(gd, got.Interface(), more...)
				if describe(want.Interface()) != describe(got.Interface()) {
					t.Fatalf("%q, %v, call %d, options%s (%v)\ngot  %s\nwant %s", text, typ, i, optionNames(bits), gerr, describe(got.Interface()), describe(want.Interface()))
				}
				if werr == nil && gerr == nil {
					w, g := std.MarshalEncode(we, want.Interface(), more...), MarshalEncode(ge, got.Interface(), more...)
					if say(w) != say(g) {
						t.Fatalf("%q, call %d: MarshalEncode of %s, options%s\ngot  %s\nwant %s", text, i, describe(got.Interface()), optionNames(bits), say(g), say(w))
					}
					if w != nil {
						return
					}
				}
			}
			if gerr == io.EOF && EngineByDefault() == StdEngine {
				return // this engine does not examine the type at the end of the input
			}
			if say(werr) != say(gerr) && !sameEnd(werr, gerr) {
				t.Fatalf("%q, call %d %v, options%s\ngot  %s\nwant %s", text, i, typ, optionNames(bits), say(gerr), say(werr))
			}
			if we.OutputOffset() != ge.OutputOffset() || place(we) != place(ge) {
				t.Fatalf("%q, call %d, options%s\nwrote %s %d\nwant  %s %d", text, i, optionNames(bits), place(ge), ge.OutputOffset(), place(we), we.OutputOffset())
			}
			if werr != nil {
				return // the streams are at different positions now
			}
			if wd.InputOffset() != gd.InputOffset() || place(wd) != place(gd) {
				t.Fatalf("%q, call %d, options%s\nread %s %d\nwant %s %d", text, i, optionNames(bits), place(gd), gd.InputOffset(), place(wd), wd.InputOffset())
			}
			if we.StackDepth() == 0 && wout.String() != gout.String() {
				t.Fatalf("%q, call %d, options%s\ngot  %s\nwant %s", text, i, optionNames(bits), gout.Bytes(), wout.Bytes())
			}
		}
	})
}

// sameEnd reports whether both errors say that the text ends at the same position. The pointer in
// the standard library's error may lack a name after its buffer was moved.
func sameEnd(want, got error) bool {
	w, ok := errors.AsType[*jsontext.SyntacticError](want)
	g, also := errors.AsType[*jsontext.SyntacticError](got)
	if !ok || !also || g.ByteOffset != w.ByteOffset {
		return false
	}
	// The standard library's pointer loses names when its buffer is moved. The buffer initially has
	// 64 bytes, and an incomplete escape starts at most 12 bytes before its end.
	if w.ByteOffset >= 64-12 && say(w.Err) == say(g.Err) && strings.Count(string(w.JSONPointer), "/") == strings.Count(string(g.JSONPointer), "/") {
		return true
	}
	return w.Err == io.ErrUnexpectedEOF && g.Err == w.Err
}
