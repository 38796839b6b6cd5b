//go:build go1.27 && goexperiment.jsonv2

package stream

import "encoding/json/jsontext"

// These are the standard library's, so that values and errors pass between the two.
type (
	Kind           = jsontext.Kind
	Pointer        = jsontext.Pointer
	SyntacticError = jsontext.SyntacticError
	Value          = jsontext.Value
)

var (
	ErrDuplicateName = jsontext.ErrDuplicateName
	ErrNonStringName = jsontext.ErrNonStringName
)

// replaceText is written for bytes that are not valid UTF-8.
const replaceText = "\ufffd"
