package decoding

import (
	"errors"
	"io"
	"reflect"

	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/decode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// A Call decodes values with a set of options of version 2. [New] creates it. A Call may be reused,
// but not by two goroutines at once.
type Call struct {
	Set  option.Set
	mode *decode.Mode     // the compiled decoders of types, for the options and the functions
	from *rules.Functions // the functions of the option WithUnmarshalers, or nil
}

// New returns the Call for the options in set and the given functions. It allocates only when the
// program uses this combination of options for the first time.
func New(set option.Set, functions *rules.Functions) Call {
	c := Call{Set: set, from: functions, mode: &withoutOptions}
	if flags := rules.CompiledFlags(&set, rules.DecodeFlags); flags != 0 || functions != nil {
		c.mode = modes.Of(rules.Key{Flags: flags, Types: functions.Signature()}, newMode)
	}
	return c
}

// modes caches one Mode for each set of options. A Mode caches the types that were compiled for it.
var modes rules.Modes[decode.Mode]

// target returns the reflect.Value of v, or an error if v is not a pointer, or is nil.
func (c *Call) target(v any) (reflect.Value, error) {
	p := reflect.ValueOf(v)
	if p.Kind() == reflect.Pointer && !p.IsNil() {
		return p, nil
	}
	if c.Set.Has(option.ReportErrorsWithLegacySemantics) {
		return p, &rules.InvalidUnmarshalError{Type: reflect.TypeOf(v)}
	}
	e := rules.NewSemantic(true)
	e.GoType, e.Err = reflect.TypeOf(v), errNotPointer
	return p, e
}

// Unmarshal decodes data, which must be one value, into the value that v points to.
func (c *Call) Unmarshal(data []byte, v any) error { return c.UnmarshalFailed(data, nil, v) }

// UnmarshalFailed is like Unmarshal, for data from a reader. readErr is the last error of the
// reader, or nil.
func (c *Call) UnmarshalFailed(data []byte, readErr error, v any) error {
	p, err := c.target(v)
	if err != nil {
		return err
	}
	d := take()
	defer d.release()
	if readErr == nil && d.onePass(c, data, p) {
		return nil
	}
	return c.legacyUnmarshal(v, c.indexed(d, data, readErr, p))
}

// indexed implements UnmarshalFailed with an index; see [decode.Decoder.UnmarshalIndexed].
func (c *Call) indexed(d *decoder, data []byte, readErr error, p reflect.Value) error {
	d.Index.All = true
	d.readErr = readErr
	n, status := d.Index.BuildFirst(data, true)
	if status == syntax.Complete && readErr != nil && syntax.SkipSpace(data, n) == len(data) {
		if c := stream.KindOf(data[syntax.SkipSpace(data, 0)]); c == '0' && n == len(data) {
			return readErr // data may be a prefix of a longer number
		}
		// readErr came after the value, so it is ignored.
		err := d.start(c, data, p, n, status, nil)
		if err == nil {
			err = readErr
		}
		return err
	}
	err := d.start(c, data, p, n, status, nil)
	if err == io.EOF { // a method returned io.EOF
		err = &stream.SyntacticError{ByteOffset: int64(len(data)), Err: io.ErrUnexpectedEOF}
	}
	return err
}

// legacyUnmarshal converts err to the error of version 1 if the options request this.
func (c *Call) legacyUnmarshal(root any, err error) error {
	if err == nil || !c.Set.Has(option.ReportErrorsWithLegacySemantics) {
		return err
	}
	return rules.LegacyUnmarshal(reflect.TypeOf(root), err)
}

// ReadError returns the error of a call whose reader failed with err. v is the target of the call.
func (c *Call) ReadError(v any, err error) error { return c.legacyUnmarshal(v, err) }

// NotArray returns the error for a token of kind k that the stream has just read where an array was
// expected.
func NotArray(from *stream.Decoder, t reflect.Type, k stream.Kind) error {
	e := rules.NewSemantic(true)
	e.ByteOffset = from.InputOffset() - int64(len(from.LastText()))
	e.JSONKind, e.GoType = k, t
	return e
}

// errNotPointer is the cause of target's error.
var errNotPointer = errors.New("value must be passed as a non-nil pointer reference")

// BeforeDecoding wraps err as the error of a call that failed before it read anything.
func BeforeDecoding(from *stream.Decoder, v any, err error) error {
	e := rules.NewSemantic(true)
	e.ByteOffset, e.JSONPointer = from.NextOffset(), from.PointerTo(stream.Next)
	e.GoType, e.Err = reflect.TypeOf(v), err
	return e
}

// withoutOptions is the mode for calls without options.
var withoutOptions = decode.Mode{Rules: compiler{}}

// newMode returns a mode of version 2.
func newMode(k rules.Key) *decode.Mode { return &decode.Mode{Key: k, Rules: compiler{}} }
