package decoding

import (
	"reflect"
	"slices"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// Refuse implements [decode.Faults].
func (d *decoder) Refuse(t int, typ reflect.Type, cause error, form decode.ErrorForm) error {
	if form&decode.BeforeRead == 0 {
		if err := d.Readable(t, form&decode.OfWhole != 0); err != nil {
			return err
		}
	}
	if d.Saved != nil {
		d.typeErrors++
		return nil
	}
	pos := d.posOf(t)
	d.before = form&decode.BeforeRead != 0
	legacy := d.Has(option.ReportErrorsWithLegacySemantics)
	e := rules.NewSemantic(true)
	e.ByteOffset, e.GoType, e.Err = d.offset+int64(pos), typ, rules.UnexpectedEnd(cause)
	e.JSONPointer = d.pointerAt(pos, form&decode.BeforeRead == 0)
	if (form&decode.BeforeRead == 0 || legacy) && pos < len(d.text) {
		e.JSONKind = stream.KindOf(d.text[pos])
	}
	if form&decode.WithValue != 0 && (e.JSONKind == '"' || e.JSONKind == '0') {
		e.JSONValue = slices.Clone(d.Raw(t))
	}
	if legacy && form&decode.BeforeRead == 0 {
		if e.JSONKind == '{' || e.JSONKind == '[' {
			e.ByteOffset++
		} else {
			e.ByteOffset += int64(len(d.Raw(t)))
		}
	}
	return d.refused(e)
}

// refused returns err. With legacy errors it saves the first error and returns nil, so decoding
// continues.
func (d *decoder) refused(err error) error {
	if !d.Has(option.ReportErrorsWithLegacySemantics) || rules.IsSyntactic(err) {
		return err
	}
	if d.typeErrors++; d.Saved == nil {
		d.Saved = err
	}
	return nil
}

// ClosedField implements [decode.Faults].
func (d *decoder) ClosedField(t int, in, _ reflect.Type) error {
	return d.Refuse(t, in, rules.ErrNilField, decode.BeforeRead)
}

// DuplicateName implements [decode.Checks].
func (d *decoder) DuplicateName(t int) error {
	pos := d.Words[t].Pos()
	err := &stream.SyntacticError{ByteOffset: d.offset + int64(pos), JSONPointer: d.pointerAt(pos, true), Err: stream.ErrDuplicateName}
	if d.from != nil {
		passDuplicate(d.from, err.ByteOffset)
	}
	return err
}

// RefuseName implements [decode.Faults].
func (d *decoder) RefuseName(t int, typ reflect.Type, cause error) error {
	if d.Saved != nil {
		d.typeErrors++
		return nil
	}
	pos := d.Words[t].Pos()
	e := rules.NewSemantic(true)
	e.ByteOffset, e.GoType, e.Err, e.JSONKind = d.offset+int64(pos), typ, cause, '"'
	if d.Has(option.ReportErrorsWithLegacySemantics) {
		e.ByteOffset += int64(len(d.Raw(t)))
	}
	e.JSONPointer = d.pointerAt(pos, true)
	return d.refused(e)
}

// refuseAsMethod is like Refuse, for a Number. Version 1 decodes a Number with a method, and errors
// of methods have no position. With legacy errors the error of refuseAsMethod therefore has no
// position.
func (d *decoder) refuseAsMethod(t int, cause error, form decode.ErrorForm) error {
	if !d.Has(option.ReportErrorsWithLegacySemantics) {
		return d.Refuse(t, rules.NumberType, cause, form)
	}
	if err := d.Readable(t, true); err != nil {
		return err
	}
	e := rules.NewSemantic(true)
	e.JSONKind, e.GoType, e.Err = stream.KindOf(d.Data[d.Words[t].Pos()]), rules.NumberType, cause
	if form&decode.WithValue != 0 {
		e.JSONValue = slices.Clone(d.Raw(t))
	}
	return d.refused(e)
}

// ArrayLength implements [decode.Faults].
func (d *decoder) ArrayLength(n *decode.Node, t int, cause, before error) error {
	if d.Saved = before; before != nil {
		return nil
	}
	end := syntax.End(d.Words, t) - 1
	e := rules.NewSemantic(true)
	e.ByteOffset, e.GoType, e.Err, e.JSONKind = d.offset+int64(end), n.Shape.Type, cause, ']'
	if d.Has(option.ReportErrorsWithLegacySemantics) {
		e.ByteOffset++
	}
	e.JSONPointer = d.pointerAt(d.Words[t].Pos(), false)
	return d.refused(e)
}
