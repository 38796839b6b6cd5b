package decode

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// Unmarshal decodes data, which is one value, into the value that v points to, by the rules of
// v1 and by n if it is not nil. It chooses between three ways.
//
// One pass checks the text while it stores values. It is for targets that are zero, and gives
// up on anything unusual.
//
// Usually an index of the text is built first, and values are decoded by it. This way knows all
// rules and all errors.
//
// A text whose index would be many times its length is decoded by encoding/json, which takes
// more time and no memory for an index.
func (d *Decoder) Unmarshal(data []byte, v reflect.Value, n *Node, on option.Flag) error {
	// The whole choice is here and in UnmarshalIndexed.
	if d.Direct(data, v, n, on) {
		return nil
	}
	if !d.Index.Build(data) {
		return rules.SyntaxErrorOf(data, on)
	}
	return d.UnmarshalIndexed(data, v, n, on)
}

// UnmarshalIndexed is Unmarshal for data that d has indexed.
func (d *Decoder) UnmarshalIndexed(data []byte, v reflect.Value, n *Node, on option.Flag) error {
	if d.Index.Dense() {
		switch {
		// Encoding/json does not check members, and cannot call methods with Hone's streams. The
		// text is indexed all the same.
		case on&option.CheckMembers != 0:
			data = d.indexDense(Cut(data, v, on))
		// Encoding/json has the rules of one release.
		case !rules.Standard(on), v.IsValid() && rules.HoldsStreams(v.Type()):
			if on&option.LimitLengths != 0 {
				data = Cut(data, v, on)
			}
			data = d.indexDense(data)
		default:
			return unmarshalSlow(data, v, on)
		}
	}
	return ended(d.start(data, v, n, on), v, len(data)-d.Space, on)
}

// unmarshalSlow decodes data, which is valid, by encoding/json.
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
	// A Decoder reads into memory of its own, so it does as CopyInput asks.
	return StandardDecoder(bytes.NewReader(data), on).Decode(v.Interface())
}

// StandardDecoder returns a decoder of encoding/json with the options that it has.
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
