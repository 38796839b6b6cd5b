package json

import (
	stdjson "encoding/json"
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
// more input. The results must be the same as with encoding/json.
func TestGrowingStream(t *testing.T) {
	if byStd(DefaultEngine) {
		t.Skip("encoding/json is the engine")
	}
	random := rand.New(rand.NewPCG(1, 2))
	texts := []string{`1 2 3`, `[1,2]`, `{"a":1,"b":[]}`, ` [ {"a" : [1 , "x"]} , null ] true `, `"ab" "c"`, `[1 2]`, `{"a" 1}`, `nul`, `{} [] {}`, `[[[]]]`, `x`, ` `}
	for range 20_000 {
		text := texts[random.IntN(len(texts))]
		var theirs, ours growing
		want, got := stdjson.NewDecoder(&theirs), NewDecoder(&ours)
		var log []string
		rest := []byte(text)
		for range 30 {
			if random.IntN(3) == 0 {
				n := random.IntN(len(rest) + 1)
				log = append(log, fmt.Sprintf("write %q", rest[:n]))
				theirs.rest, ours.rest = append(theirs.rest, rest[:n]...), append(ours.rest, rest[:n]...)
				rest = rest[n:]
				continue
			}
			var w, g string
			call := random.IntN(3)
			switch call {
			case 0:
				token, err := want.Token()
				w = fmt.Sprint(token, " ", err)
				token, err = got.Token()
				g = fmt.Sprint(token, " ", err)
			case 1:
				w, g = fmt.Sprint(want.More()), fmt.Sprint(got.More())
			case 2:
				var v, x any
				w = fmt.Sprint(want.Decode(&v), v)
				g = fmt.Sprint(got.Decode(&x), x)
			}
			w += fmt.Sprint(" ", want.InputOffset())
			g += fmt.Sprint(" ", got.InputOffset())
			log = append(log, []string{"Token", "More", "Decode"}[call]+": "+w)
			if w != g {
				t.Fatalf("%q: got %s after\n%q", text, g, log)
			}
		}
	}
}
