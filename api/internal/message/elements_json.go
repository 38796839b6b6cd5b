package message

import (
	"errors"
	"io"

	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
)

// An ElementDecoder decodes JSON values one by one while a body arrives. The values are the elements of an
// array, whose delimiters Token reads, or follow one another without an array. After a value that does not
// fit its Go type the decoder continues with the next value. [json.Decoder] documents the methods.
type ElementDecoder interface {
	Token() (json.Token, error)
	More() bool
	Decode(v any) error
	InputOffset() int64
}

// NewElementDecoder returns a decoder with the rules of encoding/json and the given config. If
// options is not nil, it is a decoder with these options of package json/v2.
func NewElementDecoder(from io.Reader, config json.Config, options jsonv2.Options) ElementDecoder {
	if options == nil {
		return config.NewDecoder(from)
	}
	// The stream accepts duplicate names and invalid UTF-8. Decode applies the options to each value, so that
	// reading can continue after a fault in a value.
	lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	return &v2Elements{jsontext.NewDecoder(from, lenient...), options}
}

type v2Elements struct {
	from    *jsontext.Decoder
	options jsonv2.Options
}

// Token reads the start or the end of an array. For any other token it returns only the kind.
func (d *v2Elements) Token() (json.Token, error) {
	token, err := d.from.ReadToken()
	if err != nil {
		return nil, err
	}
	return json.Delim(token.Kind()), nil
}

func (d *v2Elements) More() bool { return d.from.PeekKind() != ']' }

// Decode reads the next value as a whole before it decodes the value.
func (d *v2Elements) Decode(v any) error {
	text, err := d.from.ReadValue()
	if err != nil {
		return err
	}
	err = jsonv2.Unmarshal(text.Clone(), v, d.options) // methods may retain parts of the text
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return errOfMethod // the text is complete, so this error says nothing about the body
	}
	return err
}

var errOfMethod = errors.New("an unmarshaler returned io.EOF or io.ErrUnexpectedEOF")

func (d *v2Elements) InputOffset() int64 { return d.from.InputOffset() }
