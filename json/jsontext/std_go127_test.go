//go:build go1.27 && goexperiment.jsonv2

package jsontext

import (
	"bytes"
	std "encoding/json/jsontext"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/test/testkit"
)

// withoutPointer removes the JSON pointer from a result of say.
func withoutPointer(said string) string {
	from, at, _ := strings.Cut(said, " | ")
	if i := strings.Index(from, " within "); i >= 0 {
		from = from[:i]
	}
	if i := strings.Index(from, " after offset "); i >= 0 {
		from = from[:i]
	}
	offset, _, _ := strings.Cut(at, " ")
	return from + " | " + offset
}

// readerOf returns a reader of text that returns a few bytes at a time, or fails once.
func readerOf(text []byte, piece byte) io.Reader {
	if piece >= 128 {
		return testkit.FaultyReader(string(text), int(piece>>1), int(piece))
	}
	switch piece % 4 {
	case 0:
		return bytes.NewReader(text)
	case 1:
		return iotest.OneByteReader(bytes.NewReader(text))
	case 2:
		return iotest.HalfReader(bytes.NewReader(text))
	}
	return iotest.DataErrReader(bytes.NewReader(text))
}

// FuzzDecoder makes the same calls of this package's Decoder and of the standard library's. The
// results must be the same.
func FuzzDecoder(f *testing.F) {
	for i, d := range documents {
		for calls := range 4 {
			f.Add([]byte(d), []byte{byte(calls), byte(calls * 7), byte(i), 0, 3, 1, 2}, uint32(i&3), byte(i))
			f.Add([]byte(d), []byte{byte(calls), byte(calls * 3), 0, 1}, uint32(i&3), byte(128+i*7))
		}
	}
	f.Fuzz(func(t *testing.T, text, calls []byte, bits uint32, piece byte) {
		options := optionsOf(bits & 3)
		want := std.NewDecoder(readerOf(text, piece), options...)
		got := NewDecoder(readerOf(text, piece), options...)
		failed := 0
		for i := 0; i < 4*len(text)+20; i++ {
			call := byte(0)
			if len(calls) > 0 {
				call = calls[i%len(calls)]
			}
			var w, g string
			switch call % 5 {
			case 0, 4:
				wt, err := want.ReadToken()
				w = fmt.Sprint(wt.Kind(), " ", wt.String(), " ", say(err))
				gt, gerr := got.ReadToken()
				g = fmt.Sprint(gt.Kind(), " ", gt.String(), " ", say(gerr))
				if err == nil && wt.Kind() == '0' {
					w += numbers(wt)
					g += numbers(gt)
				}
				if err != nil {
					failed++
				}
			case 1:
				wv, err := want.ReadValue()
				w = fmt.Sprintf("%s %s", wv, say(err))
				gv, gerr := got.ReadValue()
				g = fmt.Sprintf("%s %s", gv, say(gerr))
				if err != nil {
					failed++
				}
			case 2:
				err := want.SkipValue()
				w = say(err)
				g = say(got.SkipValue())
				if err != nil {
					failed++
				}
			case 3:
				w, g = want.PeekKind().String(), got.PeekKind().String()
			}
			if piece >= 128 && strings.Contains(w, " within ") || strings.Contains(w, "unexpected EOF") && strings.Contains(g, "unexpected EOF") {
				w, g = withoutPointer(w), withoutPointer(g) // the standard library's pointer loses names when its buffer moves
			}
			for _, escape := range []string{"invalid escape sequence", "invalid surrogate pair"} {
				if i := strings.Index(w, escape); i >= 0 && strings.HasPrefix(g, w[:i]) {
					// The standard library's error quotes the bytes of the sequence that were read
					// so far.
					w, g = w[:i], g[:i]
				}
			}
			w += place(want)
			g += place(got)
			if w != g {
				t.Fatalf("%q, options %b, call %d (%d)\ngot  %s\nwant %s", text, bits&3, i, call%5, g, w)
			}
			if failed > 3 {
				return
			}
		}
	})
}

type number interface {
	Int() (int64, error)
	Uint() (uint64, error)
	Float() (float64, error)
	Float32() (float32, error)
}

func numbers(n number) string {
	i, e1 := n.Int()
	u, e2 := n.Uint()
	f, e3 := n.Float()
	s, e4 := n.Float32()
	return fmt.Sprint(i, e1, u, e2, f, e3, s, e4)
}

type placed interface {
	StackDepth() int
	StackIndex(int) (Kind, int64)
	StackPointer() Pointer
}

// place describes the position of a Decoder or an Encoder.
func place(p placed) string {
	var b strings.Builder
	for i := 0; i <= p.StackDepth(); i++ {
		k, n := p.StackIndex(i)
		fmt.Fprint(&b, " ", k, n)
	}
	fmt.Fprintf(&b, " %q", p.StackPointer())
	switch p := p.(type) {
	case interface{ InputOffset() int64 }:
		fmt.Fprint(&b, " ", p.InputOffset())
	case interface{ OutputOffset() int64 }:
		fmt.Fprint(&b, " ", p.OutputOffset())
	}
	return b.String()
}

// FuzzEncoder writes the same tokens and values with this package's Encoder and with the standard
// library's. The output and the errors must be the same.
func FuzzEncoder(f *testing.F) {
	for i, d := range documents {
		f.Add([]byte(d), []byte{1, 13, 4, 2, 3, 12, 9, byte(i)}, uint32(1)<<(i%20))
		f.Add([]byte(d), []byte{3, 13, 5}, uint32(i))
	}
	f.Fuzz(func(t *testing.T, text, calls []byte, bits uint32) {
		options := optionsOf(bits)
		var wout, gout bytes.Buffer
		want, got := std.NewEncoder(&wout, options...), NewEncoder(&gout, options...)
		for i, call := range calls {
			part := text
			if len(text) > 0 {
				part = text[i%len(text):]
			}
			var w, g error
			n := int64(i) * 1e9
			switch call % 16 {
			case 0:
				w, g = want.WriteToken(std.Null), got.WriteToken(Null)
			case 1:
				w, g = want.WriteToken(std.BeginObject), got.WriteToken(BeginObject)
			case 2:
				w, g = want.WriteToken(std.EndObject), got.WriteToken(EndObject)
			case 3:
				w, g = want.WriteToken(std.BeginArray), got.WriteToken(BeginArray)
			case 4:
				w, g = want.WriteToken(std.EndArray), got.WriteToken(EndArray)
			case 5:
				w, g = want.WriteToken(std.Int(-n)), got.WriteToken(Int(-n))
			case 6:
				w, g = want.WriteToken(std.Uint(math.MaxUint64)), got.WriteToken(Uint(math.MaxUint64))
			case 7:
				w, g = want.WriteToken(std.Float(float64(n)/7)), got.WriteToken(Float(float64(n)/7))
			case 8:
				w, g = want.WriteToken(std.Float32(float32(n)/7)), got.WriteToken(Float32(float32(n)/7))
			case 9, 10:
				w, g = want.WriteToken(std.String(string(part))), got.WriteToken(String(string(part)))
			case 11:
				w, g = want.WriteToken(std.Bool(i&1 == 0)), got.WriteToken(Bool(i&1 == 0))
			case 12:
				name := fmt.Sprint("n", i%3)
				w, g = want.WriteToken(std.String(name)), got.WriteToken(String(name))
			case 13, 14:
				w, g = want.WriteValue(text), got.WriteValue(text)
			case 15:
				w, g = want.WriteValue(part), got.WriteValue(part)
			}
			if say(w) != say(g) || place(want) != place(got) {
				t.Fatalf("%q, options %b, call %d (%d)\ngot  %s%s\nwant %s%s\nof %s", text, bits, i, call%16, say(g), place(got), say(w), place(want), gout.Bytes())
			}
			if want.StackDepth() == 0 && wout.String() != gout.String() {
				t.Fatalf("%q, options %b, call %d\ngot  %s\nwant %s", text, bits, i, gout.Bytes(), wout.Bytes())
			}
		}
	})
}

// FuzzFormat formats, quotes and unquotes the same text with this package and with the standard
// library. The results must be the same.
func FuzzFormat(f *testing.F) {
	for i, d := range documents {
		f.Add([]byte(d), uint32(1)<<(i%20))
		f.Add([]byte(d), uint32(0b11100000))
	}
	f.Fuzz(func(t *testing.T, text []byte, bits uint32) {
		options := optionsOf(bits)
		w, werr := std.AppendFormat([]byte("x"), text, options...)
		g, gerr := AppendFormat([]byte("x"), text, options...)
		if string(w) != string(g) || say(werr) != say(gerr) {
			t.Errorf("AppendFormat(%q, %b)\ngot  %q %s\nwant %q %s", text, bits, g, say(gerr), w, say(werr))
		}
		w, werr = std.AppendQuote([]byte("x"), text)
		g, gerr = AppendQuote([]byte("x"), text)
		if string(w) != string(g) || say(werr) != say(gerr) {
			t.Errorf("AppendQuote(%q)\ngot  %q %s\nwant %q %s", text, g, say(gerr), w, say(werr))
		}
		w, werr = std.AppendUnquote([]byte("x"), text)
		g, gerr = AppendUnquote([]byte("x"), text)
		if string(w) != string(g) || say(werr) != say(gerr) {
			t.Errorf("AppendUnquote(%q)\ngot  %q %s\nwant %q %s", text, g, say(gerr), w, say(werr))
		}
	})
}

// TestFaultyReaders reads streams whose readers fail once, at each position. Each call must return
// the same as the standard library's.
func TestFaultyReaders(t *testing.T) {
	for _, text := range []string{`{"a":12} [2]`, `[12,{"\u0031":34}]`, `["x",tru] 1`, " 12 3 "} {
		for fault, reader := range testkit.FaultyReaders(text) {
			for _, calls := range []string{"TTTTTTTTTT", "VVVVV", "SSSSS", "PTPTPTPTPTPTPTPTPT", "TVTVTVTVTV", "TSTSTSTS", "PPVPPVPPVPP"} {
				want, got := std.NewDecoder(reader()), NewDecoder(reader())
				for i, call := range calls {
					var w, g string
					switch call {
					case 'T':
						k, err := want.ReadToken()
						w = fmt.Sprint(k.Kind(), k, say(err))
						ours, err := got.ReadToken()
						g = fmt.Sprint(ours.Kind(), ours, say(err))
					case 'V':
						v, err := want.ReadValue()
						w = fmt.Sprint(v, say(err))
						ours, err := got.ReadValue()
						g = fmt.Sprint(ours, say(err))
					case 'S':
						w, g = say(want.SkipValue()), say(got.SkipValue())
					case 'P':
						w, g = want.PeekKind().String(), got.PeekKind().String()
					}
					w += place(want) + string(bytes.TrimLeft(want.UnreadBuffer(), " "))
					g += place(got) + string(bytes.TrimLeft(got.UnreadBuffer(), " "))
					if w != g {
						t.Errorf("%s, %s, call %d of %s\ngot  %s\nwant %s", text, fault, i, calls, g, w)
						break
					}
				}
			}
		}
	}
}

// TestDecoderDeep reads and writes texts at the maximum depth, and one level deeper. The errors
// must be the same as with the standard library.
func TestDecoderDeep(t *testing.T) {
	for _, depth := range []int{9999, 10000, 10001} {
		for _, text := range []string{
			strings.Repeat("[", depth) + strings.Repeat("]", depth),
			strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth),
			"[" + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + "]",
		} {
			want, got := std.NewDecoder(strings.NewReader(text)), NewDecoder(strings.NewReader(text))
			_, werr := want.ReadValue()
			_, gerr := got.ReadValue()
			if say(werr) != say(gerr) {
				t.Errorf("depth %d, %.6s: got %.200s, want %.200s", depth, text, say(gerr), say(werr))
			}
			want, got = std.NewDecoder(strings.NewReader(text)), NewDecoder(strings.NewReader(text))
			_, _ = want.ReadToken()
			_, _ = got.ReadToken()
			if text[0] == '{' {
				_, _ = want.ReadToken()
				_, _ = got.ReadToken()
			}
			_, werr = want.ReadValue()
			_, gerr = got.ReadValue()
			if w, ok := werr.(*SyntacticError); ok {
				// The standard library's pointer loses names when its buffer moves.
				w.JSONPointer = gerr.(*SyntacticError).JSONPointer
			}
			if say(werr) != say(gerr) {
				t.Errorf("depth %d, %.6s after a token: got %.200s, want %.200s", depth, text, say(gerr), say(werr))
			}
			we, ge := std.NewEncoder(io.Discard), NewEncoder(io.Discard)
			_, _ = we.WriteToken(std.BeginArray), ge.WriteToken(BeginArray)
			if w, g := say(we.WriteValue(Value(text))), say(ge.WriteValue(Value(text))); w != g {
				t.Errorf("depth %d, %.6s in an array: got %.200s, want %.200s", depth, text, g, w)
			}
		}
	}
}

// TestAPIOfTokens makes tokens from Go values. Their kinds, texts and numbers must be the same as
// with the standard library.
func TestAPIOfTokens(t *testing.T) {
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1.5, 1e20, 1e21, -1e30, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxInt64, math.MaxUint64, 5e-324} {
		w, g := std.Float(f), Float(f)
		if w.String() != g.String() || w.Kind() != g.Kind() {
			t.Errorf("Float(%v): %v, want %v", f, g, w)
		}
		if w.Kind() == '0' && numbers(w) != numbers(g) {
			t.Errorf("Float(%v): got %s, want %s", f, numbers(g), numbers(w))
		}
		ws, gs := std.Float32(float32(f)), Float32(float32(f))
		if ws.String() != gs.String() || ws.Kind() == '0' && numbers(ws) != numbers(gs) {
			t.Errorf("Float32(%v): %v, want %v", f, gs, ws)
		}
	}
	for _, i := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64} {
		if w, g := std.Int(i), Int(i); numbers(w) != numbers(g) || w.String() != g.String() {
			t.Errorf("Int(%d): got %s, want %s", i, numbers(g), numbers(w))
		}
		if w, g := std.Uint(uint64(i)), Uint(uint64(i)); numbers(w) != numbers(g) || w.String() != g.String() {
			t.Errorf("Uint(%d): got %s, want %s", uint64(i), numbers(g), numbers(w))
		}
	}
	if !reflect.DeepEqual(Token{}.String(), std.Token{}.String()) {
		t.Error(Token{}.String())
	}
}
