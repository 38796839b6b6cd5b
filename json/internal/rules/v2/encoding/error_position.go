package encoding

import (
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// failed returns the error of a call that may have appended text before it failed. It converts a Fault to an error with
// a position.
func (e *encoder) failed(text []byte, err error) error {
	err = e.explain(text, err)
	if e.Has(option.ReportErrorsWithLegacySemantics) {
		return e.legacy(err)
	}
	return err
}

// BeforeEncoding wraps err as the error of a call that failed before it wrote anything.
func BeforeEncoding(to *stream.Encoder, v any, err error) error {
	e := rules.NewSemantic(false)
	e.ByteOffset, e.JSONPointer = to.Place(stream.Next)
	e.GoType, e.Err = reflect.TypeOf(v), err
	return e
}

// explain converts a Fault to an error with an offset and a JSON pointer. To find them it reads the
// text before the fault with a stream, which starts at the position of the outer stream.
func (e *encoder) explain(text []byte, err error) error {
	f, ok := err.(*encode.Fault)
	if !ok {
		return err
	}
	if s := f.Semantic; s != nil && s.ByteOffset != 0 && s.JSONPointer != "" {
		return withPosition(f, s.ByteOffset, s.JSONPointer) // a nested call has already found the position
	}
	at := stream.Encoder{Set: e.call.Set}
	if e.outer != nil {
		at.CopyPlace(e.outer)
	} else {
		at.On |= option.OneValue
	}
	at.Replay(text)
	offset, pointer := at.Place(f.Where)
	if f.Bare {
		offset = at.OutputOffset()
	}
	switch {
	case f.Syntax:
		if f.Name != nil {
			name, _ := syntax.AppendUnquoted(nil, f.Name)
			pointer = pointer.AppendToken(string(name))
		}
		if f.Bare {
			return &stream.SyntacticError{ByteOffset: offset, JSONPointer: pointer, Err: f.Err}
		}
		return stream.Syntactic(&e.call.Set, f.Err, offset, pointer)
	case f.Semantic != nil:
		return withPosition(f, offset, pointer)
	}
	made := rules.NewSemantic(false)
	made.ByteOffset, made.JSONPointer, made.GoType, made.Err = offset, pointer, f.Typ, f.Err
	// Positions in the error of a method are relative to the method's own output.
	if inner, ok := f.Err.(*rules.SemanticError); ok {
		outer := made
		made = rules.CopyError(inner)
		made.ByteOffset += outer.ByteOffset
		made.JSONPointer = outer.JSONPointer + inner.JSONPointer
	}
	return made
}

// withPosition returns the error of a method or a function, and fills in the fields that the error leaves
// empty.
func withPosition(f *encode.Fault, offset int64, pointer stream.Pointer) error {
	made := rules.WithAction(f.Semantic, false)
	if made.ByteOffset == 0 {
		made.ByteOffset = offset
	}
	if made.JSONPointer == "" {
		made.JSONPointer = pointer
	}
	if made.GoType == nil {
		made.GoType = f.Typ
	}
	made.Err = rules.UnexpectedEnd(made.Err)
	return made
}

// legacy converts err to the error of version 1.
func (e *encoder) legacy(err error) error {
	switch err := err.(type) {
	case *rules.SemanticError:
		if err.Err == nil {
			return &rules.UnsupportedTypeError{Type: err.GoType}
		}
		text := err.Err.Error()
		if err.Err == encode.ErrCycle && err.GoType != nil {
			text += " via " + err.GoType.String()
		}
		made := &rules.UnsupportedValueError{Str: strings.TrimPrefix(text, "unsupported value: ")}
		if cause, ok := err.Err.(*notFinite); ok && rules.ErrorValue.Applied() {
			made.Value = cause.value
		}
		return made
	case *rules.MarshalerError:
		err.Err = rules.LegacySyntax(err.Err)
		return err
	}
	return rules.LegacySyntax(err)
}
