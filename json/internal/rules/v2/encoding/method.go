package encoding

import (
	"encoding"
	"reflect"
	"strings"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
	text "github.com/hone-go/hone/json/jsontext"
)

// A receiver describes the value that methods or functions encode.
type receiver struct {
	typ     reflect.Type
	pointer mem.AddressType
	copies  bool // the value is not addressable, so that a copy is passed
	named   bool // the value is the name of a member
}

func receiverOf(key encode.Key) receiver {
	t := key.Shape.Type
	return receiver{t, mem.AddressTypeOf(t), !key.Addressable, key.Name}
}

// address returns the address of the value at a+off for a method or a function. If the value is not
// addressable, it returns the address of a copy.
func (r *receiver) address(a mem.Pointer, off uintptr) any {
	if !r.copies {
		return r.pointer.Any(a, off)
	}
	held := reflect.New(r.typ)
	held.Elem().Set(a.Value(off, r.typ))
	return held.Interface()
}

// A methodsRow is the row for types with methods that encode a value, in the order in which they are
// tried.
type methodsRow struct {
	receiver
	methods  []rules.MethodForm
	stringed bool // the field has the tag option "string"
}

// Run implements [encode.Row]. It calls the methods of the value's type in order, until one accepts the value. A method
// declines the value by returning errors.ErrUnsupported, and must not write anything before. If all
// decline, Run runs r.Program.
func (w *methodsRow) Run(to *encode.Encoder, r *encode.Ref, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	e, p := of(to), w.address(a, off)
	for _, m := range w.methods {
		start := len(dst)
		var err error
		switch m {
		case rules.MethodStream:
			dst, err = e.stream(dst, w.typ, w.stringed, w.named, func(to *text.Encoder) error { return p.(rules.MarshalerTo).MarshalJSONTo(to) }, "MarshalJSONTo", p)
		case rules.MethodStandard:
			dst, err = e.standardStream(dst, w, p)
		case rules.MethodJSON:
			b, failed := p.(rules.Marshaler).MarshalJSON()
			return e.value(dst, b, w.typ, failed, "MarshalJSON", p)
		case rules.MethodAppend:
			return e.text(dst, w.typ, "AppendText", p, func(b []byte) ([]byte, error) { return p.(encoding.TextAppender).AppendText(b) })
		case rules.MethodText:
			return e.text(dst, w.typ, "MarshalText", p, func(b []byte) ([]byte, error) {
				more, err := p.(encoding.TextMarshaler).MarshalText()
				return append(b, more...), err
			})
		}
		if err != rules.ErrDeclined {
			return dst, err
		}
		dst = dst[:start]
		e.Back(start)
	}
	return r.Program.Run(&e.Encoder, dst, a.Add(off))
}

// A functionsRow is the row for types to which functions of the call apply. calls contains the indexes
// of the functions in the list of the call.
type functionsRow struct {
	receiver
	calls []int
}

// Run implements [encode.Row]. It calls the functions as methodsRow calls methods.
func (w *functionsRow) Run(to *encode.Encoder, r *encode.Ref, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	e, p := of(to), w.address(a, off)
	for _, i := range w.calls {
		f := &e.call.to.List[i]
		if f.To == nil {
			b, err := f.Bytes(p)
			return e.value(dst, b, f.Type, err, "MarshalFunc", p)
		}
		start := len(dst)
		b, err := e.stream(dst, f.Type, false, w.named, func(to *text.Encoder) error { return f.To(to, p) }, "MarshalToFunc", p)
		if err != rules.ErrDeclined {
			return b, err
		}
		e.Back(start)
	}
	return r.Program.Run(&e.Encoder, dst, a.Add(off))
}

// value appends b if it satisfies the options. b is the JSON that a method or a function has
// returned, and by is the name of this method or function. If err is not nil, the method has
// returned err instead of b. t and p are for errors: t is the type of the value, and p is the
// receiver of the method or the argument of the function.
func (e *encoder) value(dst, b []byte, t reflect.Type, err error, by string, p any) ([]byte, error) {
	legacy := e.Has(option.ReportErrorsWithLegacySemantics)
	if err != nil {
		err = rules.NotUnsupported(err, by)
		if legacy {
			return dst, rules.NewMarshalerError(reflect.TypeOf(p), err, by)
		}
		return dst, encode.NewFault(t, err)
	}
	out, fails := e.valid(dst, b)
	if fails == nil {
		return out, nil
	}
	if legacy {
		return dst, rules.NewMarshalerError(reflect.TypeOf(p), fails, by)
	}
	if _, ok := fails.(*stream.SyntacticError); ok {
		return dst, encode.NewFault(t, fails)
	}
	return dst, fails
}

// valid checks the value b against the options and appends it. On error it returns dst.
func (e *encoder) valid(dst, b []byte) ([]byte, error) {
	if e.isPlain(b) {
		return append(dst, b...), nil
	}
	w := e.takeWriter()
	defer e.keepWriter(w)
	e.aim(w, dst)
	err := w.s.WriteValue(b)
	if err != nil {
		if s, ok := err.(*stream.SyntacticError); ok {
			// The offset becomes relative to the start of the whole output.
			return dst, e.rebased(dst, b, s)
		}
		return dst, err
	}
	return w.s.Buffer(), nil
}

// isPlain reports whether b is a valid scalar that no option changes. Most methods and functions
// return such a scalar. All other results must be checked by a stream.
func (e *encoder) isPlain(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	switch c := b[0]; c {
	case '"':
		end := len(b) - 1
		return end > 0 && b[end] == '"' && !e.EscapesHTML() && syntax.PlainRun(b, 1) == end
	case 'n':
		return string(b) == "null"
	case 't':
		return string(b) == "true"
	case 'f':
		return string(b) == "false"
	default:
		return (c == '-' || c-'0' <= 9) && !e.Has(option.CanonicalizeNumbers) && syntax.ValidNumber(mem.String(b))
	}
}

// rebased converts the position of an error in the value b, which follows dst, to a position in the
// whole output.
func (e *encoder) rebased(dst, b []byte, found *stream.SyntacticError) error {
	at := stream.Encoder{Set: e.call.Set}
	if e.outer != nil {
		at.CopyPlace(e.outer)
	} else {
		at.On |= option.OneValue
	}
	at.Replay(dst[e.Start:])
	if err := at.WriteValue(b); err != nil {
		return err
	}
	return found
}

// text appends the result of a text method as a JSON string. write calls the method, which appends
// to the given slice. by is the name of the method, and p is its receiver. Errors of version 2
// contain the type t.
func (e *encoder) text(dst []byte, t reflect.Type, by string, p any, write func([]byte) ([]byte, error)) ([]byte, error) {
	n := len(dst)
	b, err := write(append(dst, '"'))
	if err != nil {
		err = rules.NotUnsupported(err, by)
		if e.Has(option.ReportErrorsWithLegacySemantics) {
			return dst, rules.NewMarshalerError(reflect.TypeOf(p), err, by)
		}
		if _, ok := err.(*rules.SemanticError); ok {
			return dst, err
		}
		return dst, encode.NewFault(t, err)
	}
	written := b[n+1:]
	if syntax.PlainRun(written, 0) == len(written) && !e.EscapesHTML() {
		return append(b, '"'), nil
	}
	held := strings.Clone(mem.String(written))
	out, err := e.String(dst[:n], held)
	if err != nil {
		if e.Has(option.ReportErrorsWithLegacySemantics) {
			return dst, rules.NewMarshalerError(reflect.TypeOf(p), e.explain(dst[e.Start:n], err), by)
		}
		return dst, encode.NewFault(t, e.explain(dst[e.Start:n], err))
	}
	return out, nil
}
