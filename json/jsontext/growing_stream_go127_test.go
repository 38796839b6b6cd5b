//go:build go1.27 && goexperiment.jsonv2

package jsontext

import (
	std "encoding/json/jsontext"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

// A growing reader returns io.EOF at its end, and may return more bytes in a later call.
type growing struct{ rest []byte }

func (g *growing) Read(b []byte) (int, error) {
	n := copy(b, g.rest)
	if g.rest = g.rest[n:]; n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// TestGrowingStream calls the same methods of both decoders for streams that return io.EOF and then
// more input. The results must be the same as with the standard library.
func TestGrowingStream(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := documents[random.IntN(len(documents))]
		if len(text) > 200 {
			continue
		}
		var theirs, ours growing
		want, got := std.NewDecoder(&theirs), NewDecoder(&ours)
		var log []string
		rest := []byte(text)
		for range 40 {
			if random.IntN(3) == 0 {
				n := random.IntN(len(rest) + 1)
				log = append(log, fmt.Sprintf("write %q", rest[:n]))
				theirs.rest, ours.rest = append(theirs.rest, rest[:n]...), append(ours.rest, rest[:n]...)
				rest = rest[n:]
				continue
			}
			var w, g string
			call := random.IntN(4)
			switch call {
			case 0:
				w, g = want.PeekKind().String(), got.PeekKind().String()
			case 1:
				token, err := want.ReadToken()
				w = fmt.Sprint(token.Kind(), " ", withoutPointer(say(err)))
				mine, err := got.ReadToken()
				g = fmt.Sprint(mine.Kind(), " ", withoutPointer(say(err)))
			case 2:
				value, err := want.ReadValue()
				w = fmt.Sprint(string(value), " ", withoutPointer(say(err)))
				mine, err := got.ReadValue()
				g = fmt.Sprint(string(mine), " ", withoutPointer(say(err)))
			case 3:
				w, g = withoutPointer(say(want.SkipValue())), withoutPointer(say(got.SkipValue()))
			}
			w += fmt.Sprint(" ", want.InputOffset(), want.StackDepth())
			g += fmt.Sprint(" ", got.InputOffset(), got.StackDepth())
			log = append(log, []string{"PeekKind", "ReadToken", "ReadValue", "SkipValue"}[call]+": "+w)
			if w != g {
				t.Fatalf("%q: got %s after\n%q", text, g, log)
			}
		}
	}
}
