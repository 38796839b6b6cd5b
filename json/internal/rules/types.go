package rules

import (
	"encoding/json"
)

// These types are encoding/json's own, and package json exports them.
type (
	InvalidUnmarshalError = json.InvalidUnmarshalError
	Marshaler             = json.Marshaler
	MarshalerError        = json.MarshalerError
	Number                = json.Number
	RawMessage            = json.RawMessage
	SyntaxError           = json.SyntaxError
	UnmarshalTypeError    = json.UnmarshalTypeError
	Unmarshaler           = json.Unmarshaler
	UnsupportedTypeError  = json.UnsupportedTypeError
	UnsupportedValueError = json.UnsupportedValueError
)
