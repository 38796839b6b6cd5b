package v1

import (
	"bytes"
	"encoding/json"
	"reflect"
	"sync"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
)

// A Decoding holds the decoders that are compiled by the rules of one release.
type Decoding struct {
	Release Release
	// Plain holds the decoders for calls without options. Limited holds the decoders for calls with
	// options that apply tags other than json.
	Plain, Limited decode.Mode
}

// mode returns the compiled decoders for the given options.
func (r *Decoding) mode(on option.Flag) *decode.Mode {
	if on&option.ByTags != 0 {
		return &r.Limited
	}
	return &r.Plain
}

// NodeOf returns the node for the target of the pointer type t, with the given options.
func (r *Decoding) NodeOf(t reflect.Type, on option.Flag) *decode.Node { return r.mode(on).NodeOf(t) }

// Cut returns a copy of data without the elements that option.LimitLengths drops; see
// [decode.Mode.Cut].
func (r *Decoding) Cut(data []byte, v reflect.Value) []byte { return r.Limited.Cut(data, v) }

// A Decoder holds the state of one decode by the rules of version 1.
type Decoder struct {
	decode.Decoder
	// rules are the rules of the call.
	rules *Decoding
	// Space is the number of bytes of white space before the value, in a stream.
	Space int
	// top is the type of the pointer that the caller gave.
	top reflect.Type
	// root is the type of the root value, which errors of text methods may contain.
	root reflect.Type
	// track is the position of the last stream of a method that needed one, or nil.
	track *rules.Track
}

// Of returns the Decoder that embeds d.
func Of(d *decode.Decoder) *Decoder { return d.Owner.(*Decoder) }

// Top returns the type of the pointer that the caller gave.
func (d *Decoder) Top() reflect.Type { return d.top }

// decoders is the pool of Decoders.
var decoders = sync.Pool{New: func() any {
	d := new(Decoder)
	d.Owner, d.Faults = d, d
	return d
}}

// Take returns a Decoder for one value.
func (r *Decoding) Take() *Decoder {
	d := decoders.Get().(*Decoder)
	d.rules = r
	return d
}

// Put makes the Decoder ready for the next call, and returns it to its pool.
func (d *Decoder) Put() {
	d.rules, d.Space, d.top, d.root, d.track = nil, 0, nil, nil, nil
	d.Reset()
	decoders.Put(d)
}

// Unmarshal decodes data, which must be one value, into the value that v points to. If n is nil, it
// looks up the node for v's type. It decodes in one of three ways.
//
// First, one pass (see decode/one_pass.go), which checks the syntax while it stores values. It requires
// a zero target, and gives up on errors and rare cases.
//
// Second, with an index of the text. This implements all rules and all errors.
//
// Third, with encoding/json, which is slower but needs no index. It decodes a text whose index
// would be many times as large as the text.
func (d *Decoder) Unmarshal(data []byte, v reflect.Value, n *decode.Node, on option.Flag) error {
	// Only a root value may be decoded in one pass. Nested values are decoded in the same way as
	// the root.
	if d.Direct(data, v, n, on) {
		return nil
	}
	if !d.Index.Build(data) {
		return d.rules.Release.Invalid(data, v)
	}
	return d.UnmarshalIndexed(data, v, n, on)
}

// Direct decodes data into the value that v points to in one pass, and reports whether it
// succeeded; see [decode.Decoder.OnePass]. If not, the value is unchanged, and the next decodes of its
// type skip the pass. If n is nil, Direct looks up the node for v's type.
func (d *Decoder) Direct(data []byte, v reflect.Value, n *decode.Node, on option.Flag) bool {
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return false
	}
	if n == nil {
		n = d.rules.NodeOf(v.Type(), on)
	}
	if !n.TriesOnePass(v) {
		return false
	}
	d.On, d.top, d.root = on, v.Type(), v.Type()
	return d.OnePass(n, data, v)
}

// UnmarshalIndexed implements Unmarshal for data that d has already indexed.
func (d *Decoder) UnmarshalIndexed(data []byte, v reflect.Value, n *decode.Node, on option.Flag) error {
	if d.Index.Dense() {
		if d.canUseStandard(v, on) {
			return d.unmarshalSlow(data, v, on)
		}
		if on&option.ByTags != 0 {
			data = d.rules.Cut(data, v)
		}
		// The index takes about eleven bytes for each byte of data.
		d.Index.All = true
		d.Index.Build(data)
		d.Index.All = false
	}
	return d.rules.Release.Final(d.start(data, v, n, on), v, len(data)-d.Space)
}

// canUseStandard reports whether encoding/json can decode into the value that v points to. It does not
// check members, has only the rules of the linked release, and cannot call methods that take Hone's
// streams.
func (d *Decoder) canUseStandard(v reflect.Value, on option.Flag) bool {
	return on&option.CheckMembers == 0 && d.rules.Release.IsLinked() && !(v.IsValid() && rules.NeedsHone(v.Type()))
}

// unmarshalSlow decodes data, which must be valid, with encoding/json.
func (d *Decoder) unmarshalSlow(data []byte, v reflect.Value, on option.Flag) error {
	if !v.IsValid() {
		return &rules.InvalidUnmarshalError{}
	}
	if on&option.LimitLengths != 0 {
		data = d.rules.Cut(data, v)
	}
	if on&(option.RawNumbers|option.RejectUnknownMembers|option.CopyInput) == 0 {
		return json.Unmarshal(data, v.Interface())
	}
	// A json.Decoder reads data into its own memory, so CopyInput needs no other copy.
	return StandardDecoder(bytes.NewReader(data), on).Decode(v.Interface())
}

// start decodes data, which d has indexed, into the value that v points to. If n is nil, it looks
// up the node for v's type.
func (d *Decoder) start(data []byte, v reflect.Value, n *decode.Node, on option.Flag) error {
	if err := TargetError(v); err != nil {
		return err
	}
	if n == nil {
		n = d.rules.NodeOf(v.Type(), on)
	}
	d.Data, d.Words, d.On, d.top, d.root = data, d.Index.Words(), on, v.Type(), v.Type()
	if _, err := d.Value(n, 0, mem.OfPointer(v), 0); err != nil {
		return d.rules.Release.InContext(d, err)
	}
	// A type error takes precedence over members that violate their tags.
	if d.Saved == nil && d.Members != nil {
		return d.MembersError(0)
	}
	return d.rules.Release.WithPath(d, d.Saved)
}

// TargetError returns an error if v is not a pointer or is a nil pointer.
func TargetError(v reflect.Value) error {
	switch {
	case !v.IsValid():
		return &rules.InvalidUnmarshalError{}
	case v.Kind() != reflect.Pointer || v.IsNil():
		return &rules.InvalidUnmarshalError{Type: v.Type()}
	}
	return nil
}

// SetDefault implements [decode.Faults]. d is in the middle of the input, so a second Decoder decodes
// the default.
func (d *Decoder) SetDefault(value []byte, t reflect.Type, a mem.Pointer, off uintptr) {
	inner := d.rules.Take()
	defer inner.Put()
	if inner.Index.Build(value) {
		_ = inner.start(value, reflect.ValueOf(a.Addr(off, t)), nil, option.V1)
	}
}
