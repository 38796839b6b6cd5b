package engine

import (
	"sync"

	"github.com/hone-go/hone/json/internal/stream"
)

// A decoder is the state of one decode by the rules of v2.
type decoder struct {
	Decoder

	call       DecodeCall
	from       *stream.Decoder // that the value is read from, if there is one
	prefix     *stream.Pointer // to the value in what from reads, once syntax has read on
	text       []byte          // data, without what stands for the place where it breaks
	offset     int64           // of the text in the stream
	broken     int             // the word where the text breaks; -1 if it does not
	readErr    error           // of the reader, which the text ends with
	brokenKind stream.Kind     // of the token that is wrong, once it was looked at
	brokenAt   int             // where that starts
	misfits    int             // that were saved, or would have been
	before     bool            // the last one is about the place in front of a value
	checked    bool            // all names and strings are as the options ask for
	track      stream.Track    // of what methods ask where they are
	reader     *readerOfTokens // of methods and functions, between their calls
	standard   *standardReader // of methods with the standard library's streams; may be nil
	inText     stream.Names
}

var decoders2 = sync.Pool{New: func() any {
	d := new(decoder)
	d.v2 = d
	return d
}}

func take() *decoder { return decoders2.Get().(*decoder) }

// release makes the decoder ready for the next call.
func (d *decoder) release() {
	if d.reader != nil {
		d.reader.release()
		d.reader = nil
	}
	if d.standard != nil {
		d.standard.forget()
	}
	d.call, d.from, d.prefix, d.text, d.offset, d.readErr, d.others, d.otherNames = DecodeCall{}, nil, nil, nil, 0, nil, d.others[:0], nil
	d.track.StartAt(0)
	d.inText.Reset()
	d.Index.All, d.checked = false, false
	d.reset()
	decoders2.Put(d)
}

// brokenNull reports whether the text breaks within a null, with the error for that.
func (d *decoder) brokenNull() (isNull bool, err error) {
	err = d.syntax(-1)
	return d.brokenKind == 'n', err
}
