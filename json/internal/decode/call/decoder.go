package call

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

// start decodes data into what v points to by the options of V2. Last says that nothing
// may come behind the value. At is the place of data in a stream, if it is a part of one;
// end is how long the value is, and status what the index knows of it.
func (d *decoder) start(c *Call, data []byte, v reflect.Value, end int, status syntax.Status, at *stream.Decoder) error {
	d.use(c, at)
	d.Data, d.text, d.broken = data, data, -1
	if at != nil {
		d.offset = at.NextOffset()
	}
	if status != syntax.Complete {
		d.broken = d.Index.Break(data, d.readErr != nil)
		d.Data = append(slices.Clone(data), 0)
		// Behind a number that starts with zero there may be digits, which are none of its.
		if words := d.Index.Words(); d.broken > 0 {
			w := words[d.broken-1]
			if pos := w.Pos(); pos < len(data) && (data[pos] == '0' || data[pos] == '-') {
				if end := w.NumberEnd(data); end < len(data) && data[end]-'0' <= 9 {
					d.Data[end] = 0
				}
			}
		}
	} else {
		d.Data = data[:end:end] // as a number that starts with zero may have digits behind it
	}
	d.Words = d.Index.Words()
	trailing := at == nil && syntax.SkipSpace(data, end) < len(data)
	if trailing && status == syntax.Complete && d.Has(option.ReportErrorsWithLegacySemantics) && d.strict(0, len(d.Words)) {
		return d.trailing(end)
	}
	if err := d.run(0, v); err != nil || !trailing {
		return err
	}
	return d.trailing(end)
}

// use makes d decode by the options of V2. At is the stream that the value is a part of, or
// nil.
func (d *decoder) use(c *Call, at *stream.Decoder) {
	d.call, d.from, d.prefix, d.On = *c, at, nil, c.Set.On
	if d.Has(option.WithinCall) {
		d.On &^= option.CheckMembers // a method decides by itself what it lacks
	}
}

// run decodes the value at t into what v points to.
func (d *decoder) run(t int, v reflect.Value) error {
	if d.Has(option.ReportErrorsWithLegacySemantics) && !d.checked {
		// What is wrong with the text goes before what is wrong with values.
		if after := d.After(t); d.broken >= 0 && after >= d.broken || !d.strict(t, after) {
			return d.Syntax(0)
		}
		d.checked = true
	}
	n := d.call.mode.Node(v.Type().Elem())
	if _, err := d.Value(n, t, mem.OfPointer(v), 0); err != nil {
		return err
	}
	if d.Saved == nil && d.Members != nil {
		return d.MembersError(t)
	}
	return d.Saved
}

// onlyUTF8 reports whether strings must be of Unicode characters.
func (d *decoder) onlyUTF8() bool { return d.V2 != nil && !d.Has(option.AllowInvalidUTF8) }

// strict reports whether the options of V2 take the strings and names of words[t:end].
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

// IsUnicode reports whether the string at t is of Unicode characters, or need not be.
func (d *decoder) IsUnicode(t int) bool {
	w := d.Words[t]
	return w.Plain() || !d.onlyUTF8() || stream.IsUnicode(d.Data, w)
}

// A decoder is the state of one decode by the rules of V2.
type decoder struct {
	decode.Decoder

	call       Call
	from       *stream.Decoder // that the value is read from, if there is one
	prefix     *stream.Pointer // to the value in what from reads, once syntax has read on
	text       []byte          // data, without what stands for the place where it breaks
	offset     int64           // of the text in the stream
	broken     int             // the word where the text breaks; -1 if it does not
	readErr    error           // of the reader, which the text ends with
	brokenKind stream.Kind     // of the token that is wrong, once it was looked at
	brokenAt   int             // where that starts
	typeErrors int             // that were saved, or would have been
	before     bool            // the last one is about the place in front of a value
	checked    bool            // all names and strings are as the options ask for
	track      stream.Track    // of what methods ask where they are
	reader     *readerOfTokens // of methods and functions, between their calls
	standard   *standardReader // of methods with the standard library's streams; may be nil
	inText     stream.Names
}

var decoders = sync.Pool{New: func() any {
	d := new(decoder)
	d.V2 = d
	return d
}}

func take() *decoder { return decoders.Get().(*decoder) }

// release makes the decoder ready for the next call.
func (d *decoder) release() {
	if d.reader != nil {
		d.reader.release()
		d.reader = nil
	}
	if d.standard != nil {
		d.standard.forget()
	}
	d.call, d.from, d.prefix, d.text, d.offset, d.readErr, d.Others, d.OtherNames = Call{}, nil, nil, nil, 0, nil, d.Others[:0], nil
	d.track.StartAt(0)
	d.inText.Reset()
	d.Index.All, d.checked = false, false
	d.Reset()
	decoders.Put(d)
}
