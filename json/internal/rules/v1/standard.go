package v1

import (
	"encoding/json"
	"io"

	"github.com/hone-go/hone/json/internal/option"
)

// StandardDecoder returns a decoder of encoding/json. It sets those options that encoding/json
// supports.
func StandardDecoder(r io.Reader, on option.Flag) *json.Decoder {
	std := json.NewDecoder(r)
	SetOptions(std, on)
	return std
}

// SetOptions sets those of the given options that encoding/json supports.
func SetOptions(std *json.Decoder, on option.Flag) {
	if on&option.RawNumbers != 0 {
		std.UseNumber()
	}
	if on&option.RejectUnknownMembers != 0 {
		std.DisallowUnknownFields()
	}
}

// Resume returns a decoder of encoding/json that continues within open arrays and objects. opening
// is a text that opens them, and calls is the number of calls of Token that read it. After it the
// decoder reads from rest.
func Resume(opening string, calls int, rest *Rest, on option.Flag) *json.Decoder {
	rest.Text = opening + rest.Text
	std := StandardDecoder(rest, on)
	passTokens(std, calls)
	return std
}

// passTokens calls std.Token the given number of times. The input must be valid up to the last of
// these tokens.
func passTokens(std *json.Decoder, calls int) {
	for range calls {
		_, _ = std.Token()
	}
}

// StreamError returns the error of a decoder of encoding/json that reads from r: the error of Decode
// or of Token, after the given number of calls of Token.
func StreamError(r io.Reader, calls int, decode bool) error {
	std := json.NewDecoder(r)
	passTokens(std, calls)
	if decode {
		return std.Decode(new(json.RawMessage))
	}
	_, err := std.Token()
	return err
}

// A Rest is a reader of a text, and then of another reader. Unlike an io.MultiReader it reads again
// after an error, because a stream may return more input after its end.
type Rest struct {
	Text   string
	Err    error // returned once, after Text; may be nil
	Reader io.Reader
}

func (r *Rest) Read(b []byte) (int, error) {
	if r.Text != "" {
		n := copy(b, r.Text)
		r.Text = r.Text[n:]
		return n, nil
	}
	if err := r.Err; err != nil {
		r.Err = nil
		return 0, err
	}
	return r.Reader.Read(b)
}

// A Failed is a reader that always returns Err.
type Failed struct{ Err error }

func (f Failed) Read([]byte) (int, error) { return 0, f.Err }
