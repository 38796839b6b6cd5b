package engine

import (
	"encoding"
	"errors"
	"io"
	"reflect"
	"slices"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/hatch"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
	text "github.com/hone-go/hone/json/jsontext"
)

// An UnmarshalerFrom reads itself from a stream of tokens.
type UnmarshalerFrom interface{ UnmarshalJSONFrom(*text.Decoder) error }

var unmarshalerFromType = reflect.TypeFor[UnmarshalerFrom]()

// decodeMethods returns the methods of a pointer to t, in the order in which they are asked.
func decodeMethods(t reflect.Type) (list []methodForm) {
	if k := t.Kind(); k == reflect.Pointer || k == reflect.Interface {
		return nil
	}
	p := reflect.PointerTo(t)
	if p.Implements(unmarshalerFromType) {
		list = append(list, methodStream)
	}
	if readsItself(p) {
		list = append(list, methodStandard)
	}
	if p.Implements(unmarshaler) {
		list = append(list, methodJSON)
	}
	if p.Implements(textUnmarshaler) {
		list = append(list, methodText)
	}
	return list
}

// A readerOfTokens is a stream that a method or a function is given: of what d has at pos.
type readerOfTokens struct {
	decoder text.Decoder
	s       *stream.Decoder
	place   stream.Place
	d       *decoder
	pos     int
	t       int // the last word in front of what s has read, that is known
}

var readers = sync.Pool{New: func() any {
	r := new(readerOfTokens)
	r.s = hatch.Decoder(&r.decoder)
	r.place.Track, r.place.Reader = r.track, r
	return r
}}

func (r *readerOfTokens) track() *stream.Track {
	if d := r.d; d.from != nil && d.prefix != nil && r.pos >= d.brokenAt {
		return new(stream.Track) // as syntax has read on up to here, in the stream around
	}
	r.d.track.Move(r.d.data, r.pos)
	return &r.d.track
}

// aim makes r read data, which is in d's text at pos: the value at t.
func (r *readerOfTokens) aim(d *decoder, t, pos int, data []byte) {
	r.pos, r.t = pos, t
	if r.place.Set(nil); d.from != nil {
		r.place.Set(d.from)
	}
	r.s.Given, r.s.On = d.call.Set.Given, d.call.Set.On|option.WithinCall
	r.s.SetPart(data, d.offset+int64(pos), d.lead(pos), &r.place)
}

// takeReader returns the reader that d keeps for one call after the other. Whoever calls
// keepReader gives it back; it is not to be given back where someone may still hold it.
func (d *decoder) takeReader() *readerOfTokens {
	if r := d.reader; r != nil {
		d.reader = nil
		return r
	}
	r := readers.Get().(*readerOfTokens)
	r.d, r.s.Set = d, d.call.Set
	return r
}

func (d *decoder) keepReader(r *readerOfTokens) {
	if d.reader == nil {
		d.reader = r
	} else {
		r.release()
	}
}

// release makes r ready for the next call, if nobody holds it any more.
func (r *readerOfTokens) release() {
	r.s.Set = option.Set{}
	r.s.SetText(nil)
	r.place.Set(nil)
	r.d = nil
	readers.Put(r)
}

// find returns the word of the value at a position of d's text, and false if that is not
// indexed, as the text is broken there. Values that lie behind the last one that was found
// cost the time of passing what is between them.
func (r *readerOfTokens) find(pos int) (int, bool) {
	d := r.d
	for r.t < len(d.words) {
		at := d.words[r.t].Pos()
		if at >= pos {
			return r.t, at == pos && r.t != d.broken
		}
		if c := d.data[at]; c != '{' && c != '[' {
			r.t++
		} else if syntax.End(d.words, r.t) <= pos {
			r.t = syntax.After(d.words, r.t)
		} else {
			r.t += containerWords
		}
	}
	return 0, false
}

// part makes d decode a part of what another Decoder decodes, and which the stream that a
// method was given reads: by the words of that Decoder, so that methods within methods do
// not read their texts again. It returns the reader of the stream, and the word, or nil if
// the stream is no such one.
func (d *decoder) part(c *DecodeCall, from *stream.Decoder) (*readerOfTokens, int) {
	if from.Outer == nil {
		return nil, 0
	}
	r, _ := from.Outer.Reader.(*readerOfTokens)
	if r == nil || r.d == nil {
		return nil, 0
	}
	pos, ok := from.NextStart()
	if !ok {
		return nil, 0
	}
	t, ok := r.find(r.pos + pos)
	if !ok {
		return nil, 0
	}
	around := r.d
	d.words, d.data, d.text, d.offset, d.broken = around.words, around.data, around.text, around.offset, around.broken
	if after := d.after(t); d.broken < 0 || after <= d.broken {
		end := d.end(t)
		d.data, d.text, d.broken = d.data[:end:end], d.text[:end:end], -1
	}
	d.use(c, from)
	d.track.StartAt(r.pos + pos)
	const checks = option.AllowDuplicateNames | option.AllowInvalidUTF8
	d.checked = around.checked && around.on&checks == d.on&checks
	return r, t
}

// decodePart is UnmarshalDecode for such a part. It reports whether it is one.
func (c *DecodeCall) decodePart(d *decoder, from *stream.Decoder, p reflect.Value) (bool, error) {
	r, t := d.part(c, from)
	if r == nil {
		return false, nil
	}
	pos := d.words[t].Pos()
	err := d.run(t, p)
	switch {
	case isSyntactic(err) || err == io.EOF:
	case d.broken < 0:
		from.Pass(pos-r.pos, d.end(t)-r.pos)
		r.t = d.after(t)
	case err != nil:
		from.FailInValue()
	}
	return true, err
}

// tokens lets a method or a function read the value at t from a stream.
func (d *decoder) tokens(t int, typ reflect.Type, stringed, name bool, read func(*text.Decoder) error) error {
	pos := d.words[t].Pos()
	end, whole := len(d.text), false
	if t != d.broken {
		if after := d.after(t); (d.broken < 0 || after <= d.broken) && (d.text[pos] != '"' || d.isUnicode(t)) {
			end, whole = d.end(t), true
		}
	} else if syntax.SkipSpace(d.text, 0) == len(d.text) {
		return d.syntax(-1)
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
		r.s.FailEither(d.syntax(pos), d.syntax(-1)) // as it depends on what is around
	}
	err := read(&r.decoder)
	// Behind a panic it is not kept, as someone may still hold it.
	d.keepReader(r)
	count, depth := r.s.Values()
	if err == nil {
		if count == 1 && depth == 0 {
			if t == d.broken {
				return d.syntax(-1)
			}
			return nil
		}
		err = errSingle
	} else if errors.Is(err, errors.ErrUnsupported) {
		if count == 0 && depth == 0 {
			return errDeclined
		}
		err = errMutation
	}
	if d.has(option.ReportErrorsWithLegacySemantics) {
		return d.refused(err)
	}
	if isSyntactic(err) {
		if !whole && d.readErr != nil && errors.Is(err, io.ErrUnexpectedEOF) {
			return d.readErr
		}
		return err
	}
	s, _ := err.(*SemanticError)
	if s == nil {
		s = &SemanticError{Err: err}
	}
	made := says(s, true)
	made.Err = unexpectedEnd(made.Err)
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

// lead returns how many bytes in front of a position separate it from the token before.
func (d *decoder) lead(pos int) int {
	n := pos
	for n > 0 && separates(d.text[n-1]) {
		n--
	}
	if n == 0 && d.from != nil {
		return int(d.offset+int64(pos)) - int(d.from.InputOffset())
	}
	return pos - n
}

// separates reports whether c stands between tokens.
func separates(c byte) bool {
	return c == ',' || c == ':' || c <= ' ' && (c == ' ' || c == '\n' || c == '\t' || c == '\r')
}

// functions decodes by the functions of the call.
func (d *decoder) functions(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	p := n.pointer.Any(a, off)
	for _, i := range n.calls {
		f := &d.call.from.list[i]
		if f.From == nil {
			if err := d.readable(t, true); err != nil {
				return t, err
			}
			return d.after(t), d.byBytes(t, f.Type, "UnmarshalFunc", func(raw []byte) error { return f.Text(raw, p) })
		}
		err := d.tokens(t, f.Type, false, n.name, func(from *text.Decoder) error { return f.From(from, p) })
		if err != errDeclined {
			return d.after(t), err
		}
	}
	return d.value(n.elem, t, a, off)
}

// byBytes decodes by a method or a function that takes the text of the value.
func (d *decoder) byBytes(t int, typ reflect.Type, by string, read func([]byte) error) error {
	err := read(d.raw(t))
	if err == nil {
		return nil
	}
	err = notUnsupported(err, by)
	if d.has(option.ReportErrorsWithLegacySemantics) {
		return d.refused(err)
	}
	made := d.refuse(t, typ, err, ofWhole)
	outer, ok := made.(*SemanticError)
	inner, both := err.(*SemanticError)
	if ok && both { // whose places are those in the value
		collapsed := copyOf(inner)
		collapsed.ByteOffset += outer.ByteOffset
		collapsed.JSONPointer = outer.JSONPointer + inner.JSONPointer
		return collapsed
	}
	return made
}

// methods decodes by the methods of the value, or by n.elem where they decline.
func (d *decoder) methods(n *Node, t int, a mem.Pointer, off uintptr) (int, error) {
	typ := n.shape.Type
	p := n.pointer.Any(a, off)
	for _, m := range n.methods {
		switch m {
		case methodStream:
			err := d.tokens(t, typ, n.quoted, n.name, func(from *text.Decoder) error { return p.(UnmarshalerFrom).UnmarshalJSONFrom(from) })
			if err == errDeclined {
				continue
			}
			return d.after(t), err
		case methodStandard:
			return d.after(t), d.standardMethod(n, t, p)
		case methodJSON:
			if err := d.readable(t, true); err != nil {
				return t, err
			}
			return d.after(t), d.byBytes(t, typ, "UnmarshalJSON", p.(Unmarshaler).UnmarshalJSON)
		case methodText:
			return d.after(t), d.byText(n, t, a, off, p.(encoding.TextUnmarshaler))
		}
	}
	return d.value(n.elem, t, a, off)
}

// standardMethod decodes by a method with the standard library's stream, which looks for names
// that come twice and the like itself.
func (d *decoder) standardMethod(n *Node, t int, p any) error {
	if d.broken >= 0 || d.data[d.words[t].Pos()] == '"' {
		if err := d.readable(t, true); err != nil {
			return err
		}
	}
	return d.byBytes(t, n.shape.Type, "UnmarshalJSONFrom", func(raw []byte) error { return d.standardRead(p, raw, n.quoted) })
}

// byText decodes by a text method.
func (d *decoder) byText(n *Node, t int, a mem.Pointer, off uintptr, p encoding.TextUnmarshaler) error {
	typ := n.shape.Type
	switch c := d.data[d.words[t].Pos()]; {
	case c == 'n':
		if !d.merges() {
			a.Value(off, typ).SetZero()
		}
		return nil
	case c != '"' || !d.isUnicode(t):
		return d.refuse(t, typ, errNotString, ofWhole)
	}
	err := p.UnmarshalText(slices.Clone(d.textOf(t)))
	if err == nil {
		return nil
	}
	err = notUnsupported(err, "UnmarshalText")
	if _, ok := err.(*SemanticError); ok || isSyntactic(err) || d.has(option.ReportErrorsWithLegacySemantics) {
		return d.refused(err)
	}
	return d.refuse(t, typ, err, ofWhole)
}
