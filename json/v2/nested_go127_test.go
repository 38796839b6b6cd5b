//go:build go1.27 && goexperiment.jsonv2

package json

import (
	stdtext "encoding/json/jsontext"
	std "encoding/json/v2"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hone-go/hone/json/jsontext"
)

// A walker performs the calls of a method that takes a stream. Choices selects the calls, which are
// the same for both packages.
type walker struct {
	choices []byte
	notes   []string
	calls   int
}

func (w *walker) choose(n int) int {
	w.calls++
	if len(w.choices) == 0 {
		return 0
	}
	return int(w.choices[w.calls%len(w.choices)]) % n
}

func (w *walker) note(from reader) {
	if w.choose(2) == 0 {
		w.notes = append(w.notes, place(from)+fmt.Sprint(" ", from.InputOffset()))
	}
}

// walk reads one value. It passes parts of the value to other methods.
func (w *walker) walk(from reader, token func() (jsontext.Kind, error), part func(which int) error) error {
	if w.calls > 1000 {
		return errors.New("too long")
	}
	w.note(from)
	switch w.choose(6) {
	case 0, 1, 2:
	case 3:
		_, err := from.ReadValue()
		return err
	case 4:
		return from.SkipValue()
	case 5:
		if k := from.PeekKind(); k == '}' || k == ']' || k == 0 {
			_, err := token() // the same call as after the switch
			return err
		}
		return part(w.choose(8))
	}
	open, err := token()
	if err != nil || open != '{' && open != '[' {
		return err
	}
	for {
		w.note(from)
		k := from.PeekKind()
		if k == open+2 {
			_, err = token()
			w.note(from)
			return err
		}
		if open == '{' {
			switch w.choose(3) {
			case 0:
				_, err = token()
			case 1:
				_, err = from.ReadValue()
			case 2:
				err = part(1)
			}
			if err != nil {
				return err
			}
		}
		if k := from.PeekKind(); k == '}' || k == ']' || k == 0 {
			_, err = token() // the standard library treats a closing bracket as a value, and calls methods for it
		} else if w.choose(3) == 0 {
			err = from.SkipValue()
		} else {
			err = part(w.choose(8))
		}
		if err != nil {
			return err
		}
	}
}

// Types whose methods use the current walker for the value itself and for its parts.
type (
	ourWalk       struct{ of *walker }
	theirWalk     struct{ of *walker }
	pairOf[T any] struct {
		A, B T
		C    []T
		Next *pairOf[T]
	}
)

var walking *walker // the walker of the methods of zero values

func parts[T any](which int) any {
	switch which {
	case 0:
		return new(any)
	case 1:
		return new(string)
	case 2:
		return new([]T)
	case 3:
		return new(map[string]T)
	case 4:
		return new(pairOf[T])
	case 5:
		return new([]int)
	}
	return new(T)
}

func (v *ourWalk) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	token := func() (jsontext.Kind, error) {
		t, err := from.ReadToken()
		return t.Kind(), err
	}
	return walking.walk(from, token, func(which int) error {
		var opts []Options
		if walking.choose(5) == 0 {
			opts = append(opts, jsontext.AllowInvalidUTF8(walking.choose(2) == 0))
		}
		into := parts[ourWalk](which)
		err := UnmarshalDecode(from, into, opts...)
		walking.notes = append(walking.notes, fmt.Sprintf("%s %s", describe(into), say(err)))
		return err
	})
}

func (v *theirWalk) UnmarshalJSONFrom(from *stdtext.Decoder) error {
	token := func() (jsontext.Kind, error) {
		t, err := from.ReadToken()
		return t.Kind(), err
	}
	return walking.walk(from, token, func(which int) error {
		var opts []Options
		if walking.choose(5) == 0 {
			opts = append(opts, jsontext.AllowInvalidUTF8(walking.choose(2) == 0))
		}
		into := parts[theirWalk](which)
		err := std.UnmarshalDecode(from, into, opts...)
		walking.notes = append(walking.notes, fmt.Sprintf("%s %s", describe(into), say(err)))
		return err
	})
}

// quotedText matches the part of an error that quotes an invalid string. Its length depends on the
// bytes that were read so far.
var quotedText = regexp.MustCompile("`[^`]*` in string")

// told returns a note without the details that differ between the two packages.
func told(note string) string {
	return quotedText.ReplaceAllString(strings.ReplaceAll(note, "ourWalk", "theirWalk"), "in string")
}

// walkBoth decodes a text with nested methods in both packages, and compares the results.
func walkBoth(t *testing.T, text string, choices []byte, bits uint32) {
	t.Helper()
	if skipBroken(text) {
		return
	}
	options := optionsOf(bits)
	theirs := &walker{choices: choices}
	walking = theirs
	werr := std.Unmarshal([]byte(text), new(theirWalk), options...)
	ours := &walker{choices: choices}
	walking = ours
	gerr := Unmarshal([]byte(text), new(ourWalk), options...)
	if w, g := told(say(werr)), told(say(gerr)); w != g {
		t.Errorf("%q, choices %q, options%s\ngot  %s\nwant %s", text, choices, optionNames(bits), g, w)
	}
	for i := range min(len(ours.notes), len(theirs.notes)) {
		w, g := told(theirs.notes[i]), told(ours.notes[i])
		if w != g {
			t.Errorf("%q, choices %q, options%s, note %d\ngot  %s\nwant %s", text, choices, optionNames(bits), i, g, w)
			return
		}
	}
}

// nestedTexts contain nested values. Some of them are invalid.
var nestedTexts = []string{
	`[1,[2,[3,[4]],"x"],{"a":[{"b":{"c":[]}}],"A":[1,2]}]`,
	`{"A":{"A":{"A":1,"B":[[]],"C":[{"A":2},{"B":{}}]},"Next":{"A":[]}},"B":"text","C":[[],{}, 7 ,"\u00e9"]}`,
	` { "A" : [ 1 , { "x" : null , "y" : [ true , false ] } ] , "B" : [ ] } `,
	`[{"a":1,"a":2},[{"A":{"b":1,"b":2}}]]`,
	"[\"\xff\",{\"A\":[\"\\ud800\"]}]",
	`[[[[[[[[01]]]]]]]]`, `{"A":{"B":{"C":[{"A":tru}]}}}`, `[[1,2],[3,[4,{"A":[5}]]]]`, `[[[1 2]],[0]]`, `{"A":[{"B":1]}`,
	`[1,[2,{"A":"\x"}]]`, `{"A":{"B":[1,2,{"C":[`, `[[],[[],[[],`, `{"A":{"A":{"A":{"A":`, `[1,-]`, `[0`, `[[12`, `]`, ` }`,
	"[\"\xf0\"]\xed", `[1] x`, ` {"A":[1]} ,`, `{"": }`, `{"A": }`, `{"A": ]`, `[1, ]`, `[1,}`, `{"A":1, }`, `[{"A": },1]`, `{"A" }`, `{"A",`, `[[1,]]`, `{"A":[ }`, `[1,,2]`, `{"A":: 1}`, `[:1]`,
}

// TestNestedMethods decodes texts with nested methods. Each method reads a token, reads or skips a
// value, or passes a part to another method. The results must be the same as with the standard
// library.
func TestNestedMethods(t *testing.T) {
	for i, text := range nestedTexts {
		for seed := range 200 {
			choices := make([]byte, 17)
			for j := range choices {
				choices[j] = byte((seed*7 + j*j*(seed+3) + i) * 0x9e3779b1 >> 9)
			}
			for _, bits := range []uint32{0, 1, 2, 3} {
				walkBoth(t, text, choices, bits)
			}
			if t.Failed() {
				return
			}
		}
	}
}

func FuzzNested(f *testing.F) {
	for i, text := range nestedTexts {
		f.Add(text, []byte("some choices")[i%5:], uint32(i%4))
	}
	f.Fuzz(func(t *testing.T, text string, choices []byte, bits uint32) {
		walkBoth(t, text, choices, bits&3)
	})
}
