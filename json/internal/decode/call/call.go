package call

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

// A Call is how values are decoded by the options of V2. Make one with [New].
type Call struct {
	Set  option.Set
	mode *decode.Mode
	from *rules.Functions
}

// New returns the Call for a Set, with the functions that it holds.
func New(set option.Set, from *rules.Functions) Call {
	c := Call{Set: set, from: from, mode: &withoutOptions}
	if flags := rules.CompiledFlags(&set, rules.DecodeFlags); flags != 0 || from != nil {
		c.mode = modes.Of(rules.Key{Flags: flags, Types: from.Signature()}, newMode)
	}
	return c
}

var modes rules.Modes[decode.Mode]

// target returns where v points to, or the error for what is no pointer.
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

// Unmarshal decodes data, which is one value, into what v points to.
func (c *Call) Unmarshal(data []byte, v any) error { return c.UnmarshalFailed(data, nil, v) }

// UnmarshalFailed is Unmarshal for data behind which the reader failed, unless that error is
// nil.
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

// indexed is UnmarshalFailed over an index.
func (c *Call) indexed(d *decoder, data []byte, readErr error, p reflect.Value) error {
	d.Index.All = true
	d.readErr = readErr
	n, status := d.Index.BuildFirst(data, true)
	if status == syntax.Complete && readErr != nil && syntax.SkipSpace(data, n) == len(data) {
		if c := stream.KindOf(data[syntax.SkipSpace(data, 0)]); c == '0' && n == len(data) {
			return readErr // as the number may go on
		}
		// What comes behind the value is not known.
		err := d.start(c, data, p, n, status, nil)
		if err == nil {
			err = readErr
		}
		return err
	}
	err := d.start(c, data, p, n, status, nil)
	if err == io.EOF { // that of a method
		err = &stream.SyntacticError{ByteOffset: int64(len(data)), Err: io.ErrUnexpectedEOF}
	}
	return err
}

// legacyUnmarshal returns err as v1 returns it, if that is asked for.
func (c *Call) legacyUnmarshal(root any, err error) error {
	if err == nil || !c.Set.Has(option.ReportErrorsWithLegacySemantics) {
		return err
	}
	return rules.LegacyUnmarshal(reflect.TypeOf(root), err)
}

// ReadError returns the error of a stream as the call for v returns it.
func (c *Call) ReadError(v any, err error) error { return c.legacyUnmarshal(v, err) }

// NotArray returns the error for the token that a stream has just read, where an array of
// the type should be.
func NotArray(from *stream.Decoder, t reflect.Type, k stream.Kind) error {
	e := rules.NewSemantic(true)
	e.ByteOffset = from.InputOffset() - int64(len(from.LastText()))
	e.JSONKind, e.GoType = k, t
	return e
}

// onePass is Direct by the rules of V2.
func (d *decoder) onePass(c *Call, data []byte, v reflect.Value) bool {
	if c.from != nil || c.mode.Flags&^option.ByTags != 0 || c.Set.On&^directOptions != 0 {
		return false
	}
	n := c.mode.Node(v.Type().Elem())
	if !n.TriesOnePass(v) {
		return false
	}
	d.use(c, nil)
	d.text, d.broken = data, -1
	if d.OnePass(n, data, v) {
		return true
	}
	d.inText.Reset()
	return false
}

// directOptions are those of V2 that one pass knows, and those that say nothing to a decoder.
const directOptions = option.RejectUnknownMembers | option.LimitLengths | option.CheckMembers | option.ByTags |
	rules.EncodeFlags&^rules.DecodeFlags | option.Deterministic | option.FormatNilMapAsNull | option.FormatNilSliceAsNull

var errNotPointer = errors.New("value must be passed as a non-nil pointer reference")

// BeforeDecoding returns the error for a call that reads nothing from a stream.
func BeforeDecoding(from *stream.Decoder, v any, err error) error {
	e := rules.NewSemantic(true)
	e.ByteOffset, e.JSONPointer = from.NextOffset(), from.PointerTo(stream.Next)
	e.GoType, e.Err = reflect.TypeOf(v), err
	return e
}

var withoutOptions = decode.Mode{Rules: compiler{}}

func newMode(k rules.Key) *decode.Mode { return &decode.Mode{Key: k, Rules: compiler{}} }
