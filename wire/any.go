package wire

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/wire/internal/fault"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/schema"
)

// AppendAny is like [Append], for a value whose type is known only at run time. It is for
// frameworks. If v is a pointer, AppendAny encodes the target of v; otherwise it encodes v itself.
// The bytes are the same in both cases.
//
// For a pointer AppendAny allocates no more than Append. For any other value the caller's
// conversion to an interface usually allocates. AppendAny then also copies the value if its
// type, or a type inside it, has methods that encode it, since such a method may change its
// receiver.
//
// The errors are the same as for Append. A nil v is an [*EncodeError], like a nil pointer.
func AppendAny(dst []byte, v any) ([]byte, error) {
	return anyDefault.append(dst, v, Limits{})
}

// UnmarshalAny is like [Unmarshal], and decodes into the target of v, which must be a pointer that
// is not nil. Otherwise the error is a [*DecodeError].
func UnmarshalAny(data []byte, v any) error {
	p := anyDefault.programFor(v)
	if p == nil || !p.pointer {
		return p.noPointer()
	}
	a := mem.OfAny(v)
	return p.Unmarshal(data, a.IsNil(), a, Limits{}, false)
}

// An anyPrograms caches the compiled program of each dynamic type of an interface. The entry of a
// pointer type is the program of its target type, so one look-up is enough.
type anyPrograms struct {
	cache   plan.Cache[anyProgram]
	derived bool // set if the programs are the same ones that Append uses
	mode    program.Mode
	types   *Types // a copy of Options.Types, which later registrations do not change
}

// An anyProgram is the program for interfaces with one dynamic type.
type anyProgram struct {
	*program.Program      // program of the target, if pointer is set
	pointer          bool // the dynamic type is a pointer
}

var anyDefault = anyPrograms{derived: true}

// programFor returns the program for the dynamic type of v, or nil for a nil interface.
func (c *anyPrograms) programFor(v any) *anyProgram {
	t := reflect.TypeOf(v)
	if t == nil {
		return nil
	}
	if p := c.cache.Get(t); p != nil {
		return p
	}
	p := &anyProgram{pointer: t.Kind() == reflect.Pointer}
	of := t
	if p.pointer {
		of = t.Elem()
	}
	if c.derived {
		p.Program = derived(of)
	} else {
		p.Program = compile(of, c.mode, c.types)
	}
	return c.cache.Put(t, p)
}

// append encodes v, or the target of v if v is a pointer. It copies a value that a method of its
// type may change.
func (c *anyPrograms) append(dst []byte, v any, l Limits) ([]byte, error) {
	p := c.programFor(v)
	switch {
	case p == nil:
		return dst, &EncodeError{Err: fault.ErrNilValue}
	case p.pointer:
		a := mem.OfAny(v)
		return p.Append(dst, a.IsNil(), a, l)
	case p.Methods:
		own := reflect.New(p.Type)
		own.Elem().Set(reflect.ValueOf(v))
		return p.Append(dst, false, mem.OfPointer(own), l)
	case p.Direct:
		return p.appendWord(dst, v, l)
	}
	return p.Append(dst, false, mem.OfData(v), l)
}

// appendWord encodes v, whose value is stored in the data word of the interface.
func (p *anyProgram) appendWord(dst []byte, v any, l Limits) ([]byte, error) {
	dst, err := p.Append(dst, false, mem.OfWord(mem.NoEscape(&v)), l)
	runtime.KeepAlive(&v) // see mem.NoEscape
	return dst, err
}

// noPointer returns the error for a value that is not a pointer. p is the value's program, or nil if
// the value is nil.
func (p *anyProgram) noPointer() error {
	if p == nil {
		return &DecodeError{Err: fault.ErrNilValue}
	}
	return &DecodeError{Type: p.Type, Err: errNoPointer}
}

// An AnyCodec is a [Codec] for types that are known only at run time. [ForType] returns an AnyCodec
// for a single type, and [ForAny] returns an AnyCodec for all types. An AnyCodec is safe for
// concurrent use.
type AnyCodec struct {
	runner  program.Runner
	pointer reflect.Type // the type *T; nil for a codec for any type
	any     *anyPrograms // nil for a codec for one type
}

// ForType is like [For], for the type t.
func ForType(t reflect.Type, options ...Options) (*AnyCodec, error) {
	if t == nil {
		return nil, &TypeError{Reason: "the type is nil"}
	}
	r, err := runnerOf(t, variadic.Only(options))
	if err != nil {
		return nil, err
	}
	return &AnyCodec{runner: r, pointer: reflect.PointerTo(t)}, nil
}

// ForAny returns a codec for values of any type: [AppendAny] and [UnmarshalAny] with options.
// The codec compiles a type at its first use, and that call returns the errors of [For].
//
// With Canonical or Types the codec compiles its own program for each type. Otherwise it shares
// the programs of [Append].
func ForAny(options ...Options) *AnyCodec {
	o := variadic.Only(options)
	c := &AnyCodec{runner: program.Runner{Limits: o.Limits, Alias: o.AliasInput}, any: &anyDefault}
	if o.Canonical || o.Types != nil {
		c.any = &anyPrograms{mode: program.Mode{Canonical: o.Canonical}}
		if o.Types != nil {
			c.any.types = o.Types.clone()
		}
	}
	return c
}

// WithLimits returns a codec that encodes and decodes within l.
func (c *AnyCodec) WithLimits(l Limits) *AnyCodec {
	other := *c
	other.runner.Limits = l
	return &other
}

// Append is like the function [Append]. v must be a pointer to a value of the codec's type. A codec
// for any type accepts a pointer or a value, as [AppendAny] does.
func (c *AnyCodec) Append(dst []byte, v any) ([]byte, error) {
	if c.any != nil {
		return c.any.append(dst, v, c.runner.Limits)
	}
	a, err := c.address(v)
	if err != nil {
		return dst, &EncodeError{Type: reflect.TypeOf(v), Err: err}
	}
	return c.runner.Append(dst, a.IsNil(), a)
}

// Unmarshal is like the function [Unmarshal], within the codec's limits. It decodes into the target
// of v, a pointer to a value of the codec's type.
func (c *AnyCodec) Unmarshal(data []byte, v any) error {
	if c.any != nil {
		p := c.any.programFor(v)
		if p == nil || !p.pointer {
			return p.noPointer()
		}
		a := mem.OfAny(v)
		return p.Unmarshal(data, a.IsNil(), a, c.runner.Limits, c.runner.Alias)
	}
	a, err := c.address(v)
	if err != nil {
		return &DecodeError{Type: reflect.TypeOf(v), Err: err}
	}
	return c.runner.Unmarshal(data, a.IsNil(), a)
}

// Schema returns the codec's schema. It is nil for an AnyCodec of all types, and for a zero
// AnyCodec.
func (c *AnyCodec) Schema() *schema.Schema { return describe(&c.runner) }

// address returns v as an address. v must be a pointer to a value of the codec's type.
func (c *AnyCodec) address(v any) (mem.Pointer, error) {
	if c.pointer == nil {
		return mem.Pointer{}, fault.ErrNoCodec
	}
	if reflect.TypeOf(v) != c.pointer {
		return mem.Pointer{}, fmt.Errorf("v is not a *%v, although the codec is for that type; pass the address of such a value, or use ForAny", c.pointer.Elem())
	}
	return mem.OfPointer(reflect.ValueOf(v)), nil
}

var errNoPointer = errors.New("v is not a pointer; pass the address of a value")

// pointee returns the codec for the target of v, which must be a pointer.
func pointee(v any, l Limits) (*AnyCodec, error) {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer {
		return nil, errNoPointer
	}
	return ForType(t.Elem(), Options{Limits: l})
}
