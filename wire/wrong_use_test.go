package wire_test

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/hone-go/hone/wire"
)

// Types with a mistake each.
type (
	wronglyUsed      struct{ A string }
	channels         struct{ X chan int }
	private          struct{ a int }
	anything         struct{ V any }
	marksByEmbedding struct {
		wire.Evolving
		A int
	}
	removesNothing struct {
		_ wire.Removed[struct{}]
		A int
	}
	evolvingKeys struct{ M map[evolvingKey]int }
	evolvingKey  struct {
		_ wire.Evolving
		A int
	}
	fixedText struct {
		A string `wire:",fixed"`
	}
	unknownOption struct {
		A int `wire:",fixd"`
	}
	wideVarint struct {
		A int16 `wire:",varint"`
	}
	plainUnknown struct {
		A int
		wire.Unknown
	}
	functions   struct{ F func() }
	rawChannels struct{ M map[string]wire.Raw[chan int] }
	endless     struct{ Next *endless }
)

// failed returns the error of a call.
func failed(_ any, err error) error { return err }

// TestWrongUse makes every mistake that a caller of the package can make, and compares the error
// messages. Each must say what is wrong and what to do. Nothing may panic.
func TestWrongUse(t *testing.T) {
	var zero wire.Codec[int]
	types, channelTypes := new(wire.Types), new(wire.Types)
	for _, err := range []error{wire.RegisterType[string](types, 1), wire.RegisterType[chan int](channelTypes, 9)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	c := wire.Must(wire.For[anything](wire.Options{Types: types}))
	if err := wire.RegisterType[int](types, 7); err != nil { // too late: c has been made
		t.Fatal(err)
	}
	_ = private{a: 1}
	loop := new(endless)
	loop.Next = loop
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"a channel", failed(wire.For[channels]()), "wire: cannot encode channels: .X chan int: a chan has no meaning outside this process; the tag `wire:\"-\"` leaves the field out"},
		{"no exported field", failed(wire.For[private]()), `wire: cannot encode private: no field is exported, and the type has no marshal methods`},
		{"an interface without Types", failed(wire.For[anything]()), "wire: cannot encode anything: .V interface {}: an interface does not say which type to decode; register the types that it may hold with RegisterType, in the Options.Types of For; the tag `wire:\"-\"` leaves the field out"},
		{"an embedded Evolving", failed(wire.For[marksByEmbedding]()), "wire: cannot encode marksByEmbedding: .Evolving marksByEmbedding: wire.Evolving marks a struct only as a blank field, `_ wire.Evolving`"},
		{"a removed field without bytes", failed(wire.For[removesNothing]()), `wire: cannot encode removesNothing: ._ struct {}: cannot be removed: its zero value has no bytes, so delete the field`},
		{"an evolving struct as a key", failed(wire.For[evolvingKeys]()), `wire: cannot encode evolvingKeys: .M[key] evolvingKey: an evolving struct cannot be a map key or a part of one`},
		{"a fixed string", failed(wire.For[fixedText]()), `wire: cannot encode fixedText: .A string: the tag option fixed applies only to integers of 16 bits or more, and to slices, arrays, pointers and options of such integers`},
		{"an unknown tag option", failed(wire.For[unknownOption]()), `wire: cannot encode unknownOption: .A unknownOption: the tag has an unknown option "fixd"; the options are fixed, varint and was`},
		{"a varint of 16 bits", failed(wire.For[wideVarint]()), `wire: cannot encode wideVarint: .A int16: the tag option varint applies only to 8-bit integers, to slices of int8, and to arrays, pointers and options of these`},
		{"an Unknown in a plain struct", failed(wire.For[plainUnknown]()), `wire: cannot encode plainUnknown: .Unknown wire.Unknown: a wire.Unknown must be a field of an evolving struct`},
		{"a function", failed(wire.For[functions]()), "wire: cannot encode functions: .F func(): a func has no meaning outside this process; the tag `wire:\"-\"` leaves the field out"},
		{"a Raw of a channel", failed(wire.For[rawChannels]()), "wire: cannot encode rawChannels: .M[].Raw chan int: a chan has no meaning outside this process; the tag `wire:\"-\"` leaves the field out"},
		{"a uintptr", failed(wire.For[uintptr]()), `wire: cannot encode uintptr: a uintptr has no meaning outside this process`},
		{"Append of nil", failed(wire.Append(nil, (*wronglyUsed)(nil))), `wire: encode (wronglyUsed): v is nil; pass the address of a value`},
		{"Marshal of nil", failed(wire.Marshal((*wronglyUsed)(nil))), `wire: encode (wronglyUsed): v is nil; pass the address of a value`},
		{"Size of nil", failed(wire.Size((*wronglyUsed)(nil))), `wire: encode (wronglyUsed): v is nil; pass the address of a value`},
		{"Unmarshal into nil", wire.Unmarshal(nil, (*wronglyUsed)(nil)), `wire: decode (wronglyUsed) at byte 0: v is nil; pass the address of a value`},
		{"AppendAny of nothing", failed(wire.AppendAny(nil, nil)), `wire: encode: v is nil; pass the address of a value`},
		{"UnmarshalAny into a value", wire.UnmarshalAny(nil, wronglyUsed{}), `wire: decode (wronglyUsed) at byte 0: v is not a pointer; pass the address of a value`},
		{"UnmarshalAny into nothing", wire.UnmarshalAny(nil, nil), `wire: decode at byte 0: v is nil; pass the address of a value`},
		{"ForType of nil", failed(wire.ForType(nil)), `wire: cannot encode <nil>: the type is nil`},
		{"ForType of a channel", failed(wire.ForType(reflect.TypeFor[chan int]())), `wire: cannot encode chan int: a chan has no meaning outside this process`},
		{"Append by a zero codec", failed(zero.Append(nil, new(int))), `wire: encode: the codec is nil or a zero value; create it with For or layout.New`},
		{"Unmarshal by a zero codec", zero.Unmarshal(nil, new(int)), `wire: decode at byte 0: the codec is nil or a zero value; create it with For or layout.New`},
		{"Append by a nil codec", failed((*wire.Codec[int])(nil).Append(nil, new(int))), `wire: encode: the codec is nil or a zero value; create it with For or layout.New`},
		{"DecodeWith a nil codec", wire.DecodeWith(wire.NewDecoder(bytes.NewReader([]byte("\x01\x02")), 0), nil, new(int)), `wire: skipped a record of 1 bytes at byte 0: decode at byte 1: the codec is nil or a zero value; create it with For or layout.New`},
		{"EncodeWith a nil codec", wire.EncodeWith(wire.NewEncoder(io.Discard), nil, new(int)), `wire: encode: the codec is nil or a zero value; create it with For or layout.New`},
		{"Encode of a value", wire.NewEncoder(io.Discard).Encode(5), `wire: encode (int): v is not a pointer; pass the address of a value`},
		{"Encode of a nil pointer", wire.NewEncoder(io.Discard).Encode((*int)(nil)), `wire: encode (int): v is nil; pass the address of a value`},
		{"Decode into a value", wire.NewDecoder(bytes.NewReader([]byte("\x01\x02")), 0).Decode(5), `wire: decode (int) at byte 0: v is not a pointer; pass the address of a value`},
		{"Decode into a nil pointer", wire.NewDecoder(bytes.NewReader([]byte("\x01\x02")), 0).Decode((*int)(nil)), `wire: skipped a record of 1 bytes at byte 0: decode (int) at byte 1: v is nil; pass the address of a value`},
		{"bytes after the value", wire.Unmarshal([]byte("\x02\x03"), new(int)), `wire: decode (int) at byte 1: bytes after the end of the value`},
		{"the id 0", wire.RegisterType[string](types, 0), `wire: register string: the id 0 represents nil; use 1 or more`},
		{"an interface as a registered type", wire.RegisterType[any](types, 1), `wire: register interface {}: it is an interface type; register the concrete types of the values in it`},
		{"a registered channel", failed(wire.For[anything](wire.Options{Types: channelTypes})), "wire: cannot encode anything: .V.(chan int) chan int: a chan has no meaning outside this process; the tag `wire:\"-\"` leaves the field out"},
		{"an id that is taken", wire.RegisterType[int](types, 1), `wire: register int under the id 1: registered already: string has the id 1; an id is for one type, and a type has one id`},
		{"a type that is registered", wire.RegisterType[string](types, 2), `wire: register string under the id 2: registered already: string has the id 1; an id is for one type, and a type has one id`},
		{"RegisterType in nil", wire.RegisterType[string](nil, 2), `wire: register string: the Types is nil; use new(wire.Types)`},
		{"a late registration, encoded", failed(c.Append(nil, &anything{5})), `wire: encode .V (int): not registered: call RegisterType[int] with the codec's Types before For makes the codec; later registrations have no effect on it`},
		{"a late registration, decoded", c.Unmarshal([]byte("\x07\x02"), new(anything)), `wire: decode .V (interface {}) at byte 0: not registered: the id 7; register the types of the writer in the codec's Types before For makes the codec`},
		{"empty Types", failed(wire.For[anything](wire.Options{Types: new(wire.Types)})), "wire: cannot encode anything: .V interface {}: an interface does not say which type to decode; register the types that it may hold with RegisterType, in the Options.Types of For; the tag `wire:\"-\"` leaves the field out"},
		{"a Raw that is cut short", wire.Raw[int]("\x81").Decode(new(int)), `wire: decode (int) at byte 1: unexpected EOF`},
		{"Raw.Decode into nil", wire.Raw[int]("\x02").Decode(nil), `wire: decode (int) at byte 0: v is nil; pass the address of a value`},
		{"another fingerprint", wire.NewDecoder(bytes.NewReader(make([]byte, 8)), 0).Fingerprint(wire.Must(wire.SchemaOf[wronglyUsed]()).Fingerprint()), `wire: the stream begins with the fingerprint 0000000000000000, and this program's schema has 1491681a3b08b8aa: another version of the type has written the stream (hone schema check compares versions), or the stream does not begin with a fingerprint`},
		{"more memory than the limit", failed(wire.Must(wire.For[[]string](wire.Options{Limits: wire.Limits{Bytes: 10}})).Append(nil, &[]string{"a", "b"})), `wire: encode ([]string): value takes more memory than the limit allows; set Limits.Bytes for encoding and for decoding`},
		{"a serializer of a channel", failed(wire.MakeSerializer[chan int]()), `wire: cannot encode chan int: a chan has no meaning outside this process`},
		{"a value that contains itself", failed(wire.Marshal(loop)), "nested deeper than Limits.Depth allows, or cyclic"},
	} {
		if test.err == nil {
			t.Errorf("%s is accepted", test.name)
			continue
		}
		got := strings.ReplaceAll(test.err.Error(), "wire_test.", "")
		if got != test.want && !(test.name == "a value that contains itself" && strings.HasSuffix(got, test.want)) {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}
