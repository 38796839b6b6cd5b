package wire

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/internal/variadic"
	"github.com/hone-go/hone/wire/schema"
)

// A FingerprintCodec encodes each value after the 8 bytes of a fingerprint, and decodes only values with
// a fingerprint that it accepts. So a value of another type, or of a version whose fields have other
// places, is an error and not another value. [AnyCodec.WithFingerprint] returns a FingerprintCodec. It
// is safe for concurrent use.
//
// Without declared versions, the codec writes and accepts the fingerprint of the schema of the value's
// type. It depends on the names and the types of all fields, but not on the names of types.
type FingerprintCodec struct {
	codec    *AnyCodec
	encoder  *AnyCodec // encodes; the same as codec unless WithEncoder has set it
	plain    bool
	declared map[reflect.Type]fingerprints // by pointer type
	cache    plan.Cache[fingerprints]      // by the type of the values that are passed to the codec
}

// Fingerprints configure a [FingerprintCodec].
type Fingerprints struct {
	// Versions are other versions of types, whose values are accepted: see [Accept] and [WriteAs].
	Versions []Version

	// Plain makes the codec also accept values without a fingerprint: if a value does not begin with
	// an accepted fingerprint, all of it is decoded. It is for stored values from before the
	// fingerprints. While it is set, a value of an unknown version may be decoded into wrong values,
	// as without fingerprints.
	Plain bool
}

// A Version declares another version of a type for [Fingerprints]. [Accept] and [WriteAs] return it.
type Version struct {
	pointer reflect.Type // the type *T
	schema  *schema.Schema
	write   bool
}

// Accept declares that values with the fingerprint of s are decoded as T. s is the schema of another
// version of T, such as the output of "hone schema export" or [SchemaOf] of the old Go type. The schema
// of T must read it: see [schema.Schema.Reads].
func Accept[T any](s *schema.Schema) Version {
	return Version{pointer: reflect.TypeFor[*T](), schema: s}
}

// WriteAs is like [Accept], and also declares that values of T are written with the fingerprint of s, which
// must read the schema of T. So programs of the older version accept the values. It is for a rolling
// deployment that adds a field to an [Evolving] struct. Remove it when all programs have the new version.
func WriteAs[T any](s *schema.Schema) Version {
	return Version{pointer: reflect.TypeFor[*T](), schema: s, write: true}
}

// WithFingerprint returns a codec that writes the values of c after a fingerprint. The error is a
// [*TypeError] if a type of a declared version cannot be encoded, or an error about a declared version
// that cannot be read.
func (c *AnyCodec) WithFingerprint(options ...Fingerprints) (*FingerprintCodec, error) {
	o := variadic.Only(options)
	f := &FingerprintCodec{codec: c, encoder: c, plain: o.Plain, declared: map[reflect.Type]fingerprints{}}
	for _, v := range o.Versions {
		if err := f.declare(v); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// fingerprints are the fingerprints of the values of one type.
type fingerprints struct {
	typ    reflect.Type
	write  schema.Fingerprint
	accept []schema.Fingerprint // the type's own fingerprint first; empty if the type has no encoding
}

func (f *FingerprintCodec) declare(v Version) error {
	if v.pointer == nil || v.schema == nil {
		return errors.New("wire: a Version without a schema")
	}
	if err := v.schema.Check(); err != nil {
		return fmt.Errorf("wire: a version of %v: %w", v.pointer.Elem(), err)
	}
	own, err := f.codec.schemaFor(reflect.Zero(v.pointer).Interface())
	if err != nil {
		return err
	}
	d, ok := f.declared[v.pointer]
	if !ok {
		d = fingerprintsOf(v.pointer.Elem(), own)
	}
	if problems := own.Reads(v.schema); len(problems) > 0 {
		return fmt.Errorf("wire: %v cannot read the version %v: %v", d.typ, v.schema.Fingerprint(), problems[0])
	}
	if d.accept = append(d.accept, v.schema.Fingerprint()); v.write {
		if problems := v.schema.Reads(own); len(problems) > 0 {
			return fmt.Errorf("wire: the version %v cannot read %v: %v", v.schema.Fingerprint(), d.typ, problems[0])
		}
		d.write = v.schema.Fingerprint()
	}
	f.declared[v.pointer] = d
	return nil
}

func fingerprintsOf(t reflect.Type, s *schema.Schema) fingerprints {
	own := s.Fingerprint()
	return fingerprints{typ: t, write: own, accept: []schema.Fingerprint{own}}
}

// of returns the fingerprints for v, or an empty value if the type of v has no encoding.
func (f *FingerprintCodec) of(v any) *fingerprints {
	t := reflect.TypeOf(v)
	if t == nil {
		return &fingerprints{}
	}
	if known := f.cache.Get(t); known != nil {
		return known
	}
	pointer := t
	if t.Kind() != reflect.Pointer {
		pointer = reflect.PointerTo(t)
	}
	d, ok := f.declared[pointer]
	if !ok {
		if s, err := f.codec.schemaFor(v); err == nil {
			d = fingerprintsOf(pointer.Elem(), s)
		}
	}
	return f.cache.Put(t, &d)
}

// schemaFor returns the schema by which c encodes v, or the error of c for the type of v.
func (c *AnyCodec) schemaFor(v any) (*schema.Schema, error) {
	r := c.runner
	if c.any != nil {
		r.Program = c.any.programFor(v).Program
	} else if _, err := c.address(v); err != nil {
		return nil, &EncodeError{Type: reflect.TypeOf(v), Err: err}
	}
	if r.Program.Err != nil {
		return nil, r.Program.Err
	}
	return describe(&r), nil
}

// WithEncoder returns a codec that is like f, but encodes values with c, after the same fingerprints. c
// must write values that the codec of f reads, such as the canonical form of the same types.
func (f *FingerprintCodec) WithEncoder(c *AnyCodec) *FingerprintCodec {
	return &FingerprintCodec{codec: f.codec, encoder: c, plain: f.plain, declared: f.declared}
}

// AcceptsPlain reports whether the codec accepts values without a fingerprint: see [Fingerprints.Plain].
func (f *FingerprintCodec) AcceptsPlain() bool { return f.plain }

// Append appends a fingerprint and the encoding of v to dst. It allocates no more than
// [AnyCodec.Append], and returns the same errors.
func (f *FingerprintCodec) Append(dst []byte, v any) ([]byte, error) {
	of := f.of(v)
	if len(of.accept) == 0 {
		return f.encoder.Append(dst, v)
	}
	// An empty dst without room is not used: Append then copies the fingerprint with the encoding into
	// new memory, and does not write into of.write, which has no room either.
	prefixed, borrowed := of.write[:], true
	if len(dst) > 0 || cap(dst) >= len(prefixed) {
		prefixed, borrowed = append(dst, prefixed...), false
	}
	out, err := f.encoder.Append(prefixed, v)
	if err != nil {
		return dst, err
	}
	if borrowed && len(out) == len(prefixed) {
		return slices.Clone(out), nil // the encoding has no bytes
	}
	return out, nil
}

// Unmarshal decodes data, a fingerprint and an encoding, into the target of v. If the fingerprint is not
// accepted, the error is a [*FingerprintError], and the target is unchanged unless Plain is set. The
// other errors are the same as for [AnyCodec.Unmarshal].
func (f *FingerprintCodec) Unmarshal(data []byte, v any) error {
	of := f.of(v)
	if len(of.accept) == 0 {
		return f.codec.Unmarshal(data, v)
	}
	size := len(of.write)
	if len(data) >= size && slices.Contains(of.accept, schema.Fingerprint(data[:size])) {
		err := f.codec.Unmarshal(data[size:], v)
		if at, ok := err.(*DecodeError); ok {
			at.Offset += int64(size)
		}
		return err
	}
	var plain error
	if f.plain {
		if plain = f.codec.Unmarshal(data, v); plain == nil {
			return nil
		}
	}
	if len(data) < size {
		short := fmt.Errorf("the input ends within the fingerprint: %w", io.ErrUnexpectedEOF)
		if plain != nil {
			short = fmt.Errorf("%w; as a value without a fingerprint: %w", short, plain)
		}
		return &DecodeError{Offset: int64(len(data)), Type: of.typ, Err: short}
	}
	return &FingerprintError{Got: schema.Fingerprint(data[:size]), Want: of.accept[0], Type: of.typ, Plain: plain}
}
