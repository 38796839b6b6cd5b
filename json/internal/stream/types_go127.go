//go:build go1.27 && goexperiment.jsonv2

package stream

import "encoding/json/jsontext"

// These types are the standard library's, so that values and errors can be passed between both
// packages.
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

// replaceText replaces invalid UTF-8.
const replaceText = "\ufffd"
