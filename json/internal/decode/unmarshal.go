package decode

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// Unmarshal decodes data, which must be one value, into the value that v points to, by the rules of
// version 1. If n is nil, it looks up the node for v's type. It decodes in one of three ways.
//
// First, one pass (see one_pass.go), which checks the syntax while it stores values. It requires a
// zero target, and gives up on errors and rare cases.
//
// Second, with an index of the text. This implements all rules and all errors.
//
// Third, with encoding/json, which is slower but needs no index. It decodes a text whose index
// would be many times as large as the text.
func (d *Decoder) Unmarshal(data []byte, v reflect.Value, n *Node, on option.Flag) error {
	// Only a root value may be decoded in one pass. Nested values are decoded in the same way as
	// the root.
	if d.Direct(data, v, n, on) {
		return nil
	}
	if !d.Index.Build(data) {
		return invalid(data, v, on)
	}
	return d.UnmarshalIndexed(data, v, n, on)
}

// invalid returns the error for data with a syntax error. From Go 1.27 on an error about the target
// v takes precedence.
func invalid(data []byte, v reflect.Value, on option.Flag) error {
	if on&option.FirstEngine == 0 {
		if err := targetError(v); err != nil {
			return err
		}
	}
	return rules.SyntaxErrorOf(data, on)
}

// UnmarshalIndexed implements Unmarshal for data that d has already indexed.
func (d *Decoder) UnmarshalIndexed(data []byte, v reflect.Value, n *Node, on option.Flag) error {
	if d.Index.Dense() {
		switch {
		// encoding/json does not check members, and cannot call methods that take Hone's streams,
		// so the index is needed in spite of its size.
		case on&option.CheckMembers != 0:
			data = d.indexDense(Cut(data, v, on))
		// The linked encoding/json has other rules, or cannot decode this type. Use the index in
		// spite of its size.
		case !rules.Standard(on), v.IsValid() && rules.NeedsHone(v.Type()):
			if on&option.LimitLengths != 0 {
				data = Cut(data, v, on)
			}
			data = d.indexDense(data)
		default:
			return unmarshalSlow(data, v, on)
		}
	}
	return finalError(d.start(data, v, n, on), v, len(data)-d.Space, on)
}

// unmarshalSlow decodes data, which must be valid, with encoding/json.
func unmarshalSlow(data []byte, v reflect.Value, on option.Flag) error {
	if !v.IsValid() {
		return &rules.InvalidUnmarshalError{}
	}
	if on&option.LimitLengths != 0 {
		data = Cut(data, v, on)
	}
	if on&(option.RawNumbers|option.RejectUnknownMembers|option.CopyInput) == 0 {
		return json.Unmarshal(data, v.Interface())
	}
	// A json.Decoder reads data into its own memory, so CopyInput needs no other copy.
	return StandardDecoder(bytes.NewReader(data), on).Decode(v.Interface())
}

// StandardDecoder returns a decoder of encoding/json. It sets those options that encoding/json
// supports.
func StandardDecoder(r io.Reader, on option.Flag) *json.Decoder {
	std := json.NewDecoder(r)
	if on&option.RawNumbers != 0 {
		std.UseNumber()
	}
	if on&option.RejectUnknownMembers != 0 {
		std.DisallowUnknownFields()
	}
	return std
}
