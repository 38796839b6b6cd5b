package json

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/release"
	"github.com/hone-go/hone/internal/test/testkit"
)

// A pieces reader reads a few bytes at a time.
type pieces struct {
	io.Reader
	most int
}

func (r pieces) Read(b []byte) (int, error) { return r.Reader.Read(b[:min(len(b), r.most)]) }

// sameTokens makes the same sequence of calls, one for each byte of calls, with a Decoder and with
// a decoder of encoding/json, and compares the results.
func sameTokens(t *testing.T, data, calls []byte) {
	t.Helper()
	sum := 0
	for _, call := range calls {
		sum = 31*sum + int(call) + 1
	}
	sum &= 1<<30 - 1
	// At the top level, encoding/json reads the byte after a scalar, and this package does not. The
	// failing reader therefore returns a space first.
	readers := []func() io.Reader{
		func() io.Reader { return bytes.NewReader(data) },
		func() io.Reader { return iotest.OneByteReader(bytes.NewReader(data)) },
		func() io.Reader { return iotest.DataErrReader(bytes.NewReader(data)) },
		func() io.Reader {
			return io.MultiReader(bytes.NewReader(data), strings.NewReader(" "), iotest.ErrReader(io.ErrClosedPipe))
		},
		// The calls choose how and where this reader fails. Its pieces are smaller than the first buffers of
		// both decoders, which forget an error that comes with the first bytes.
		func() io.Reader { return pieces{testkit.FaultyReader(string(data), sum, len(calls)), 256} },
	}
	for i, reader := range readers {
		std, ours := json.NewDecoder(reader()), NewDecoder(reader())
		if len(calls)%2 == 1 {
			std.UseNumber()
			ours.UseNumber()
		}
		for n, call := range calls {
			var want, got any
			var wantErr, err error
			switch call % 5 {
			case 0, 1:
				want, wantErr = std.Token()
				got, err = ours.Token()
			case 2:
				want, got = std.More(), ours.More()
			case 3:
				var w, g any
				wantErr, err = std.Decode(&w), ours.Decode(&g)
				want, got = w, g
			case 4:
				var w, g []int
				wantErr, err = std.Decode(&w), ours.Decode(&g)
				want, got = w, g
			}
			if !reflect.DeepEqual(got, want) || !sameError(err, wantErr) {
				t.Fatalf("%q, reader %d, call %d of %v:\ngot  %#v, %v (%#v)\nwant %#v, %v (%#v)", data, i, n, calls, got, err, err, want, wantErr, wantErr)
			}
			if a, b := ours.InputOffset(), std.InputOffset(); a != b && err == nil {
				t.Fatalf("%q, reader %d, call %d of %v: offset %d, want %d", data, i, n, calls, a, b)
			}
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range []string{
		``, ` `, `null`, `{"a":[1,"x",true,null,{"b":{}}],"c":1.5}`, `[[],[[]],{}]`, `1 2 "3"`, `[1 2]`, `[,]`, `[1,]`, `{"a" 1}`, `{"a":}`, `{"a":1,}`, `{1:2}`,
		`{"a":1 "b":2}`, `]`, `}`, `:`, `,`, `{,`, `{"a":1]`, `[1}`, `{x`, `[x`, `{"a":x`, `{"a"x`, `{"a":1x`, `[1x`, `["\ud800"]`, "[\"\xff\"]", `[1e999]`, `{"a":[1,2],"b":[3`,
		`[[1,2],[3,"x"],[5]]`, `{"\u0061":1}`, "é", "[é", `{"a":"b`, `[tru`, `"\`, `["\`, `"\x"`, "[\x00", `{""}`, `{""]`, `{"" 1`, `{"",1`, `{"a`, "{\xaf", "\xff", "[{}.", "[1 e", `{"a":1 .5`,
	} {
		for _, calls := range []string{
			"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "\x02\x00\x02\x00\x02\x00\x02\x00\x02\x00\x02\x00\x02\x00", "\x00\x03\x03\x03\x03", "\x00\x00\x03\x00\x03\x00",
			"\x00\x04\x02\x04\x02\x04\x00\x00", "\x03\x03\x03", "\x00\x00\x00\x03\x02\x03", "\x00\x00\x04\x00\x04", "\x00\x00\x02\x00\x02\x03",
		} {
			f.Add([]byte(s), []byte(calls))
		}
	}
	f.Fuzz(func(t *testing.T, data, calls []byte) { sameTokens(t, data, calls[:min(len(calls), 40)]) })
}

// TestTokenDepth opens arrays and objects by Token, which has a limit from Go 1.27 on.
func TestTokenDepth(t *testing.T) {
	const limit, opened = 10_000, 10_005
	read := func(next func() (Token, error)) (tokens int, err error) {
		for err == nil && tokens < 2*opened {
			if _, err = next(); err == nil {
				tokens++
			}
		}
		return tokens, err
	}
	for text, each := range map[string]int{"[": 1, `{"a":`: 2} {
		text = strings.Repeat(text, opened)
		for _, rules := range []Rules{Go126, Go127} {
			want := each * opened
			if rules == Go127 {
				want = each * limit
			}
			tokens, err := read(Config{Rules: rules, Engine: HoneEngine}.NewDecoder(strings.NewReader(text)).Token)
			if _, isSyntax := err.(*SyntaxError); tokens != want || isSyntax != (rules == Go127) {
				t.Errorf("%v, %.5s: %d tokens and %v, want %d", rules, text, tokens, err, want)
			}
			if release.Linked == rules {
				if stdTokens, stdErr := read(json.NewDecoder(strings.NewReader(text)).Token); stdTokens != tokens || !sameError(err, stdErr) {
					t.Errorf("%v, %.5s: %v, but encoding/json reads %d tokens and returns %v", rules, text, err, stdTokens, stdErr)
				}
			}
		}
	}
}
