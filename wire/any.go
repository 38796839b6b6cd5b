package wire

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"

	"github.com/hone-go/hone/internal/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/wire/internal/program"
	"github.com/hone-go/hone/wire/schema"
)

// AppendAny is [Append] for a v whose type is known only when the program runs, as
// frameworks hand it over. If v is a pointer it encodes what that points to, else v
// itself, to the same bytes.
//
// With a pointer it allocates no more than Append. To make an interface of anything else
// is an allocation as a rule, in the caller; AppendAny adds one if the type encodes itself
// by methods, or has such types in it, as a method may change what it is called on.
//
// The errors are those of Append; a v that is nil is an [*EncodeError], as a nil pointer is.
func AppendAny(dst []byte, v any) ([]byte, error) {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer {
		return appendValue(dst, v, derivedOf, Limits{})
	}
	p, a := derived(t.Elem()), mem.OfPointer(reflect.ValueOf(v))
	return p.Append(dst, a.IsNil(), a, Limits{})
}

// UnmarshalAny is [Unmarshal] into what v, a pointer, points to. A v that is nil, a nil
// pointer or no pointer is a [*DecodeError].
func UnmarshalAny(data []byte, v any) error {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer {
		return noPointer(t)
	}
	p, a := derived(t.Elem()), mem.OfPointer(reflect.ValueOf(v))
	return p.Unmarshal(data, a.IsNil(), a, Limits{}, false)
}

// derivedOf is derived, for [appendValue].
func derivedOf(t reflect.Type) *program.Program { return derived(t) }

// appendValue encodes v, which is no pointer.
func appendValue(dst []byte, v any, programOf func(reflect.Type) *program.Program, l Limits) ([]byte, error) {
	t := reflect.TypeOf(v)
	if t == nil {
		return dst, &EncodeError{Err: program.ErrNilValue}
	}
	p := programOf(t)
	switch {
	case p.Methods:
		own := reflect.New(t)
		own.Elem().Set(reflect.ValueOf(v))
		return p.Append(dst, false, mem.OfPointer(own), l)
	case p.Direct:
		return appendWord(dst, p, v, l)
	}
	return p.Append(dst, false, mem.OfData(v), l)
}

// appendWord encodes v, whose word in an interface is itself.
func appendWord(dst []byte, p *program.Program, v any, l Limits) ([]byte, error) {
	dst, err := p.Append(dst, false, mem.OfWord(mem.NoEscape(&v)), l)
	runtime.KeepAlive(&v) // see mem.NoEscape
	return dst, err
}

func noPointer(t reflect.Type) error {
	if t == nil {
		return &DecodeError{Err: program.ErrNilValue}
	}
	return &DecodeError{Type: t, Err: errNoPointer}
}

// An AnyCodec is a [Codec] for a type that is known only when the program runs: one, from
// [ForType], or any, from [ForAny]. It is safe for concurrent use.
type AnyCodec struct {
	runner  program.Runner
	pointer reflect.Type // of the one type
	any     *anyCodec    // if it is for any
}

type anyCodec struct {
	options  Options
	programs *plan.Cache[program.Program]
}

// ForType is [For] for the type t.
func ForType(t reflect.Type, options ...Options) (*AnyCodec, error) {
	if t == nil {
		return nil, &TypeError{Reason: "there is no type"}
	}
	r, err := runnerOf(t, last(options))
	if err != nil {
		return nil, err
	}
	return &AnyCodec{runner: r, pointer: reflect.PointerTo(t)}, nil
}

// ForAny returns a codec for values of any type, which does with options what [AppendAny]
// and [UnmarshalAny] do without. A type is resolved when the codec first meets it, and
// what errors [For] has come then.
//
// With Canonical or Types the codec keeps programs of its own, one for each type; else it
// shares those of [Append].
func ForAny(options ...Options) *AnyCodec {
	o := last(options)
	c := &AnyCodec{any: &anyCodec{options: o, programs: &programs}}
	c.runner.Limits, c.runner.Alias = o.Limits, o.AliasInput
	if o.Canonical || o.Types != nil {
		c.any.programs = new(plan.Cache[program.Program])
		if o.Types != nil {
			c.any.options.Types = o.Types.clone()
		}
	}
	return c
}

// program returns the program of t, and makes it if there is none.
func (c *anyCodec) program(t reflect.Type) *program.Program {
	if p := c.programs.Get(t); p != nil {
		return p
	}
	return c.programs.Put(t, compile(t, program.Mode{Canonical: c.options.Canonical}, c.options.Types))
}

// WithLimits returns a codec that encodes and decodes within l.
func (c *AnyCodec) WithLimits(l Limits) *AnyCodec {
	other := *c
	other.runner.Limits = l
	return &other
}

// Append is [Append] for v, a pointer to a value of the codec's type. A codec for any
// type takes a pointer or a value, as [AppendAny] does.
func (c *AnyCodec) Append(dst []byte, v any) ([]byte, error) {
	if c.any != nil {
		t := reflect.TypeOf(v)
		if t == nil || t.Kind() != reflect.Pointer {
			return appendValue(dst, v, c.any.program, c.runner.Limits)
		}
		p, a := c.any.program(t.Elem()), mem.OfPointer(reflect.ValueOf(v))
		return p.Append(dst, a.IsNil(), a, c.runner.Limits)
	}
	a, err := c.address(v)
	if err != nil {
		return dst, &EncodeError{Type: reflect.TypeOf(v), Err: err}
	}
	return c.runner.Append(dst, a.IsNil(), a)
}

// Unmarshal is [Unmarshal] into v, a pointer to a value of the codec's type,
// within the codec's limits.
func (c *AnyCodec) Unmarshal(data []byte, v any) error {
	if c.any != nil {
		t := reflect.TypeOf(v)
		if t == nil || t.Kind() != reflect.Pointer {
			return noPointer(t)
		}
		p, a := c.any.program(t.Elem()), mem.OfPointer(reflect.ValueOf(v))
		return p.Unmarshal(data, a.IsNil(), a, c.runner.Limits, c.runner.Alias)
	}
	a, err := c.address(v)
	if err != nil {
		return &DecodeError{Type: reflect.TypeOf(v), Err: err}
	}
	return c.runner.Unmarshal(data, a.IsNil(), a)
}

// Schema returns the codec's schema; nil for one that is for any type, and for a zero
// AnyCodec.
func (c *AnyCodec) Schema() *schema.Schema { return describe(&c.runner) }

func (c *AnyCodec) address(v any) (mem.Pointer, error) {
	if c.pointer == nil {
		return mem.Pointer{}, program.ErrNoCodec
	}
	if reflect.TypeOf(v) != c.pointer {
		return mem.Pointer{}, fmt.Errorf("this is the codec of %v", c.pointer.Elem())
	}
	return mem.OfPointer(reflect.ValueOf(v)), nil
}

var errNoPointer = errors.New("not a pointer")

// pointee returns the codec of what v, a pointer, points to.
func pointee(v any, l Limits) (*AnyCodec, error) {
	t := reflect.TypeOf(v)
	if t == nil || t.Kind() != reflect.Pointer {
		return nil, errNoPointer
	}
	return ForType(t.Elem(), Options{Limits: l})
}
