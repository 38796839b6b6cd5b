package locate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit/random"
	"github.com/hone-go/hone/json/internal/stream"
)

// A found is a value or a name: the kind of its first byte, the offset of its end (for an array or
// object, the end of its opening bracket), its JSON pointer, and whether it is the name of a member.
type found struct {
	kind    byte
	end     int
	pointer string
	name    bool
}

// plainWalk finds the values and names of a text with encoding/json, and the path to each of them.
func plainWalk(text []byte) (all []found) {
	type level struct {
		object bool
		count  int
		name   string
	}
	var open []level
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	path := func() string {
		var b strings.Builder
		for i, l := range open {
			index := l.count
			if i < len(open)-1 {
				index-- // the index counts the open element too
			}
			if l.object {
				b.WriteString("/" + escape.Replace(l.name))
			} else {
				b.WriteString("/" + strconv.Itoa(index))
			}
		}
		return b.String()
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err != nil {
			return all
		}
		f := found{end: int(d.InputOffset())}
		var top *level
		if len(open) > 0 {
			top = &open[len(open)-1]
		}
		if top != nil && top.object && top.count%2 == 0 && token != json.Delim('}') {
			top.name, f.name = token.(string), true
		}
		f.pointer = path()
		if top != nil && token != json.Delim('}') && token != json.Delim(']') {
			top.count++
		}
		switch token := token.(type) {
		case json.Delim:
			switch f.kind = byte(token); f.kind {
			case '}', ']':
				open = open[:len(open)-1]
				continue
			default:
				open = append(open, level{object: f.kind == '{'})
			}
		case string:
			f.kind = '"'
		case json.Number:
			f.kind = '0'
		case nil:
			f.kind = 'n'
		case bool:
			f.kind = fmt.Sprint(token)[0]
		}
		all = append(all, f)
	}
}

// TestWalk compares the tokens of random texts, and the paths to them, with the tokens that
// encoding/json reads. It also cuts each text off: the tokens before the cut must be the same.
func TestWalk(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := random.JSON(r, 4)
		if seed%3 == 0 {
			text = text[:r.IntN(len(text)+1)]
		}
		want := plainWalk(text)
		w := newWalk(text)
		for i := 0; ; i++ {
			token, ok := w.next()
			if !ok {
				if i != len(want) {
					t.Fatalf("seed %d: %d tokens of %q, want %d", seed, i, text, len(want))
				}
				break
			}
			if i == len(want) && w.data[token.start] != '"' && token.kind == '0' {
				break // encoding/json does not return a number at the end of a cut text
			}
			got := found{byte(token.kind), token.end, pointerOf(w.steps(token)), token.name}
			if i == len(want) || got != want[i] {
				t.Fatalf("seed %d: token %d of %d is %+v, want %+v", seed, i, len(want), got, want[min(i, len(want)-1)])
			}
			if first := stream.KindOf(text[token.start]); first != token.kind {
				t.Fatalf("seed %d: token %d of %q starts with %q", seed, i, text, text[token.start])
			}
			w.enter(token, false)
		}
	}
}

// TestWalkFails reads invalid texts. Each has a » before the first invalid byte, or at the end if
// the text is incomplete. The walk must fail at this position. The pointer must lead to the value
// that is expected there, or else to the innermost array or object.
func TestWalkFails(t *testing.T) {
	for _, test := range []struct{ text, pointer string }{
		{"»", ""}, {" [1, 2»", ""}, {"[1,»", "/1"}, {"[»", "/0"}, {"[1 »2]", ""}, {"[1,»]", "/1"}, {"[1,»,2]", "/1"},
		{`{"a"»`, "/a"}, {`{"a" »1}`, "/a"}, {`{"a":»}`, "/a"}, {`{"a":1»`, ""}, {`{"a":1,»}`, ""}, {`{»1:2}`, ""}, {`{"a":{"b":[»x]}}`, "/a/b/0"},
		{`["a\»x"]`, "/0"}, {`["\u12»g4"]`, "/0"}, {"[\"a»\x01\"]", "/0"}, {`[tru»x]`, "/0"}, {`[1.»]`, "/0"}, {`[-»a]`, "/0"}, {`[0»1]`, ""},
		{`{"a":[{"b":1}»}`, "/a"}, {`»]`, ""}, {`»,`, ""}, {`[»:]`, "/0"},
	} {
		before, after, _ := strings.Cut(test.text, "»")
		w := newWalk([]byte(before + after))
		for {
			token, ok := w.next()
			if !ok {
				break
			}
			w.enter(token, false)
		}
		if got := pointerOf(w.stepsToFailure()); !w.failed || w.pos != len(before) || got != test.pointer {
			t.Errorf("%s: failed: %v, at byte %d, pointer %q; want byte %d, pointer %q", test.text, w.failed, w.pos, got, len(before), test.pointer)
		}
	}
}

// TestPlace compares lines and columns with a simple implementation that splits the text into lines.
// It also checks that the caret is under the character at the position.
func TestPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 2000 {
		var text []byte
		starts := []int{0}
		for range 1 + r.IntN(300) {
			text = append(text, []string{"a", "é", "日", "😀", "\n", "\r\n", "\r", "\t", "\x00", "\xff", strings.Repeat("x", 50)}[r.IntN(11)]...)
			starts = append(starts, len(text))
		}
		p := Position{Offset: starts[r.IntN(len(starts))]}
		p.place(text)
		lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text[:p.Offset])), "\n")
		if p.Offset > 0 && text[p.Offset-1] == '\r' && p.Offset < len(text) && text[p.Offset] == '\n' {
			continue // within the end of a line
		}
		last := lines[len(lines)-1]
		if p.Line != len(lines) || p.Column != len([]rune(last))+1 {
			t.Fatalf("%q at %d: line %d, column %d; want %d and %d", text, p.Offset, p.Line, p.Column, len(lines), len([]rune(last))+1)
		}
		shown := []rune(p.Text)
		if len(shown) > most || p.Caret > before || p.Caret > len(shown) {
			t.Fatalf("%q at %d: caret %d under %q", text, p.Offset, p.Caret, p.Text)
		}
		if p.Offset < len(text) && text[p.Offset] != '\n' && text[p.Offset] != '\r' {
			if c := []rune(string(text[p.Offset:]))[0]; shown[p.Caret] != printable(c) {
				t.Fatalf("%q at %d: the caret is under %q in %q", text, p.Offset, shown[p.Caret], p.Text)
			}
		}
	}
}

// TestErrorOfOthers checks that Error returns false for an error without a position, and for a
// position after the end of the text.
func TestErrorOfOthers(t *testing.T) {
	typeError := &json.UnmarshalTypeError{Value: "string", Offset: 100}
	for _, err := range []error{nil, io.EOF, typeError, &stream.SyntacticError{ByteOffset: 100}, &stream.SyntacticError{ByteOffset: -1}} {
		if p, ok := Error([]byte(`{"a":1}`), err); ok {
			t.Errorf("%v has the position %+v", err, p)
		}
	}
}
