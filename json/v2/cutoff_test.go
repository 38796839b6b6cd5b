package json

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/json/jsontext"
)

var errCut = errors.New("the connection was cut")

// cutTexts are texts that are truncated after each byte.
var cutTexts = []string{
	`[100,1234,-5.25e+3,[7,88],{"a":99}]`, `1234 5678`, `12345`, `{"a":1234,"b":56}`, `[true,null,"text",12]`, ` 77 `,
}

// TestNumbersCutOff reads texts from a reader that fails after each byte. A number at the end of
// the input must not be returned, because more digits might follow.
func TestNumbersCutOff(t *testing.T) {
	byHone(t)
	for _, text := range cutTexts {
		for cut := range len(text) {
			for _, piecewise := range []bool{false, true} {
				reader := func() io.Reader {
					var r io.Reader = strings.NewReader(text[:cut])
					if piecewise {
						r = iotest.OneByteReader(r)
					}
					return io.MultiReader(r, iotest.ErrReader(errCut))
				}
				whole := valuesOf(strings.NewReader(text))
				got := valuesOf(reader())
				for i, v := range got {
					if i >= len(whole) || v != whole[i] {
						t.Errorf("%q cut after %d bytes: value %d is %v, want one of %v", text, cut, i, v, whole)
					}
				}
				var n int
				d := jsontext.NewDecoder(reader())
				for {
					err := UnmarshalDecode(d, &n)
					if err == nil {
						if !strings.Contains(" "+text+" ", " "+itoa(n)+" ") {
							t.Errorf("%q cut after %d bytes: a number of %d", text, cut, n)
						}
						continue
					}
					if len(strings.Fields(text)) == 2 && !errors.Is(err, errCut) {
						t.Errorf("%q cut after %d bytes: %v", text, cut, err)
					}
					break
				}
				for n, err := range Elements[int](reader()) {
					if err == nil && n != 0 && !strings.Contains(text, itoa(n)+",") { // null is 0
						t.Errorf("%q cut after %d bytes: Elements yields %d", text, cut, n)
					}
				}
			}
		}
	}
}

func itoa(n int) string {
	b, _ := Marshal(n)
	return string(b)
}

// valuesOf returns the numbers in a stream. It reads arrays and objects as tokens, and decodes all
// other values.
func valuesOf(r io.Reader) (list []float64) {
	d := jsontext.NewDecoder(r)
	for {
		switch d.PeekKind() {
		case 0:
			return list
		case '0':
			var v float64
			if UnmarshalDecode(d, &v) != nil {
				return list
			}
			list = append(list, v)
		default:
			if _, err := d.ReadToken(); err != nil {
				return list
			}
		}
	}
}
