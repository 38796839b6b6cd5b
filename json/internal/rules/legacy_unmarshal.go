package rules

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/hone-go/hone/internal/syntax"
)

// LegacyUnmarshal converts err, an error of version 2 from decoding into a pointer of type root, to
// the error of version 1. It returns other errors unchanged.
func LegacyUnmarshal(root reflect.Type, err error) error {
	e, ok := err.(*SemanticError)
	if !ok {
		return LegacySyntax(err)
	}
	switch e.Err {
	case ErrUnknownName:
		return fmt.Errorf("json: unknown field %q", e.JSONPointer.LastToken())
	case ErrFiniteTypes:
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
	SetCause(made, LegacySyntax(e.Err))
	return made
}

// isNumeric reports whether t is an integer or a float.
func isNumeric(t reflect.Type) bool {
	return t != nil && t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64
}
