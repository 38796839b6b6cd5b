package encode

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// A Fault is an error of encoding by the rules of V2, of which it is not said yet where it
// is: that is found out once, from the text that was written in front of it.
type Fault struct {
	Err      error        // what went wrong
	Typ      reflect.Type // that was encoded
	Where    stream.Where
	Syntax   bool   // a *SyntacticError, and not a *SemanticError
	Name     []byte // in quotes, of a member that an object has already
	Bare     bool   // the offset is in front of the comma
	Semantic *rules.SemanticError
}

func (f *Fault) Error() string { return f.Err.Error() }

var notUTF8 = &Fault{Err: stream.ErrInvalidUTF8, Syntax: true, Where: stream.Next}

// NewFault returns the error for a value in front of which the text ends.
func NewFault(t reflect.Type, err error) error {
	return &Fault{Err: rules.UnexpectedEnd(err), Typ: t, Where: stream.Next}
}

var ErrCycle = errors.New("encountered a cycle")

// cycle returns the error for a pointer, a map or a slice that holds itself.
func (e *Encoder) cycle(v reflect.Value) error {
	if e.Mode.IsV1() {
		return unsupported(v, fmt.Sprintf("encountered a cycle via %s", v.Type()))
	}
	return NewFault(v.Type(), ErrCycle)
}

// notFinite returns the error for a float that has no JSON.
func (e *Encoder) notFinite(f float64, bits int) error {
	v := reflect.ValueOf(f)
	if bits == 32 {
		v = reflect.ValueOf(float32(f))
	}
	if e.Mode.IsV1() {
		return unsupported(v, strconv.FormatFloat(f, 'g', -1, bits))
	}
	return NewFault(v.Type(), fmt.Errorf("unsupported value: %v", f))
}

// notNumber returns the error for a Number that is none.
func (e *Encoder) notNumber(s string, quoted bool) error {
	if e.Mode.IsV1() || e.Mode.Flags&option.ReportErrorsWithLegacySemantics != 0 {
		return numberError(s, quoted)
	}
	text := s
	if quoted {
		text = `"` + s + `"`
	}
	return NewFault(rules.NumberType, fmt.Errorf("cannot parse %q as JSON number: %w", text, strconv.ErrSyntax))
}

// Duplicate returns the error for a name that an object has already.
func (e *Encoder) Duplicate(quoted []byte) error {
	return &Fault{Err: stream.ErrDuplicateName, Syntax: true, Where: stream.Next, Name: append([]byte(nil), quoted...)}
}
