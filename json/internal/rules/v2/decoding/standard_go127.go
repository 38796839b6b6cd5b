//go:build go1.27 && goexperiment.jsonv2

package decoding

import (
	"bytes"
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"io"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// A standardReader is a stream of the standard library. All methods of a call share it, and only
// one method uses it at a time.
type standardReader struct {
	decoder *stdtext.Decoder
	options option.Options // see standardWriter
	text    bytes.Buffer
}

// forget drops the references to the text and the options of a call.
func (r *standardReader) forget() {
	if r.options != nil {
		r.options, r.text = nil, bytes.Buffer{}
		r.decoder.Reset(&r.text)
	}
}

// standardRead decodes raw with p's method, which reads from a stream of the standard library.
// stringed says that numbers are in quotes.
func (d *decoder) standardRead(p any, raw []byte, stringed bool) error {
	r := d.standard
	if d.standard = nil; r == nil {
		r = &standardReader{decoder: stdtext.NewDecoder(new(bytes.Buffer))}
	}
	if r.options == nil {
		r.options = rules.StandardOptions(d.call.Set, 0, false)
	}
	options := r.options
	if stringed {
		options = rules.StandardOptions(d.call.Set, 0, true)
	}
	r.text = *bytes.NewBuffer(raw)
	r.decoder.Reset(&r.text, options)
	err := jsonv2.UnmarshalDecode(r.decoder, p)
	if err == io.EOF && !d.Has(option.ReportErrorsWithLegacySemantics) { // the method tried to read a second value
		end := r.decoder.InputOffset() + int64(len(r.decoder.UnreadBuffer()))
		err = &stream.SyntacticError{ByteOffset: end, Err: io.ErrUnexpectedEOF}
	}
	d.standard = r
	return err
}
