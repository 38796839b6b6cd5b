//go:build go1.27 && goexperiment.jsonv2

package json

import (
	stdtext "encoding/json/jsontext"
	std "encoding/json/v2"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/json/jsontext"
)

// TestCutOffStandard reads texts from a reader that fails or ends after each byte, with different
// sequences of calls. The standard library must return the same values and errors.
func TestCutOffStandard(t *testing.T) {
	byHone(t) // the other engine does not return incomplete values
	for _, text := range cutTexts {
		for cut := range len(text) + 1 {
			for _, end := range []io.Reader{iotest.ErrReader(errCut), strings.NewReader("")} {
				for tokens := range 4 {
					reader := func() io.Reader { return io.MultiReader(strings.NewReader(text[:cut]), end) }
					ours, theirs := jsontext.NewDecoder(reader()), stdtext.NewDecoder(reader())
					var got, want []string
					for range tokens {
						a, err := ours.ReadToken()
						got = append(got, fmt.Sprint(a, " ", say(err)))
						b, err := theirs.ReadToken()
						want = append(want, fmt.Sprint(b, " ", say(err)))
					}
					for range 4 {
						var a, b any
						got = append(got, fmt.Sprint(say(UnmarshalDecode(ours, &a)), a))
						want = append(want, fmt.Sprint(say(std.UnmarshalDecode(theirs, &b)), b))
					}
					if fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("%q cut after %d bytes (%T), after %d tokens\ngot  %q\nwant %q", text, cut, end, tokens, got, want)
					}
				}
			}
		}
	}
}
