package engine

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
)

// A fault is an error of encoding by the rules of v2, of which it is not said yet where it
// is: that is found out once, from the text that was written in front of it.
type fault struct {
	err      error        // what went wrong
	typ      reflect.Type // that was encoded
	where    stream.Where
	syntax   bool   // a *SyntacticError, and not a *SemanticError
	name     []byte // in quotes, of a member that an object has already
	bare     bool   // the offset is in front of the comma
	semantic *SemanticError
}

func (f *fault) Error() string { return f.err.Error() }

var notUTF8 = &fault{err: stream.ErrInvalidUTF8, syntax: true, where: stream.Next}

// newFault returns the error for a value in front of which the text ends.
func newFault(t reflect.Type, err error) error {
	return &fault{err: unexpectedEnd(err), typ: t, where: stream.Next}
}

// unexpectedEnd returns err, but for the end of a stream, which would be taken for a proper
// one.
func unexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

var errCycle = errors.New("encountered a cycle")

// cycle returns the error for a pointer, a map or a slice that holds itself.
func (e *Encoder) cycle(v reflect.Value) error {
	if e.mode.isV1() {
		return unsupported(v, fmt.Sprintf("encountered a cycle via %s", v.Type()))
	}
	return newFault(v.Type(), errCycle)
}

// notFinite returns the error for a float that has no JSON.
func (e *Encoder) notFinite(f float64, bits int) error {
	v := reflect.ValueOf(f)
	if bits == 32 {
		v = reflect.ValueOf(float32(f))
	}
	if e.mode.isV1() {
		return unsupported(v, strconv.FormatFloat(f, 'g', -1, bits))
	}
	return newFault(v.Type(), fmt.Errorf("unsupported value: %v", f))
}

// notNumber returns the error for a Number that is none.
func (e *Encoder) notNumber(s string, quoted bool) error {
	if e.mode.isV1() || e.mode.flags&option.ReportErrorsWithLegacySemantics != 0 {
		return numberError(s, quoted)
	}
	text := s
	if quoted {
		text = `"` + s + `"`
	}
	return newFault(numberType, fmt.Errorf("cannot parse %q as JSON number: %w", text, strconv.ErrSyntax))
}

// duplicate returns the error for a name that an object has already.
func (e *Encoder) duplicate(quoted []byte) error {
	return &fault{err: stream.ErrDuplicateName, syntax: true, where: stream.Next, name: append([]byte(nil), quoted...)}
}

// time appends a time.
func (e *Encoder) time(dst []byte, t *time.Time) ([]byte, error) {
	if e.mode.isV1() || isPlainTime(t) {
		return appendTime(dst, t)
	}
	return e.v2.timeV2(dst, t)
}

// timeV2 is time by the rules of v2, for one of which these have to say more.
func (e *encoder) timeV2(dst []byte, t *time.Time) ([]byte, error) {
	n := len(dst)
	fail := func(why string) ([]byte, error) {
		if e.has(option.ReportErrorsWithLegacySemantics) {
			return dst[:n], marshalerError(reflect.TypeFor[*time.Time](), errors.New(why), "MarshalJSON")
		}
		return dst[:n], newFault(timeType, errors.New(why))
	}
	dst = t.AppendFormat(append(dst, '"'), time.RFC3339Nano)
	text := dst[n+1:]
	zone := text[len(text)-len("Z07:00"):]
	switch {
	case text[len("9999")] != '-':
		return fail("year outside of range [0,9999]")
	case text[len(text)-1] != 'Z' && (zone[0]-'0' <= 9 || pair(zone[1:]) >= 24):
		return fail("timezone hour outside of range [0,23]")
	}
	return append(dst, '"'), nil
}

// explain returns the error of a call, with the place in the text that was written so far.
func (e *encoder) explain(text []byte, err error) error {
	f, ok := err.(*fault)
	if !ok {
		return err
	}
	if s := f.semantic; s != nil && s.ByteOffset != 0 && s.JSONPointer != "" {
		return f.placed(s.ByteOffset, s.JSONPointer) // by a call that is nested in this one
	}
	at := stream.Encoder{Set: e.call.Set}
	if e.outer != nil {
		at.CopyPlace(e.outer)
	} else {
		at.On |= option.OneValue
	}
	at.Replay(text)
	offset, pointer := at.Place(f.where)
	if f.bare {
		offset = at.OutputOffset()
	}
	switch {
	case f.syntax:
		if f.name != nil {
			name, _ := syntax.AppendUnquoted(nil, f.name)
			pointer = pointer.AppendToken(string(name))
		}
		if f.bare {
			return &stream.SyntacticError{ByteOffset: offset, JSONPointer: pointer, Err: f.err}
		}
		return stream.Syntactic(&e.call.Set, f.err, offset, pointer)
	case f.semantic != nil:
		return f.placed(offset, pointer)
	}
	made := newSemantic(false)
	made.ByteOffset, made.JSONPointer, made.GoType, made.Err = offset, pointer, f.typ, f.err
	// An error of a method that names places in its own text.
	if inner, ok := f.err.(*SemanticError); ok {
		outer := made
		made = copyOf(inner)
		made.ByteOffset += outer.ByteOffset
		made.JSONPointer = outer.JSONPointer + inner.JSONPointer
	}
	return made
}

// placed returns the error of a method or a function, with what it does not say itself.
func (f *fault) placed(offset int64, pointer stream.Pointer) error {
	made := says(f.semantic, false)
	if made.ByteOffset == 0 {
		made.ByteOffset = offset
	}
	if made.JSONPointer == "" {
		made.JSONPointer = pointer
	}
	if made.GoType == nil {
		made.GoType = f.typ
	}
	made.Err = unexpectedEnd(made.Err)
	return made
}

// legacy returns err as v1 returns it.
func (e *encoder) legacy(err error) error {
	switch err := err.(type) {
	case *SemanticError:
		if err.Err == nil {
			return &UnsupportedTypeError{Type: err.GoType}
		}
		text := err.Err.Error()
		if err.Err == errCycle && err.GoType != nil {
			text += " via " + err.GoType.String()
		}
		return &UnsupportedValueError{Str: strings.TrimPrefix(text, "unsupported value: ")}
	case *MarshalerError:
		err.Err = legacySyntax(err.Err)
		return err
	}
	return legacySyntax(err)
}

// A nameSet is the names that an object has, as they are written.
type nameSet struct {
	names map[string]struct{}
}

// add reports whether the name is a new one.
func (s *nameSet) add(quoted []byte) bool {
	name, _ := syntax.AppendUnquoted(nil, quoted)
	return s.addName(string(name))
}

func (s *nameSet) addName(name string) bool {
	if _, there := s.names[name]; there {
		return false
	}
	if s.names == nil {
		s.names = map[string]struct{}{}
	}
	s.names[name] = struct{}{}
	return true
}

// isPlainTime reports whether appendTime writes t itself.
func isPlainTime(t *time.Time) bool {
	_, offset := t.Zone()
	year := t.Year()
	return year >= 0 && year <= 9999 && offset%60 == 0 && offset > -24*3600 && offset < 24*3600
}
