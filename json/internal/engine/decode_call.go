package engine

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// target returns where v points to, or the error for what is no pointer.
func (c *DecodeCall) target(v any) (reflect.Value, error) {
	p := reflect.ValueOf(v)
	if p.Kind() == reflect.Pointer && !p.IsNil() {
		return p, nil
	}
	if c.Set.Has(option.ReportErrorsWithLegacySemantics) {
		return p, &InvalidUnmarshalError{Type: reflect.TypeOf(v)}
	}
	e := newSemantic(true)
	e.GoType, e.Err = reflect.TypeOf(v), errNotPointer
	return p, e
}

// Unmarshal decodes data, which is one value, into what v points to.
func (c *DecodeCall) Unmarshal(data []byte, v any) error { return c.UnmarshalFailed(data, nil, v) }

// UnmarshalFailed is Unmarshal for data behind which the reader failed, unless that error is
// nil.
func (c *DecodeCall) UnmarshalFailed(data []byte, readErr error, v any) error {
	p, err := c.target(v)
	if err != nil {
		return err
	}
	d := take()
	defer d.release()
	if readErr == nil && d.DirectCall(c, data, p) {
		return nil
	}
	return c.legacyUnmarshal(v, c.indexed(d, data, readErr, p))
}

// indexed is UnmarshalFailed over an index.
func (c *DecodeCall) indexed(d *decoder, data []byte, readErr error, p reflect.Value) error {
	d.Index.All = true
	d.readErr = readErr
	n, status := d.Index.BuildFirst(data, true)
	if status == syntax.Complete && readErr != nil && syntax.SkipSpace(data, n) == len(data) {
		if c := stream.KindOf(data[syntax.SkipSpace(data, 0)]); c == '0' && n == len(data) {
			return readErr // as the number may go on
		}
		// What comes behind the value is not known.
		err := d.StartCall(c, data, p, n, status, nil)
		if err == nil {
			err = readErr
		}
		return err
	}
	err := d.StartCall(c, data, p, n, status, nil)
	if err == io.EOF { // that of a method
		err = &stream.SyntacticError{ByteOffset: int64(len(data)), Err: io.ErrUnexpectedEOF}
	}
	return err
}

// UnmarshalDecode decodes the next value of a stream into what v points to. Behind an error
// of the value's meaning the stream goes on behind the value.
func (c *DecodeCall) UnmarshalDecode(from *stream.Decoder, v any) error {
	p, err := c.target(v)
	if err != nil {
		return err
	}
	if from.WantsName() {
		return c.legacyUnmarshal(v, c.decodeName(from, p))
	}
	if k := from.PeekKind(); k == '}' || k == ']' {
		_, err := from.ReadValue()
		return c.legacyUnmarshal(v, err)
	}
	d := take()
	defer d.release()
	if done, err := c.decodePart(d, from, p); done {
		return c.legacyUnmarshal(v, err)
	}
	d.Index.All = true
	start, end, status, err := from.NextValue(&d.Index)
	if err != nil && status != syntax.Complete {
		if start == end { // there is no value, which types that refuse all do not ask for
			d.Index.BuildFirst(nil, true)
			from.Fail(err)
			start = len(from.Text())
		} else if _, failed := err.(*stream.IOError); failed {
			d.readErr = err
		}
	}
	text := from.Text()[start:]
	if status == syntax.Complete {
		text = text[: end-start : end-start]
	}
	err = d.StartCall(c, text, p, end-start, status, from)
	switch {
	case isSyntactic(err) || err == io.EOF:
	case status == syntax.Complete:
		from.Pass(start, end)
	case err != nil:
		// Nothing is behind the value, and what is wrong with it is for the next read.
		if _, broken := from.ReadValue(); broken != nil {
			from.Fail(broken)
		}
	}
	return c.legacyUnmarshal(v, err)
}

// decodeName decodes the name of a member.
func (c *DecodeCall) decodeName(from *stream.Decoder, p reflect.Value) error {
	d := take()
	defer d.release()
	d.Index.All = true
	name := *c
	name.mode = c.mode.forNames()
	if k := from.PeekKind(); k != '"' {
		if c.Set.Has(option.ReportErrorsWithLegacySemantics) && k != '}' && k != ']' {
			// It is decoded as far as that goes without reading it, if it is a value by itself.
			start, end, status, err := from.NextValue(&d.Index)
			d.data, d.words = from.Text()[start:end], d.Index.Words()
			d.on = c.Set.On
			d.checked = err == nil && status == syntax.Complete && d.strict(0, len(d.words))
		}
		d.Index.BuildFirst(nil, true)
		err := d.StartCall(&name, from.Text()[len(from.Text()):], p, 0, syntax.Invalid, from)
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
		return d.StartCall(&name, from.Text()[len(from.Text()):], p, 0, syntax.Invalid, from)
	}
	n, status := d.Index.BuildFirst(raw, true)
	err = d.StartCall(&name, raw, p, n, status, nil)
	if s, ok := err.(*SemanticError); ok && !(s.GoType == numberType && c.Set.Has(option.ReportErrorsWithLegacySemantics)) {
		s.ByteOffset += at
		where := from.PointerTo(stream.Previous)
		if d.before || s.JSONKind == 0 {
			where = where.Parent() // as the name is not what is wrong
		}
		s.JSONPointer = where + s.JSONPointer
	}
	return err
}

// legacyUnmarshal returns err as v1 returns it, if that is asked for.
func (c *DecodeCall) legacyUnmarshal(root any, err error) error {
	if err == nil || !c.Set.Has(option.ReportErrorsWithLegacySemantics) {
		return err
	}
	return LegacyUnmarshal(reflect.TypeOf(root), err)
}

// LegacyUnmarshal returns an error of v2, with which decoding into a pointer of that type has
// ended, as v1 returns it. Others it returns as they are.
func LegacyUnmarshal(root reflect.Type, err error) error {
	e, ok := err.(*SemanticError)
	if !ok {
		return legacySyntax(err)
	}
	switch e.Err {
	case ErrUnknownName:
		return fmt.Errorf("json: unknown field %q", e.JSONPointer.LastToken())
	case errFiniteTypes:
		e.Err = nil
	}
	value := ""
	switch e.JSONKind {
	case 'n', '"', '0':
		value = e.JSONKind.String()
	case 'f', 't':
		value = "bool"
	case '[', ']':
		value = "array"
	case '{', '}':
		value = "object"
	}
	if len(e.JSONValue) > 0 {
		text := string(e.JSONValue)
		if (e.Err == strconv.ErrRange || e.Err == strconv.ErrSyntax) && isNumeric(e.GoType) {
			value, e.Err = "number", nil
			if e.JSONKind == '"' {
				unquoted, _ := syntax.AppendUnquoted(nil, e.JSONValue)
				text = string(unquoted)
			}
		}
		value += " " + text
	}
	made := &UnmarshalTypeError{Value: value, Type: e.GoType, Offset: e.ByteOffset}
	if e.JSONPointer != "" {
		made.Struct = root.Elem().Name()
	}
	made.Field = strings.ReplaceAll(strings.TrimPrefix(string(e.JSONPointer), "/"), "/", ".")
	withCause(made, legacySyntax(e.Err))
	return made
}

func isNumeric(t reflect.Type) bool {
	return t != nil && t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64
}

// ReadError returns the error of a stream as the call for v returns it.
func (c *DecodeCall) ReadError(v any, err error) error { return c.legacyUnmarshal(v, err) }

// NotArray returns the error for the token that a stream has just read, where an array of
// the type should be.
func NotArray(from *stream.Decoder, t reflect.Type, k stream.Kind) error {
	e := newSemantic(true)
	e.ByteOffset = from.InputOffset() - int64(len(from.LastText()))
	e.JSONKind, e.GoType = k, t
	return e
}
