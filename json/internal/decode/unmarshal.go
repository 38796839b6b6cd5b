package decode

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"

	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// Unmarshal decodes data, which is one value, into the value that v points to, by the rules of v1.
// N is the node of the value, or nil. It chooses between three ways.
//
// One pass checks the text while it stores values. It is for targets that are zero, and gives
// up on anything unusual.
//
// Usually an index of the text is built first, and the value is decoded by means of the index. This
// way implements all rules and all errors.
//
// A text whose index would be many times its length is decoded by encoding/json, which takes more
// time but needs no index.
func (d *Decoder) Unmarshal(data []byte, v reflect.Value, n *Node, on option.Flag) error {
	// The choice is made here and in UnmarshalIndexed alone.
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
		// encoding/json does not check members, and cannot call methods with Hone's streams. Such a
		// decode needs the index in spite of its size.
		case on&option.CheckMembers != 0:
			data = d.indexDense(Cut(data, v, on))
		// The linked encoding/json has the rules of another release.
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
	// A json.Decoder reads into its own memory, which has the effect of CopyInput.
	return StandardDecoder(bytes.NewReader(data), on).Decode(v.Interface())
}

// StandardDecoder returns a decoder of encoding/json with those options that it supports.
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
