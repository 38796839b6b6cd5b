package stream

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/json/internal/option"
)

// A seen is the part of a token that the tests compare.
type seen struct {
	kind    Kind
	text    string // of a string, a name or a number
	offset  int64  // of its end
	pointer Pointer
}

// A piecesReader returns a few bytes of its text in each call.
type piecesReader struct {
	r    *rand.Rand
	text []byte
	most int
}

func (p *piecesReader) Read(b []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), 1+p.r.IntN(p.most))], p.text)
	p.text = p.text[n:]
	return n, nil
}

// tokens reads all tokens of d.
func tokens(t *testing.T, d *Decoder) (all []seen) {
	t.Helper()
	for {
		token, err := d.ReadToken()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("after %d tokens: %v", len(all), err)
		}
		s := seen{kind: token.Kind(), offset: d.InputOffset(), pointer: d.StackPointer()}
		if s.kind == '"' || s.kind == '0' {
			s.text = token.String()
		}
		all = append(all, s)
	}
}

// plainTokens reads all tokens of a text with encoding/json.
func plainTokens(t *testing.T, text []byte) (all []seen) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		s := seen{offset: d.InputOffset()}
		switch token := token.(type) {
		case json.Delim:
			s.kind = Kind(token)
		case string:
			s.kind, s.text = '"', token
		case json.Number:
			s.kind, s.text = '0', token.String()
		case bool:
			s.kind = 'f'
			if token {
				s.kind = 't'
			}
		case nil:
			s.kind = 'n'
		}
		all = append(all, s)
	}
}

// TestTokens reads random texts token by token, from a buffer and from readers of small pieces. The
// tokens must be the same as with encoding/json.
func TestTokens(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		text := append(random.JSON(r, 5), ' ')
		text = append(text, random.JSON(r, 3)...)
		want := plainTokens(t, text)
		var whole Decoder
		whole.SetText(text)
		buffered := tokens(t, &whole)
		if len(buffered) != len(want) {
			t.Fatalf("seed %d: %d tokens, want %d", seed, len(buffered), len(want))
		}
		for i, w := range want {
			if got := buffered[i]; got.kind != w.kind || got.text != w.text || got.offset != w.offset {
				t.Fatalf("seed %d: token %d is %+v, want %+v", seed, i, got, w)
			}
		}
		for _, most := range []int{1, 3, 64, 5000} {
			var d Decoder
			d.Reset(&piecesReader{r, text, most})
			for i, got := range tokens(t, &d) {
				if got != buffered[i] {
					t.Fatalf("seed %d, pieces of %d: token %d is %+v, want %+v", seed, most, i, got, buffered[i])
				}
			}
		}
	}
}

// TestValues reads random texts with a mixture of ReadToken, ReadValue and SkipValue. A value must
// consist of the bytes of the text. The tokens must be equal to the tokens that ReadToken alone
// returns.
func TestValues(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		text := random.JSON(r, 6)
		var reference Decoder
		reference.SetText(text)
		want := map[int64]seen{}
		for _, s := range tokens(t, &reference) {
			want[s.offset] = s
		}
		for _, most := range []int{1, 7, 5000} {
			var d Decoder
			d.Reset(&piecesReader{r, text, most})
			for {
				kind := d.PeekKind()
				if kind == 0 {
					break
				}
				var err error
				switch closing := kind == '}' || kind == ']'; {
				case closing || r.IntN(3) > 0:
					var token Token
					token, err = d.ReadToken()
					if err == nil && token.Kind() != kind {
						t.Fatalf("seed %d: PeekKind announced %v, but a %v came", seed, kind, token.Kind())
					}
				case r.IntN(2) == 0:
					var value Value
					value, err = d.ReadValue()
					end := d.InputOffset()
					if err == nil && string(text[end-int64(len(value)):end]) != string(value) {
						t.Fatalf("seed %d: value %s at %d", seed, value, end)
					}
				default:
					err = d.SkipValue()
				}
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if s, ok := want[d.InputOffset()]; !ok || s.pointer != d.StackPointer() {
					t.Fatalf("seed %d: at %d the pointer is %q, want %q (%v)", seed, d.InputOffset(), d.StackPointer(), s.pointer, ok)
				}
			}
			if _, err := d.ReadToken(); err != io.EOF {
				t.Fatalf("seed %d: the text ends with %v", seed, err)
			}
		}
	}
}

// TestCutTokens reads random texts from a reader that fails at each position. Every token returned
// before the failure must be a token of the whole text. The final error must be the reader's, not
// an unexpected end of input. A number that was cut must not be returned.
func TestCutTokens(t *testing.T) {
	broken := errors.New("broken")
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 4))
		text := random.JSON(r, 3)
		if len(text) > 400 {
			continue
		}
		var whole Decoder
		whole.SetText(text)
		want := tokens(t, &whole)
		for cut := range text {
			var d Decoder
			d.Reset(io.MultiReader(bytes.NewReader(text[:cut]), errorReader{broken}))
			for i := 0; ; i++ {
				token, err := d.ReadToken()
				if errors.Is(err, broken) {
					break
				}
				if err != nil || i == len(want) || token.Kind() != want[i].kind || d.InputOffset() != want[i].offset {
					t.Fatalf("%q cut at %d: token %d is %v at %d, error %v", text, cut, i, token.Kind(), d.InputOffset(), err)
				}
			}
		}
	}
}

type errorReader struct{ err error }

func (e errorReader) Read([]byte) (int, error) { return 0, e.err }

// TestTrack moves a Track to each token of a text and back. Its levels and pointers must be the
// same as the Decoder's at this token.
func TestTrack(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		text := random.JSON(r, 6)
		start := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
		var d Decoder
		d.SetText(text)
		var track Track
		track.StartAt(start)
		for _, s := range tokens(t, &d) {
			if r.IntN(10) == 0 {
				track.Move(text, start+r.IntN(int(s.offset)-start+1)/len(text)) // back to the start
			}
			track.Move(text, int(s.offset))
			if got := track.Previous(); got != s.pointer && s.kind != '{' && s.kind != '[' {
				t.Fatalf("seed %d: the pointer at %d is %q, want %q", seed, s.offset, got, s.pointer)
			}
			if depth := strings.Count(string(s.pointer), "/"); s.kind == '}' && track.Depth() != depth {
				t.Fatalf("seed %d: the depth at %d is %d, want %d", seed, s.offset, track.Depth(), depth)
			}
		}
	}
}

// TestWriteTokens copies random texts through an Encoder token by token. The output must be equal
// to the output of encoding/json's Compact.
func TestWriteTokens(t *testing.T) {
	for seed := range uint64(300) {
		text := random.JSON(rand.New(rand.NewPCG(seed, 6)), 5)
		var d Decoder
		d.SetText(text)
		var out bytes.Buffer
		var e Encoder
		e.Reset(&out, option.Of(option.PreserveRawStrings, true))
		for {
			token, err := d.ReadToken()
			if err == io.EOF {
				break
			}
			if err == nil {
				err = e.WriteToken(token)
			}
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if got, want := e.StackPointer(), d.StackPointer(); got != want {
				t.Fatalf("seed %d: the pointer of the Encoder is %q, of the Decoder %q", seed, got, want)
			}
		}
		var want bytes.Buffer
		if err := json.Compact(&want, text); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(out.String(), "\n"); got != want.String() {
			t.Fatalf("seed %d: %s\nbecame %s\nwant   %s", seed, text, got, want.String())
		}
	}
}
