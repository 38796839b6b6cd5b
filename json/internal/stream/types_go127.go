//go:build go1.27 && goexperiment.jsonv2

package stream

import "encoding/json/jsontext"

// Types of the standard library, so that values and errors can be passed between both packages.
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

// replaceText is the replacement for invalid UTF-8.
const replaceText = "\ufffd"
