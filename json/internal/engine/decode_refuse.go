package engine

import (
	"errors"
	"io"
	"reflect"
	"slices"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// readable returns the error of v2 for the value at t, if that cannot be read: as a whole,
// or its first token.
func (d *decoder) readable(t int, whole bool) error {
	switch c := d.data[d.words[t].Pos()]; {
	case t == d.broken && whole:
		return d.syntax(d.posOf(t))
	case t == d.broken:
		return d.syntax(-1)
	case c == '"':
		if !d.isUnicode(t) {
			return d.syntax(-1)
		}
	case (c == '{' || c == '[') && whole:
		after := syntax.After(d.words, t)
		if d.broken >= 0 && after > d.broken || !d.strict(t, after) {
			return d.syntax(d.words[t].Pos())
		}
	}
	return nil
}

// brokenValue returns the error for the value where the text breaks, which is read token by
// token if it is an array or an object.
func (d *decoder) brokenValue() error {
	at := d.posOf(d.broken)
	if k := d.brokenKind; k == '{' || k == '[' {
		at = -1
	}
	return d.syntax(at)
}

// skipV2 is skip by the rules of v2.
func (d *decoder) skipV2(t int) (int, error) {
	if t == d.broken {
		return t, d.brokenValue()
	}
	after := d.after(t)
	if d.broken >= 0 && after > d.broken || !d.strict(t, after) {
		return after, d.syntax(-1)
	}
	return after, nil
}

// syntax returns what a stream of tokens says of the text. The value at the position whole,
// if it is not negative, is read as one.
func (d *decoder) syntax(whole int) error {
	from := d.from
	if from == nil {
		from = &stream.Decoder{Set: d.call.Set}
		from.SetText(d.text)
	} else if d.prefix == nil {
		prefix := from.PointerTo(stream.Next)
		d.prefix = &prefix
	}
	for {
		d.brokenKind = from.PeekKind()
		at := from.NextOffset() - d.offset
		d.brokenAt = int(at)
		var err error
		if whole >= 0 && at >= int64(whole) {
			_, err = from.ReadValue()
		} else {
			_, err = from.ReadToken()
		}
		switch {
		case err == nil && whole >= 0 && at >= int64(whole) && from.StackDepth() == 0:
			return d.unread()
		case err == nil:
			continue
		case err == io.EOF && d.from == nil:
			return d.unread()
		case d.readErr != nil && errors.Is(err, io.ErrUnexpectedEOF):
			return d.readErr
		}
		return err
	}
}

// unread returns the error for a text that ends where a value should be.
func (d *decoder) unread() error {
	if d.readErr != nil {
		return d.readErr
	}
	return &stream.SyntacticError{ByteOffset: int64(len(d.text)), Err: io.ErrUnexpectedEOF}
}

// trailing returns the error for what comes behind the value, which ends at end.
func (d *decoder) trailing(end int) error {
	from := &stream.Decoder{Set: d.call.Set}
	from.SetText(d.text)
	from.Pass(0, end)
	return from.CheckEnd()
}

// pointerAt returns the pointer to the value at a position or, if name is set, to the member
// whose name is there.
func (d *decoder) pointerAt(pos int, name bool) stream.Pointer {
	var prefix stream.Pointer
	if d.prefix != nil {
		prefix = *d.prefix
	} else if d.from != nil {
		prefix = d.from.PointerTo(stream.Next)
	}
	d.track.Reset()
	d.track.Move(d.text, pos)
	if !name || !d.track.WantsName() {
		return prefix + d.track.Next()
	}
	end, _ := syntax.SkipString(d.text, pos)
	d.track.Move(d.text, end)
	return prefix + d.track.Previous()
}

// posOf returns where the value at t starts, or the token that is wrong.
func (d *decoder) posOf(t int) int {
	if t == d.broken {
		_ = d.syntax(-1)
		return d.brokenAt
	}
	return d.words[t].Pos()
}

// A misfitForm says what an error of v2 tells of a value.
type misfitForm uint8

const (
	withValue  misfitForm = 1 << iota // its text, if it is a string or a number
	ofWhole                           // it is read as a whole, and not its first token alone
	beforeRead                        // nothing of it
)

// refuse returns the error of v2 for the value at t, or saves it where others may follow.
func (d *decoder) refuse(t int, typ reflect.Type, cause error, form misfitForm) error {
	if form&beforeRead == 0 {
		if err := d.readable(t, form&ofWhole != 0); err != nil {
			return err
		}
	}
	if d.saved != nil {
		d.misfits++
		return nil
	}
	pos := d.posOf(t)
	d.before = form&beforeRead != 0
	legacy := d.has(option.ReportErrorsWithLegacySemantics)
	e := newSemantic(true)
	e.ByteOffset, e.GoType, e.Err = d.offset+int64(pos), typ, unexpectedEnd(cause)
	e.JSONPointer = d.pointerAt(pos, form&beforeRead == 0)
	if (form&beforeRead == 0 || legacy) && pos < len(d.text) {
		e.JSONKind = stream.KindOf(d.text[pos])
	}
	if form&withValue != 0 && (e.JSONKind == '"' || e.JSONKind == '0') {
		e.JSONValue = slices.Clone(d.raw(t))
	}
	if legacy && form&beforeRead == 0 {
		if e.JSONKind == '{' || e.JSONKind == '[' {
			e.ByteOffset++
		} else {
			e.ByteOffset += int64(len(d.raw(t)))
		}
	}
	return d.refused(e)
}

// refused returns an error, or saves it where others may follow.
func (d *decoder) refused(err error) error {
	if !d.has(option.ReportErrorsWithLegacySemantics) || isSyntactic(err) {
		return err
	}
	if d.misfits++; d.saved == nil {
		d.saved = err
	}
	return nil
}

// ambiguous is refuseName for one that may be of several fields.
func (d *decoder) ambiguous(t int, typ reflect.Type) error {
	return d.refuseName(t, typ, errAmbiguous())
}

// duplicateName returns the error for the name at t, which the object has already.
func (d *decoder) duplicateName(t int) error {
	pos := d.words[t].Pos()
	return &stream.SyntacticError{ByteOffset: d.offset + int64(pos), JSONPointer: d.pointerAt(pos, true), Err: stream.ErrDuplicateName}
}

// refuseName is refuse for the name at t, of a member of the struct.
func (d *decoder) refuseName(t int, typ reflect.Type, cause error) error {
	if d.saved != nil {
		d.misfits++
		return nil
	}
	pos := d.words[t].Pos()
	e := newSemantic(true)
	e.ByteOffset, e.GoType, e.Err, e.JSONKind = d.offset+int64(pos), typ, cause, '"'
	if d.has(option.ReportErrorsWithLegacySemantics) {
		e.ByteOffset += int64(len(d.raw(t)))
	}
	e.JSONPointer = d.pointerAt(pos, true)
	return d.refused(e)
}

// refuseAsMethod is refuse for a Number, whose method v1 does not add a place to.
func (d *decoder) refuseAsMethod(t int, cause error, form misfitForm) error {
	if !d.has(option.ReportErrorsWithLegacySemantics) {
		return d.refuse(t, numberType, cause, form)
	}
	if err := d.readable(t, true); err != nil {
		return err
	}
	e := newSemantic(true)
	e.JSONKind, e.GoType, e.Err = stream.KindOf(d.data[d.words[t].Pos()]), numberType, cause
	if form&withValue != 0 {
		e.JSONValue = slices.Clone(d.raw(t))
	}
	return d.refused(e)
}

func isSyntactic(err error) bool {
	switch err.(type) {
	case *stream.SyntacticError, *stream.IOError:
		return true
	}
	return false
}
