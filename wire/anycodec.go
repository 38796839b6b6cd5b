package wire

import (
	"fmt"
	"reflect"

	"github.com/hone-go/hone/internal/mem"
)

// An AnyCodec is a [Codec] for a type that is known only when the program runs.
// It is safe for concurrent use.
type AnyCodec struct {
	program *program
	pointer reflect.Type
	limits  Limits
	alias   bool
}

// ForType returns the codec of t. The error is a [*TypeError] that names the
// part of t that cannot be encoded.
func ForType(t reflect.Type) (*AnyCodec, error) {
	o := Options{}
	p, err := o.program(t)
	if err != nil {
		return nil, err
	}
	return &AnyCodec{program: p, pointer: reflect.PointerTo(t)}, nil
}

// WithLimits returns a codec that decodes within l.
func (c *AnyCodec) WithLimits(l Limits) *AnyCodec {
	return &AnyCodec{c.program, c.pointer, l, c.alias}
}

// Append is [Append] for v, a pointer to a value of the codec's type.
func (c *AnyCodec) Append(dst []byte, v any) ([]byte, error) {
	a, err := c.address(v)
	if err != nil {
		return dst, &EncodeError{Type: reflect.TypeOf(v), Err: err}
	}
	return c.program.encode(dst, a.IsNil(), a)
}

// Unmarshal is [Unmarshal] into v, a pointer to a value of the codec's type,
// within the codec's limits.
func (c *AnyCodec) Unmarshal(data []byte, v any) error {
	a, err := c.address(v)
	if err != nil {
		return &DecodeError{Type: reflect.TypeOf(v), Err: err}
	}
	return c.program.decode(data, a.IsNil(), a, c.limits, c.alias)
}

// Schema returns the codec's schema.
func (c *AnyCodec) Schema() *Schema { return c.program.schema() }

func (c *AnyCodec) address(v any) (mem.Pointer, error) {
	if reflect.TypeOf(v) != c.pointer {
		return mem.Pointer{}, fmt.Errorf("this is the codec of %v", c.pointer.Elem())
	}
	return mem.OfPointer(reflect.ValueOf(v)), nil
}
