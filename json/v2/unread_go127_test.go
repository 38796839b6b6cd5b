//go:build go1.27 && goexperiment.jsonv2

package json

import (
	stdtext "encoding/json/jsontext"
	std "encoding/json/v2"
	"errors"
	"fmt"

	"strings"
	"testing"

	"github.com/hone-go/hone/json/jsontext"
)

// unread describes the state of a stream within a function, before, between and after tokens. It
// includes only the start of the unread input, because the length that was read ahead differs.
func unread(d interface {
	UnreadBuffer() []byte
	InputOffset() int64
	SkipValue() error
}, next func() error) (notes []string) {
	note := func() {
		rest := string(d.UnreadBuffer())
		if i := strings.IndexAny(rest, `"tfn0123456789[]{}`); i >= 0 {
			rest = rest[:i+1]
		}
		notes = append(notes, fmt.Sprintf("%d %q", d.InputOffset(), rest))
	}
	note()
	_ = next()
	note()
	return notes
}

// TestUnreadBuffer decodes values with functions that call UnreadBuffer. Before, between and after
// tokens it must return the same text as with the standard library.
func TestUnreadBuffer(t *testing.T) {
	byHone(t)
	for _, text := range []string{
		`{"a":1}`, ` { "a" : 1 , "b": "x" } `, "[1 , 2,\n3]", `[[ 1 ],{"x" : true , "y":[ null ]}]`, ` "x" `, `{"é": "\u00e9" , "b" : [1,"é" ]}`, `[ {} , [] ]`, `1 `,
	} {
		for _, way := range []string{"Unmarshal", "UnmarshalRead", "UnmarshalDecode", "a value of a stream"} {
			var want, got []string
			theirs := std.WithUnmarshalers(std.UnmarshalFromFunc(func(d *stdtext.Decoder, _ *any) error {
				want = append(want, unread(d, func() error {
					if k := d.PeekKind(); k == '{' || k == '[' {
						return nil
					}
					_, err := d.ReadToken()
					return err
				})...)
				if k := d.PeekKind(); k == '{' || k == '[' {
					return errors.ErrUnsupported
				}
				return nil
			}))
			ours := WithUnmarshalers(UnmarshalFromFunc(func(d *jsontext.Decoder, _ *any) error {
				got = append(got, unread(d, func() error {
					if k := d.PeekKind(); k == '{' || k == '[' {
						return nil
					}
					_, err := d.ReadToken()
					return err
				})...)
				if k := d.PeekKind(); k == '{' || k == '[' {
					return errors.ErrUnsupported
				}
				return nil
			}))
			var v, w any
			var werr, gerr error
			switch way {
			case "Unmarshal":
				werr, gerr = std.Unmarshal([]byte(text), &v, theirs), Unmarshal([]byte(text), &w, ours)
			case "UnmarshalRead":
				werr, gerr = std.UnmarshalRead(strings.NewReader(text), &v, theirs), UnmarshalRead(strings.NewReader(text), &w, ours)
			case "UnmarshalDecode":
				a, b := stdtext.NewDecoder(strings.NewReader(text)), jsontext.NewDecoder(strings.NewReader(text))
				werr, gerr = std.UnmarshalDecode(a, &v, theirs), UnmarshalDecode(b, &w, ours)
			case "a value of a stream":
				a, b := stdtext.NewDecoder(strings.NewReader("[0 , "+text+"]")), jsontext.NewDecoder(strings.NewReader("[0 , "+text+"]"))
				for range 2 {
					_, _ = a.ReadToken()
					_, _ = b.ReadToken()
				}
				werr, gerr = std.UnmarshalDecode(a, &v, theirs), UnmarshalDecode(b, &w, ours)
			}
			if say(werr) != say(gerr) || fmt.Sprint(want) != fmt.Sprint(got) {
				t.Errorf("%s %q:\ngot  %v %v\nwant %v %v", way, text, got, gerr, want, werr)
			}
		}
	}
}
