package api

import (
	"encoding"
	stdjson "encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/hone-go/hone/bind"
	"github.com/hone-go/hone/internal/limit"
	"github.com/hone-go/hone/json"
	"github.com/hone-go/hone/json/jsontext"
	jsonv2 "github.com/hone-go/hone/json/v2"
	"github.com/hone-go/hone/shape"
	"github.com/hone-go/hone/wire"
)

// badParams returns a problem that lists the parameters that could not be bound and the parameters
// that break a limit. It is called before the body is read. If err is not a bind.Errors, badParams
// returns err unchanged.
func badParams(err error, broken []limit.Violation) error {
	var errs bind.Errors
	if !errors.As(err, &errs) {
		return err
	}
	p := NewProblem(http.StatusBadRequest, "the request has parameters that cannot be read")
	p.err = err
	p.Errors = withViolations(faultsOf(errs), "", broken)
	return p
}

func faultsOf(errs bind.Errors) (faults []FieldProblem) {
	for _, e := range errs {
		faults = append(faults, FieldProblem{In: string(e.Source), Name: e.Name, Detail: e.Reason()})
	}
	return faults
}

// readable reports whether all parameters could be read. If so, it returns the faults that are left:
// missing and unknown parameters, and parameters that break a limit.
func readable(err error) ([]FieldProblem, bool) {
	errs, ok := err.(bind.Errors)
	if !ok || slices.ContainsFunc(errs, func(e *bind.Error) bool {
		_, isLimit := e.Err.(*bind.LimitError)
		return e.Err != bind.ErrRequired && e.Err != bind.ErrUnknown && !isLimit
	}) {
		return nil, false
	}
	return faultsOf(errs), true
}

// memberFaults returns the faults that [json.Config.CheckMembers] has found, without broken limits if
// unchecked is set. It returns false if err is another error. The error's path already has the names
// of members as they are in the JSON.
func memberFaults(err error, unchecked bool) (faults []FieldProblem, ok bool) {
	members, ok := err.(*json.MembersError)
	if !ok {
		return nil, false
	}
	for _, m := range members.Members {
		if !unchecked || !m.BreaksLimit() {
			faults = append(faults, FieldProblem{In: "body", Name: m.Path, Detail: m.Detail})
		}
	}
	return faults, true
}

// badBody returns a problem with the place in the body at which decoding stopped. t is the type of
// the decoded value, and data is the JSON, or nil for another format. The text of an error of the program's own unmarshaler is not sent, because it
// may contain information that is not for the client.
func badBody(err error, t reflect.Type, data []byte) error {
	if err == nil {
		return nil
	}
	field := FieldProblem{In: "body"}
	var (
		syntax   *json.SyntaxError
		mismatch *json.UnmarshalTypeError
		decode   *wire.DecodeError
		text     *jsontext.SyntacticError
		meaning  *jsonv2.SemanticError
	)
	switch {
	case errors.As(err, &meaning):
		field.Offset = meaning.ByteOffset
		field.Name = locatedPath(data, err)
		field.Detail = notOfThisKind
		switch {
		case meaning.Err == jsonv2.ErrUnknownName:
			field.Detail = "an unknown member"
		case meaning.JSONKind != 0 && meaning.GoType != nil:
			field.Detail = mismatchDetail(kindOf(meaning.JSONKind), meaning.GoType)
		}
	case errors.As(err, &text):
		field.Offset = text.ByteOffset
		field.Detail = "not JSON"
		if text.Err != nil {
			field.Detail = text.Err.Error()
		}
	case errors.As(err, &syntax):
		field.Detail, field.Offset = syntax.Error(), syntax.Offset
	case errors.As(err, &mismatch):
		field.Offset = mismatch.Offset
		is, _, _ := strings.Cut(mismatch.Value, " ") // the kind of value, without the number, which may be long
		field.Detail = mismatchDetail(is, mismatch.Type)
		field.Name = locatedPath(data, err)
	case errors.As(err, &decode):
		field.Name, field.Detail, field.Offset = jsonPath(shape.Of(t), decode.Path), wireReason(decode.Err), decode.Offset
	default:
		return unreadable(err)
	}
	return unreadable(err, field)
}

// kindOf returns the name of a kind in the errors of encoding/json v1.
func kindOf(k jsontext.Kind) string {
	switch k {
	case 't', 'f':
		return "bool"
	case '{', '}':
		return "object"
	case '[', ']':
		return "array"
	}
	return k.String()
}

// unreadable returns the problem for a body that cannot be read because of the given faults.
func unreadable(cause error, at ...FieldProblem) *Problem {
	p := NewProblem(http.StatusBadRequest, "the request body cannot be read")
	p.err, p.Errors = cause, at
	return p
}

// wireReasons are the causes of a [wire.DecodeError] that package wire defines.
var wireReasons = []error{
	io.ErrUnexpectedEOF, wire.ErrShort, wire.ErrTrailing, wire.ErrOverflow, wire.ErrNonMinimal, wire.ErrFlag, wire.ErrDuplicate, wire.ErrKey,
	wire.ErrTime, wire.ErrLimit, wire.ErrDepth, wire.ErrTag, wire.ErrUnsorted, wire.ErrCanonical, wire.ErrUnregistered,
}

func wireReason(err error) string {
	for _, reason := range wireReasons {
		if errors.Is(err, reason) {
			return reason.Error()
		}
	}
	return notOfThisKind
}

// notOfThisKind is the detail for a value that a method of the program refused.
const notOfThisKind = "not a value of this kind"

// mismatchDetail returns the detail for a JSON value of the kind is that cannot be decoded into t.
func mismatchDetail(is string, t reflect.Type) string {
	want := jsonKind(t)
	if want == is || want == "" {
		return notOfThisKind
	}
	article := " instead of a "
	if want == "object" || want == "array" {
		article = " instead of an "
	}
	return "a JSON " + is + article + want
}

var (
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonUnmarshaler = reflect.TypeFor[stdjson.Unmarshaler]()
)

// jsonKind returns JSON's name for the values of a Go type. It returns "" for a type with a method UnmarshalJSON, which
// may accept any value.
func jsonKind(t reflect.Type) string {
	if t == nil { // the error of an unmarshaler of the program may have no type
		return "value"
	}
	switch s := shape.Of(t); {
	case s.Union != nil:
		return "value of one of the expected types"
	case s.Endless():
		return "null"
	case s.Kind == shape.Option:
		return jsonKind(s.Elem.Type)
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface:
	case reflect.PointerTo(t).Implements(textUnmarshaler):
		return "string"
	case reflect.PointerTo(t).Implements(jsonUnmarshaler):
		return ""
	}
	switch t.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Struct, reflect.Map:
		return "object"
	case reflect.Pointer:
		return jsonKind(t.Elem())
	case reflect.Interface:
		return "value"
	}
	return "number that fits " + t.Kind().String()
}
