package encode

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/shape"
)

// sum emits an interface with declared cases. The Ref contains the text that precedes the value of
// each case.
func (w *Writer) sum(s *shape.Shape, off uintptr) {
	// If the call has a function for the interface type itself, the function replaces the declaration,
	// because a function for an interface type applies to the values of all types that implement the
	// interface.
	if w.Compiler.Mode.Types.Has(s.Type) {
		w.Emit(opInterface, off, &Ref{Shape: s})
		return
	}
	// The Encoder looks up the program of a case at run time, by the type of the value. So recursive
	// types need no special treatment, and the functions of the call for the type of a case are called.
	w.Emit(opSum, off, &Ref{Shape: s, prefixes: sumPrefixes(s.Sum)})
}

// appendSumPrefix appends the text that precedes the value of a case, with the escapes of the call. It
// is called only for names with characters that a call may escape: quotes, characters outside ASCII,
// and the characters of the option EscapeForHTML.
func (e *Encoder) appendSumPrefix(dst []byte, s *shape.Sum, c *shape.SumCase) (_ []byte, err error) {
	dst = append(dst, '{')
	if s.Form == shape.SumExternal {
		dst, err = e.String(dst, c.Name)
		return append(dst, ':'), err
	}
	if dst, err = e.String(dst, s.Tag); err != nil {
		return dst, err
	}
	if dst, err = e.String(append(dst, ':'), c.Name); err != nil || s.Form == shape.SumInternal {
		return dst, err
	}
	dst, err = e.String(append(dst, ','), s.Value)
	return append(dst, ':'), err
}

// runSum appends the value in the interface at a+off, whose cases are declared. It writes the tag, and
// then runs the program for the type of the value.
func (r *Ref) runSum(e *Encoder, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	s := r.Shape.Sum
	// Package reflect reads the interface, because an interface with methods has another memory
	// layout than an any. Elem and Interface do not allocate: they return the data word of the
	// interface.
	v := a.Value(off, s.Type)
	if v.IsNil() {
		return append(dst, "null"...), nil
	}
	v = v.Elem()
	i := s.Of(v.Type())
	// The type of the value is not a case, so it has no name. Without a tag the type would be lost.
	switch {
	case i < 0:
		return dst, e.notCase(s, v)
	case i == s.Unknown:
		return e.unknownCase(dst, s, v)
	// A nil pointer is null, as in every interface.
	case v.Kind() == reflect.Pointer && v.IsNil():
		return append(dst, "null"...), nil
	}
	// Most names need no escapes, so their prefix is one constant.
	start := len(dst)
	if prefix := r.prefixes[i]; prefix != "" {
		dst = append(dst, prefix...)
	} else {
		var err error
		if dst, err = e.appendSumPrefix(dst, s, &s.Cases[i]); err != nil {
			return dst[:start], err
		}
	}
	// at is the position of the opening brace if the value is an object.
	at := len(dst)
	dst, err := e.AnyByProgram(dst, v.Interface())
	if s.Form == shape.SumInternal {
		return e.joined(dst, start, at, err, func() error { return e.notObject(s, i, v) })
	}
	if err != nil {
		return dst, err
	}
	return append(dst, '}'), nil
}

// unknownCase appends v, a value of the case for unknown names. v contains the JSON text that decoding
// has stored, which becomes the output.
func (e *Encoder) unknownCase(dst []byte, s *shape.Sum, v reflect.Value) ([]byte, error) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return append(dst, "null"...), nil
		}
		v = v.Elem()
	}
	// A program needs the address of its value, so copy v. The declaration of the union contains the
	// offset of the text. The program of RawMessage checks the text and removes white space.
	held := reflect.New(v.Type())
	held.Elem().Set(v)
	return e.AnyByProgram(dst, rules.RawMessage(mem.OfPointer(held).Bytes(s.UnknownText)))
}
