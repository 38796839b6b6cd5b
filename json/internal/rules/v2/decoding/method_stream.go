package decoding

import (
	"errors"
	"io"
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/export"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	text "github.com/hone-go/hone/json/jsontext"
)

// A readerOfTokens is the stream, of Hone's stream type, that d passes to a method or a function.
// It reads the text of one value of d.
type readerOfTokens struct {
	decoder text.Decoder
	s       *stream.Decoder
	place   stream.Place
	d       *decoder
	pos     int
	t       int // the word that find returned last; the next search starts here
}

// tokenReaders is the pool of streams.
var tokenReaders = sync.Pool{New: func() any {
	r := new(readerOfTokens)
	r.s = export.Decoder(&r.decoder)
	r.place.Track, r.place.Reader = r.track, r
	return r
}}

// track returns the position of the stream's value in the text of d. It is called only if the
// method asks the stream for a position or returns an error.
func (r *readerOfTokens) track() *stream.Track {
	if d := r.d; d.from != nil && d.prefix != nil && r.pos >= d.brokenAt {
		return new(stream.Track) // Syntax has already moved d.from to this position
	}
	r.d.track.Move(r.d.Data, r.pos)
	return &r.d.track
}

// aim makes r read data, the value at word t. pos is the position of the value in d's text.
func (r *readerOfTokens) aim(d *decoder, t, pos int, data []byte) {
	r.pos, r.t = pos, t
	if r.place.Set(nil); d.from != nil {
		r.place.Set(d.from)
	}
	r.s.Given, r.s.On = d.call.Set.Given, d.call.Set.On|option.WithinCall
	separator := d.separator(pos)
	r.s.SetPart(data, d.restFrom(pos-separator), d.offset+int64(pos), separator, &r.place)
}

// restFrom returns the text from position pos on. A negative pos counts back from the start of d's
// text into the enclosing stream.
func (d *decoder) restFrom(pos int) []byte {
	if d.from != nil {
		rest := d.from.UnreadBuffer()
		if skip := d.offset + int64(pos) - d.from.InputOffset(); 0 <= skip && skip <= int64(len(rest)) {
			return rest[skip:]
		}
	}
	return d.text[max(pos, 0):]
}

// takeReader returns a stream for a method. The call keeps one stream for all its methods, and
// takes additional streams for nested methods from the pool. The caller returns the stream with
// keepReader, except after a panic of the method, because the method may have retained the stream.
func (d *decoder) takeReader() *readerOfTokens {
	if r := d.reader; r != nil {
		d.reader = nil
		return r
	}
	r := tokenReaders.Get().(*readerOfTokens)
	r.d, r.s.Set = d, d.call.Set
	return r
}

// keepReader keeps r for the next method of the call. If the call already has a stream, because
// methods were nested, keepReader returns r to the pool.
func (d *decoder) keepReader(r *readerOfTokens) {
	if d.reader == nil {
		d.reader = r
	} else {
		r.release()
	}
}

// release drops all references to the call, and returns the stream to the pool.
func (r *readerOfTokens) release() {
	r.s.Set = option.Set{}
	r.s.SetText(nil)
	r.place.Set(nil)
	r.d = nil
	tokenReaders.Put(r)
}

// find returns the index of the word at position pos of d's text. The search starts at the last
// word that was found. It returns false if the index ends before pos because of a syntax error.
func (r *readerOfTokens) find(pos int) (int, bool) {
	d := r.d
	for r.t < len(d.Words) {
		at := d.Words[r.t].Pos()
		if at >= pos {
			return r.t, at == pos && r.t != d.broken
		}
		if c := d.Data[at]; c != '{' && c != '[' {
			r.t++
		} else if syntax.End(d.Words, r.t) <= pos {
			r.t = syntax.After(d.Words, r.t)
		} else {
			r.t += decode.ContainerWords
		}
	}
	return 0, false
}

// tokens calls read with a stream of the value at t. read is a method or a function of the program
// that decodes the value. If read returns an error without a position, tokens adds the position.
func (d *decoder) tokens(t int, typ reflect.Type, stringed, name bool, read func(*text.Decoder) error) error {
	pos := d.Words[t].Pos()
	end, whole := len(d.text), false
	if t != d.broken {
		if after := d.After(t); (d.broken < 0 || after <= d.broken) && (d.text[pos] != '"' || d.IsUnicode(t)) {
			end, whole = d.End(t), true
		}
	} else if syntax.SkipSpace(d.text, 0) == len(d.text) {
		return d.Syntax(-1)
	} else {
		pos = d.posOf(t)
	}
	r := d.takeReader()
	r.aim(d, t, pos, d.text[pos:end:end])
	if stringed {
		r.s.Put(option.StringifyNumbers, true)
	}
	if name {
		r.s.StartName()
	}
	if k := d.brokenKind; t == d.broken && (k == 0 || k == '}' || k == ']') {
		// If the method reads a value next, it gets the first error. If it reads a token, it gets
		// the second one.
		r.s.FailEither(d.Syntax(pos), d.Syntax(-1))
	}
	err := read(&r.decoder)
	// After a panic the stream is not pooled, since the method may have kept it.
	d.keepReader(r)
	count, depth := r.s.Values()
	if err == nil {
		if count == 1 && depth == 0 {
			if t == d.broken {
				return d.Syntax(-1)
			}
			return nil
		}
		err = rules.ErrSingle
	} else if errors.Is(err, errors.ErrUnsupported) {
		if count == 0 && depth == 0 {
			return rules.ErrDeclined
		}
		err = rules.ErrMutation
	}
	if d.Has(option.ReportErrorsWithLegacySemantics) {
		return d.refused(err)
	}
	if rules.IsSyntactic(err) {
		if !whole && d.readErr != nil && errors.Is(err, io.ErrUnexpectedEOF) {
			return d.readErr
		}
		return err
	}
	s, _ := err.(*rules.SemanticError)
	if s == nil {
		s = &rules.SemanticError{Err: err}
	}
	made := rules.WithAction(s, true)
	made.Err = rules.UnexpectedEnd(made.Err)
	if made.ByteOffset == 0 {
		last := r.s.LastText()
		made.ByteOffset = r.s.InputOffset() - int64(len(last))
		if count == 0 && depth == 0 || len(last) == 0 {
			made.ByteOffset = r.s.NextOffset()
		}
	}
	if made.JSONPointer == "" {
		where := stream.Ambiguous
		switch {
		case depth == 0 && count == 0:
			where = stream.Next
		case depth == 0 && count == 1:
			where = stream.Previous
		}
		made.JSONPointer = r.s.PointerTo(where)
	}
	if made.GoType == nil {
		made.GoType = typ
	}
	return made
}

// separator returns the number of bytes of white space, commas and colons before pos.
func (d *decoder) separator(pos int) int {
	n := pos
	for n > 0 && separates(d.text[n-1]) {
		n--
	}
	if n == 0 && d.from != nil {
		return int(d.offset+int64(pos)) - int(d.from.InputOffset())
	}
	return pos - n
}

// separates reports whether c is white space, a comma or a colon.
func separates(c byte) bool {
	return c == ',' || c == ':' || c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r')
}
