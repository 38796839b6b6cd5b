//go:build go1.27 && goexperiment.jsonv2

package encoding

import (
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"io"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// A standardWriter is a stream of the standard library. All methods of a call share it, and only
// one method uses it at a time.
type standardWriter struct {
	encoder *stdtext.Encoder
	options option.Options // the options of the current call; nil if not yet computed
	b       []byte         // the output so far
}

// Write implements io.Writer for the stream. It appends b to w.b.
func (w *standardWriter) Write(b []byte) (int, error) {
	w.b = append(w.b, b...)
	return len(b), nil
}

// forget drops the references to the output and the options of a call.
func (w *standardWriter) forget() {
	if w.options != nil {
		w.options, w.b = nil, nil
		w.encoder.Reset(io.Discard)
	}
}

// standardStream appends the value that a method writes to a stream of the standard library, which
// checks the value. After a panic the stream is not reused, because the method may have retained
// it.
func (e *encoder) standardStream(dst []byte, r *methodsRow, p any) ([]byte, error) {
	w := e.standard
	if e.standard = nil; w == nil {
		w = &standardWriter{encoder: stdtext.NewEncoder(io.Discard)}
	}
	if w.options == nil {
		w.options = rules.StandardOptions(e.call.Set, option.Whitespace, false)
	}
	options := w.options
	if r.stringed {
		options = rules.StandardOptions(e.call.Set, option.Whitespace, true)
	}
	w.b = dst
	w.encoder.Reset(w, options)
	err := jsonv2.MarshalEncode(w.encoder, p)
	out := w.b
	w.b = nil
	e.standard = w // After a panic this line is not reached, so the stream is not reused.
	if err != nil {
		if _, ok := err.(*rules.MarshalerError); ok && e.Has(option.ReportErrorsWithLegacySemantics) {
			return dst, err // err is already an error of version 1
		}
		return e.value(dst, nil, r.typ, err, "MarshalJSON", p)
	}
	return out[:len(out)-len("\n")], nil
}
