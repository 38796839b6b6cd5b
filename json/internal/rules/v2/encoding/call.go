package encoding

import (
	"reflect"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/json/internal/encode"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/rules"
	"github.com/hone-go/hone/json/internal/stream"
)

// A Call encodes values with a set of options of version 2. [New] creates it. A Call may be reused,
// but not by two goroutines at once.
type Call struct {
	Set option.Set
	// If KeepPart is set and a call fails, Part is set to the incomplete output.
	KeepPart bool
	Part     []byte

	mode *encode.Mode
	to   *rules.Functions
}

// New returns the Call for the options in set and the given functions. It allocates only when the
// program uses this combination of options for the first time.
func New(set option.Set, functions *rules.Functions) Call {
	c := Call{Set: set, to: functions, mode: &withoutOptions}
	if flags := rules.CompiledFlags(&set, rules.EncodeFlags); flags != 0 || functions != nil {
		c.mode = modes.Of(rules.Key{Flags: flags, Types: functions.Signature()}, newMode)
	}
	return c
}

// modes caches one Mode for each set of options. A Mode caches the types that were compiled for it.
var modes rules.Modes[encode.Mode]

// Append appends the encoding of v to dst, without white space. On error it returns dst.
func (c *Call) Append(dst []byte, v any) ([]byte, error) {
	e := c.encoder(len(dst))
	out, err := e.top(dst, v, false)
	out, err = e.bounded(out, len(dst), err)
	if err != nil {
		err, out = c.failed(e, out[len(dst):], err), dst
	}
	e.release()
	return out, err
}

// top appends the root value v. If name is set, v is the name of a member.
func (e *encoder) top(dst []byte, v any, name bool) ([]byte, error) {
	if v == nil {
		return append(dst, "null"...), nil
	}
	t := reflect.TypeOf(v)
	if t.Kind() != reflect.Pointer {
		if name {
			held := reflect.New(t)
			held.Elem().Set(reflect.ValueOf(v))
			return e.Mode.ProgramOf(t, false).Run(&e.Encoder, dst, mem.OfPointer(held))
		}
		if e.Mode.Types == nil {
			return e.Any(dst, v)
		}
		return e.AnyByProgram(dst, v)
	}
	p := mem.OfPointer(reflect.ValueOf(v))
	if p.IsNil() {
		return append(dst, "null"...), nil
	}
	return e.Mode.ProgramOf(t, name).Run(&e.Encoder, dst, p)
}

// MarshalEncode writes v to a stream, as its next value or name.
//
// If the stream adds no white space, the value is appended to the stream's buffer. Otherwise, and
// for a name, the value is encoded into a separate buffer first, because the stream must check and
// format it.
func (c *Call) MarshalEncode(dst *stream.Encoder, v any) error {
	if dst.Calls > stream.MaxDepth {
		return dst.TooDeep() // a value contains itself, and its method calls MarshalEncode again
	}
	name := dst.WantsName()
	if c.Set.Spaced() || name {
		// The stream checks the encoded value and then copies it to its output.
		e := c.encoder(0)
		e.outer = dst
		e.separator = len(dst.Start('"')) - len(dst.Buffer())
		e.base = dst.OutputOffset() + int64(e.separator)
		text, err := e.top(nil, v, name)
		text, err = e.bounded(text, 0, err)
		defer e.release()
		if err == nil && !name {
			start := dst.Start('"')
			return dst.Count(dst.AppendValid(start, text))
		}
		if f, ok := err.(*encode.Fault); ok && f.Err == errNotName {
			err = nil
			text = nil
		}
		if err != nil {
			return c.failed(e, text, err)
		}
		start := dst.Start('"')
		err = dst.CountName(append(start, text...), len(start))
		if err != nil && e.Has(option.ReportErrorsWithLegacySemantics) {
			return e.legacy(err)
		}
		return err
	}
	buf := dst.Start('"')
	e := c.encoder(len(buf))
	e.outer = dst
	e.separator = len(buf) - len(dst.Buffer())
	e.base = dst.OutputOffset() + int64(e.separator)
	out, err := e.top(buf, v, false)
	out, err = e.bounded(out, len(buf), err)
	if err != nil {
		err = c.failed(e, out[len(buf):], err)
		e.release()
		return err
	}
	e.release()
	return dst.Count(out)
}

// bounded checks the nesting depth of the value out[start:]. If it is nested too deeply, bounded
// returns an error, and cuts off out at the first bracket that is too deep. If err is not nil,
// bounded returns out and err unchanged.
func (e *encoder) bounded(out []byte, start int, err error) ([]byte, error) {
	depth := 0
	if e.outer != nil {
		depth = e.outer.StackDepth()
	}
	if err == nil {
		if pos := e.TooDeep(out[start:], depth); pos >= 0 {
			return out[:start+pos], &encode.Fault{Err: stream.ErrMaxDepth, Syntax: true, Where: stream.Next}
		}
	}
	return out, err
}

// failed returns the error of a call that may have appended text before it failed.
func (c *Call) failed(e *encoder, text []byte, err error) error {
	if c.KeepPart && !e.Has(option.ReportErrorsWithLegacySemantics) {
		to := stream.Encoder{Set: c.Set}
		to.On |= option.OneValue
		to.Replay(text)
		c.Part = to.Buffer()
	}
	return e.failed(text, err)
}

// Program returns the program for the type that the pointer type t points to.
func (c *Call) Program(t reflect.Type) *encode.Program { return c.mode.ProgramOf(t, false) }

// AppendBy is like Append, for the value at a, which it encodes with the program p.
func (c *Call) AppendBy(p *encode.Program, dst []byte, a mem.Pointer) ([]byte, error) {
	e := c.encoder(len(dst))
	out, err := p.Run(&e.Encoder, dst, a)
	out, err = e.bounded(out, len(dst), err)
	if err != nil {
		err, out = c.failed(e, out[len(dst):], err), dst
	}
	e.release()
	return out, err
}

// withoutOptions is the mode for calls without options.
var withoutOptions = encode.Mode{Rules: compiler{}}

// newMode returns a mode of version 2.
func newMode(k rules.Key) *encode.Mode { return &encode.Mode{Key: k, Rules: compiler{}} }
