package decoding

import (
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// UnmarshalDecode decodes the next value of a stream into the value that v points to. After a
// semantic error the stream is at the end of the value.
func (c *Call) UnmarshalDecode(source *stream.Decoder, v any) error {
	p, err := c.target(v)
	if err != nil {
		return err
	}
	k := source.PeekKind()
	closing := k == '}' || k == ']'
	if closing && source.MayClose(k) {
		_, err := source.ReadValue()
		return c.legacyUnmarshal(v, err)
	}
	if source.WantsName() {
		return c.legacyUnmarshal(v, c.decodeName(source, p))
	}
	d := take()
	defer d.release()
	if done, err := c.decodePart(d, source, p); done {
		return c.legacyUnmarshal(v, err)
	}
	d.Index.All = true
	var start, end int
	var status syntax.Status
	if closing {
		_, d.noToken = source.ReadToken()
		_, err = source.ReadValue()
	} else if start, end, status, err = source.NextValue(&d.Index); start == end {
		d.noToken = err
	}
	defer source.Resume()
	if err != nil && status != syntax.Complete {
		// There is no value. Decode an empty text, so that a type that JSON cannot represent still
		// returns its own error.
		if start == end {
			d.noValue = err
			d.Index.BuildFirst(nil, true)
			start = len(source.Text())
		} else if _, failed := err.(*stream.IOError); failed {
			d.readErr = err
		}
	}
	text := source.Text()[start:]
	if status == syntax.Complete {
		text = text[: end-start : end-start]
	}
	err = d.start(c, text, p, end-start, status, source)
	switch {
	case rules.IsSyntactic(err) || err == io.EOF:
	case status == syntax.Complete:
		source.Pass(start, end)
	case err != nil:
		// The value is incomplete. Make the next read of the stream return the syntax error.
		if _, broken := source.ReadValue(); broken != nil {
			source.Fail(broken)
		}
	}
	return c.legacyUnmarshal(v, err)
}

// passDuplicate moves the stream after the duplicate name at an offset.
func passDuplicate(source *stream.Decoder, offset int64) {
	held := source.Set
	defer func() { source.Set = held }()
	source.Set.Put(option.AllowDuplicateNames, true)
	for source.InputOffset() <= offset {
		if _, err := source.ReadToken(); err != nil {
			return
		}
	}
}

// decodeName decodes the name of a member.
func (c *Call) decodeName(from *stream.Decoder, p reflect.Value) error {
	d := take()
	defer d.release()
	d.Index.All = true
	name := *c
	name.mode = c.mode.ForNames()
	if k := from.PeekKind(); k != '"' {
		if c.Set.Has(option.ReportErrorsWithLegacySemantics) && k != '}' && k != ']' {
			// With legacy errors, a value that is not a string is read completely, although only a
			// name is allowed here.
			start, end, status, err := from.NextValue(&d.Index)
			d.Data, d.Words = from.Text()[start:end], d.Index.Words()
			d.On = c.Set.On
			d.checked = err == nil && status == syntax.Complete && d.strict(0, len(d.Words))
		}
		d.Index.BuildFirst(nil, true)
		err := d.start(&name, from.Text()[len(from.Text()):], p, 0, syntax.Invalid, from)
		if d.checked {
			_, err = from.ReadValue()
		}
		return err
	}
	at := from.NextOffset()
	raw, err := from.ReadValue()
	if err != nil {
		from.Fail(err)
		d.Index.BuildFirst(nil, true)
		return d.start(&name, from.Text()[len(from.Text()):], p, 0, syntax.Invalid, from)
	}
	n, status := d.Index.BuildFirst(raw, true)
	err = d.start(&name, raw, p, n, status, nil)
	if s, ok := err.(*rules.SemanticError); ok && !(s.GoType == rules.NumberType && c.Set.Has(option.ReportErrorsWithLegacySemantics)) {
		s.ByteOffset += at
		where := from.PointerTo(stream.Previous)
		if d.before || s.JSONKind == 0 {
			where = where.Parent() // the error is about the object, not about the member with this name
		}
		s.JSONPointer = where + s.JSONPointer
	}
	return err
}

// part prepares d for a nested UnmarshalDecode. If an enclosing decoder passed the stream source to
// a method, and this method called UnmarshalDecode, then d uses the enclosing decoder's index, so
// that the input is indexed only once. part returns the enclosing decoder's reader and the index of
// the value's first word. It returns nil if source is any other stream.
func (d *decoder) part(c *Call, source *stream.Decoder) (*readerOfTokens, int) {
	if source.Outer == nil {
		return nil, 0
	}
	r, _ := source.Outer.Reader.(*readerOfTokens)
	if r == nil || r.d == nil {
		return nil, 0
	}
	pos, ok := source.NextStart()
	if !ok {
		return nil, 0
	}
	t, ok := r.find(r.pos + pos)
	if !ok {
		return nil, 0
	}
	enclosing := r.d
	d.Words, d.Data, d.text, d.offset, d.broken = enclosing.Words, enclosing.Data, enclosing.text, enclosing.offset, enclosing.broken
	if after := d.After(t); d.broken < 0 || after <= d.broken {
		end := d.End(t)
		d.Data, d.text, d.broken = d.Data[:end:end], d.text[:end:end], -1
	}
	d.use(c, source)
	d.track.StartAt(r.pos + pos)
	const checks = option.AllowDuplicateNames | option.AllowInvalidUTF8
	d.checked = enclosing.checked && enclosing.On&checks == d.On&checks
	return r, t
}

// decodePart implements UnmarshalDecode for a value that an enclosing decoder has indexed; see
// part. It returns false if the value has no such index.
func (c *Call) decodePart(d *decoder, from *stream.Decoder, p reflect.Value) (bool, error) {
	r, t := d.part(c, from)
	if r == nil {
		return false, nil
	}
	pos := d.Words[t].Pos()
	err := d.run(t, p)
	switch {
	case rules.IsSyntactic(err) || err == io.EOF:
	case d.broken < 0:
		from.Pass(pos-r.pos, d.End(t)-r.pos)
		r.t = d.After(t)
	case err != nil:
		from.FailInValue()
	}
	return true, err
}
