package document_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/hone-go/hone/internal/test/testkit/random"
	honejson "github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/document"
)

// TestDocuments compares the values of random streams, some of which are cut off, with those that
// encoding/json decodes.
func TestDocuments(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		var text []byte
		for range r.IntN(8) {
			text = append(append(text, random.JSON(r, 3)...), []string{" ", "\n", "\r\n\n"}[r.IntN(3)]...)
		}
		if r.IntN(3) == 0 {
			text = text[:r.IntN(len(text)+1)]
		}
		in := honejson.NewDecoder(bytes.NewReader(text))
		std := json.NewDecoder(bytes.NewReader(text))
		std.UseNumber()
		for doc, err := range document.Documents(iotest.OneByteReader(bytes.NewReader(text))) {
			var raw json.RawMessage
			var x any
			wantErr, stdErr := in.Decode(&raw), std.Decode(&x)
			if !reflect.DeepEqual(err, wantErr) || (err == nil) != (stdErr == nil) {
				t.Fatalf("%q: %v, want %v, or %v", text, err, wantErr, stdErr)
			}
			if err == nil {
				compare(t, doc.Root(), doc.Root(), x, "")
			}
		}
		if err := in.Decode(new(json.RawMessage)); err == nil {
			t.Fatalf("%q: a value is missing", text)
		}
	}
}

// TestDocumentsErrors checks how an iterator goes on after errors.
func TestDocumentsErrors(t *testing.T) {
	failure := errors.New("failure")
	for _, test := range []struct {
		in   io.Reader
		want []any // a text or an error
	}{
		{strings.NewReader(""), nil},
		{strings.NewReader("1\n{\"a\":1,\"a\":2}\n[]"), []any{"1", document.ErrDuplicateName, "[]"}},
		{strings.NewReader(`{} [1`), []any{"{}", io.ErrUnexpectedEOF}},
		{io.MultiReader(strings.NewReader("{}"), iotest.ErrReader(failure)), []any{"{}", failure}},
		{strings.NewReader(`["` + strings.Repeat("x", 96) + `"] 1`), []any{`["` + strings.Repeat("x", 96) + `"]`, "1"}},
		{strings.NewReader(`["` + strings.Repeat("x", 97) + `"] 1`), []any{document.ErrTextSize}},
		{io.MultiReader(strings.NewReader("1 ["), endless{}), []any{"1", document.ErrTextSize}},
	} {
		var got []any
		options := document.StreamOptions{MaxBytes: 100, Options: document.Options{RejectDuplicateNames: true, AllowComments: true}}
		for doc, err := range document.Documents(test.in, options) {
			if err == nil {
				got = append(got, string(doc.Root().Raw()))
				continue
			}
			for _, want := range []error{document.ErrDuplicateName, io.ErrUnexpectedEOF, failure, document.ErrTextSize} {
				if errors.Is(err, want) {
					err = want
				}
			}
			got = append(got, err)
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v, want %v", got, test.want)
		}
	}
	for doc, err := range document.Documents(strings.NewReader("1 2")) {
		if err != nil || string(doc.Root().Raw()) != "1" {
			t.Error("the loop went on after its end")
		}
		break
	}
}

// An endless reader never ends.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}
