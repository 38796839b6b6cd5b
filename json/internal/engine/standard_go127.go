//go:build go1.27 && goexperiment.jsonv2

package engine

import (
	"bytes"
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"io"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// A standardWriter is a stream of the standard library that methods are given, one after the
// other.
type standardWriter struct {
	encoder *stdtext.Encoder
	options option.Options // of the call that it is for, nil if they are not known yet
	b       []byte         // what has been written
}

// Write is for the stream.
func (w *standardWriter) Write(b []byte) (int, error) {
	w.b = append(w.b, b...)
	return len(b), nil
}

// forget drops what is of the call.
func (w *standardWriter) forget() {
	if w.options != nil {
		w.options, w.b = nil, nil
		w.encoder.Reset(io.Discard)
	}
}

// standardStream appends what a method writes to a stream of the standard library, which
// checks it.
func (e *encoder) standardStream(dst []byte, r *ref, p any) ([]byte, error) {
	w := e.standard
	if e.standard = nil; w == nil {
		w = &standardWriter{encoder: stdtext.NewEncoder(io.Discard)}
	}
	if w.options == nil {
		w.options = standardOptions(e.call.Set, option.Whitespace, false)
	}
	options := w.options
	if r.stringed {
		options = standardOptions(e.call.Set, option.Whitespace, true)
	}
	w.b = dst
	w.encoder.Reset(w, options)
	err := jsonv2.MarshalEncode(w.encoder, p)
	out := w.b
	w.b = nil
	e.standard = w // but not behind a panic
	if err != nil {
		if _, ok := err.(*MarshalerError); ok && e.has(option.ReportErrorsWithLegacySemantics) {
			return dst, err // which says so already
		}
		return e.value(dst, nil, r.shape.Type, err, "MarshalJSON", p)
	}
	return out[:len(out)-len("\n")], nil
}

// standardOptions returns what the standard library knows of a Set, without some of its
// flags.
func standardOptions(set option.Set, without option.Flag, stringed bool) option.Options {
	set.On &^= without
	if stringed {
		set.Put(option.StringifyNumbers, true)
	}
	return set.Standard()
}

// A standardReader is a stream of the standard library that methods are given, one after the
// other.
type standardReader struct {
	decoder *stdtext.Decoder
	options option.Options // as those of a standardWriter
	text    bytes.Buffer
}

func (r *standardReader) forget() {
	if r.options != nil {
		r.options, r.text = nil, bytes.Buffer{}
		r.decoder.Reset(&r.text)
	}
}

// standardRead lets a method read the value from a stream of the standard library.
func (d *decoder) standardRead(p any, raw []byte, stringed bool) error {
	r := d.standard
	if d.standard = nil; r == nil {
		r = &standardReader{decoder: stdtext.NewDecoder(new(bytes.Buffer))}
	}
	if r.options == nil {
		r.options = standardOptions(d.call.Set, 0, false)
	}
	options := r.options
	if stringed {
		options = standardOptions(d.call.Set, 0, true)
	}
	r.text = *bytes.NewBuffer(raw)
	r.decoder.Reset(&r.text, options)
	err := jsonv2.UnmarshalDecode(r.decoder, p)
	if err == io.EOF && !d.has(option.ReportErrorsWithLegacySemantics) { // as the method has read more than there is
		end := r.decoder.InputOffset() + int64(len(r.decoder.UnreadBuffer()))
		err = &stream.SyntacticError{ByteOffset: end, Err: io.ErrUnexpectedEOF}
	}
	d.standard = r
	return err
}
