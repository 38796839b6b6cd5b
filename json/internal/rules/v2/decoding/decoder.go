package decoding

import (
	"reflect"
	"slices"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// start decodes data into the value that v points to. The JSON value is data[:end], and status says
// whether the index of data is complete. source is the stream that data comes from, or nil.
func (d *decoder) start(c *Call, data []byte, v reflect.Value, end int, status syntax.Status, source *stream.Decoder) error {
	d.use(c, source)
	d.Data, d.text, d.broken = data, data, -1
	if source != nil {
		d.offset = source.NextOffset()
	}
	if status != syntax.Complete {
		d.broken = d.Index.Break(data, d.readErr != nil)
		d.Data = append(slices.Clone(data), 0)
		// A leading zero ends a number: in 01 the number is 0, and the 1 is a syntax error.
		if words := d.Index.Words(); d.broken > 0 {
			w := words[d.broken-1]
			if pos := w.Pos(); pos < len(data) && (data[pos] == '0' || data[pos] == '-') {
				if end := w.NumberEnd(data); end < len(data) && data[end]-'0' <= 9 {
					d.Data[end] = 0
				}
			}
		}
	} else {
		d.Data = data[:end:end] // in 01 the value is only 0; drop the 1
	}
	d.Words = d.Index.Words()
	trailing := source == nil && syntax.SkipSpace(data, end) < len(data)
	if trailing && status == syntax.Complete && d.Has(option.ReportErrorsWithLegacySemantics) && d.strict(0, len(d.Words)) {
		return d.trailing(end)
	}
	if err := d.run(0, v); err != nil || !trailing {
		return err
	}
	return d.trailing(end)
}

// use sets the options of the decode. source is the stream that the value comes from, or nil.
func (d *decoder) use(c *Call, source *stream.Decoder) {
	d.call, d.from, d.prefix, d.On = *c, source, nil, c.Set.On
	d.Checks = d
	if d.Has(option.WithinCall) {
		d.On &^= option.CheckMembers // values that a method decodes are not checked
	}
}

// run decodes the value at word t of the index into the value that v points to. With legacy errors
// it checks the syntax of the whole value first, because syntax errors take precedence over type
// errors.
func (d *decoder) run(t int, v reflect.Value) error {
	if d.Has(option.ReportErrorsWithLegacySemantics) && !d.checked {
		if after := d.After(t); d.broken >= 0 && after >= d.broken || !d.strict(t, after) {
			return d.Syntax(0)
		}
		d.checked = true
	}
	n := d.call.mode.NodeOf(v.Type())
	if _, err := d.Value(n, t, mem.OfPointer(v), 0); err != nil {
		return err
	}
	if d.Saved == nil && d.Members != nil {
		return d.MembersError(t)
	}
	return d.Saved
}

// onlyUTF8 reports whether strings must be valid UTF-8.
func (d *decoder) onlyUTF8() bool { return !d.Has(option.AllowInvalidUTF8) }

// strict reports whether the strings and names of words[t:end] satisfy the options for UTF-8 and
// for duplicate names.
func (d *decoder) strict(t, end int) bool {
	names, utf := d.UniqueNames(), d.onlyUTF8()
	if !names && !utf {
		return true
	}
	if d.Words[t].Pos() < len(d.Data) {
		if c := d.Data[d.Words[t].Pos()]; c != '{' && c != '[' && c != '"' {
			return true
		}
	}
	return stream.Strict(d.Data, d.Words, t, end, names, utf, &d.inText)
}

// IsUnicode implements [decode.Checks].
func (d *decoder) IsUnicode(t int) bool {
	w := d.Words[t]
	return w.Plain() || !d.onlyUTF8() || stream.IsUnicode(d.Data, w)
}

// A decoder holds the state of one decode by the rules of version 2. It embeds a [decode.Decoder],
// and implements [decode.Faults] for it. Decoders are pooled.
//
// If the input has a syntax error, the index ends in one more word at the position of the error.
// The word counts as the last element of all arrays and objects that are open there, and Data has a
// zero byte at its position. Code that reads the zero byte calls Syntax for the error, so all
// syntax errors come from package stream.
type decoder struct {
	decode.Decoder

	// call contains the options of the call.
	call Call
	// from is the stream that the value is read from, or nil.
	from *stream.Decoder
	// prefix is the JSON pointer of the value within the stream. Syntax stores it here before it
	// advances the stream.
	prefix *stream.Pointer
	// text is the text of the value, without the zero byte.
	text []byte
	// offset is the offset of the text in the stream.
	offset int64
	// broken is the index of the word at which the syntax error is; it is -1 if there is none.
	broken int
	// readErr is the error of the reader after the text, or nil.
	readErr error

	// noToken and noValue are the errors of reading a token or a value from a stream that has no next
	// value, or nil.
	noToken, noValue error
	// brokenKind is the kind of the invalid token. Syntax sets it.
	brokenKind stream.Kind
	// brokenAt is the position of the invalid token.
	brokenAt int
	// typeErrors is the number of type errors, including the errors that were not saved because
	// another error had been saved before.
	typeErrors int
	// before is set if the last error was found before the value was read. The offset of the error
	// is then the position at which the value was expected.
	before bool
	// checked is set if all names and strings have been checked against the options.
	checked bool
	// track is the JSON path at the last position that a method or an error needed.
	track stream.Track
	// reader is the stream for methods and functions; it is nil while a method or function is using
	// it.
	reader *readerOfTokens
	// standard is the standard library's stream for methods; it is nil while a method is using it.
	standard *standardReader
	// inText is scratch memory in which strict compares the names of an object.
	inText stream.Names
}

// decoders is the pool of decoders.
var decoders = sync.Pool{New: func() any {
	d := new(decoder)
	d.Owner, d.Faults = d, d
	return d
}}

// of returns the decoder that embeds d.
func of(d *decode.Decoder) *decoder { return d.Owner.(*decoder) }

// SetDefault implements [decode.Faults]. A default is decoded with the options of version 1, because
// JSON cannot express a value of some types without them.
func (d *decoder) SetDefault(value []byte, t reflect.Type, a mem.Pointer, off uintptr) {
	defaults := New(option.Set{Given: option.V1, On: option.V1}, nil)
	_ = defaults.Unmarshal(value, a.Addr(off, t))
}

// take returns a decoder for one value.
func take() *decoder { return decoders.Get().(*decoder) }

// release makes the decoder ready for the next call, and returns it to its pool.
func (d *decoder) release() {
	if d.reader != nil {
		d.reader.release()
		d.reader = nil
	}
	if d.standard != nil {
		d.standard.forget()
	}
	d.call, d.from, d.prefix, d.text, d.offset, d.readErr, d.noToken, d.noValue = Call{}, nil, nil, nil, 0, nil, nil, nil
	d.track.StartAt(0)
	d.inText.Reset()
	d.Index.All, d.checked = false, false
	d.Reset()
	decoders.Put(d)
}
