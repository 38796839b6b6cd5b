//go:build go1.27 && goexperiment.jsonv2

package json

import (
	stdtext "encoding/json/jsontext"
	std "encoding/json/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/hone-go/hone/internal/test/testkit"
	"github.com/hone-go/hone/json/jsontext"
)

// TestFaultyReaders decodes values from readers that fail once, at each position. The values and
// the errors must be the same as with the standard library, and so must be the values that are read
// from the same stream later. Two differences remain. The standard library reads on after io.EOF if
// a number within a value ends there, and it returns the error of a reader with a position in some
// cases.
func TestFaultyReaders(t *testing.T) {
	byHone(t)
	type member struct {
		A int             `json:"a"`
		B jsontext.Value  `json:"b"`
		C map[string]bool `json:"c"`
	}
	targets := []func() any{
		func() any { return new(any) },
		func() any { return new(member) },
		func() any { return new([]member) },
		func() any { return new(jsontext.Value) },
	}
	for _, text := range []string{`{"a":12,"b":[3]} [2]`, `[12,{"\u0031":34}]`, `[{"a":1,"c":{"x":true}},{"a":tru}]`, ` 12 3 `, `"x`} {
		for fault, reader := range testkit.FaultyReaders(text) {
			if at, _ := strconv.Atoi(fault[strings.LastIndexByte(fault, ' ')+1:]); strings.HasPrefix(fault, "EOF") && at > 0 && text[at-1]-'0' <= 9 {
				continue
			}
			for _, target := range targets {
				want, got := target(), target()
				if _, any := want.(*any); any && (strings.HasSuffix(fault, " at 0") || !strings.Contains(fault, "with bytes at")) {
					continue // the standard library looks at the kind first, and this drops the error
				}
				w, g := sayRead(std.UnmarshalRead(reader(), want)), sayRead(UnmarshalRead(reader(), got))
				if w != g || describe(want) != describe(got) {
					t.Errorf("UnmarshalRead %q, %s into %T\ngot  %s %s\nwant %s %s", text, fault, want, describe(got), g, describe(want), w)
				}
				theirs, ours := stdtext.NewDecoder(reader()), jsontext.NewDecoder(reader())
				for i := range 4 {
					want, got := target(), target()
					w, g := sayRead(std.UnmarshalDecode(theirs, want)), sayRead(UnmarshalDecode(ours, got))
					w += position(theirs)
					g += position(ours)
					if !semantic(w) && w != g || describe(want) != describe(got) {
						t.Errorf("UnmarshalDecode %d of %q, %s into %T\ngot  %s %s\nwant %s %s", i, text, fault, want, describe(got), g, describe(want), w)
						break
					}
					if semantic(w) || theirs.StackDepth() > 0 {
						break // after an error within a value, the standard library's stream cannot go on
					}
				}
			}
		}
	}
}

// sayRead describes an error. It describes an error of the reader without a position.
func sayRead(err error) string {
	said := say(err)
	if i := strings.Index(said, "jsontext: read error: "); i >= 0 {
		said, _, _ = strings.Cut(said[i:], " within")
		said, _, _ = strings.Cut(said, " after offset")
	}
	return said
}

// semantic reports whether the text is of a SemanticError. Its verb differs from program to program.
func semantic(text string) bool {
	return strings.Contains(text, "cannot unmarshal") || strings.Contains(text, "unable to unmarshal")
}

// position describes the position of a Decoder.
func position(d interface {
	UnreadBuffer() []byte
	StackPointer() jsontext.Pointer
}) string {
	return " at " + string(d.StackPointer()) + " before " + strings.TrimSpace(string(d.UnreadBuffer()))
}
