//go:build go1.27 && goexperiment.jsonv2

package json

import (
	"bytes"
	"encoding/json"
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"errors"
	"io"
	"reflect"
	"strings"
	"sync"

	"github.com/hone-go/hone/json/internal/export"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/json/jsontext"
)

// hasStandard is true if the standard library contains encoding/json/v2.
const hasStandard = true

// standardOptions converts set to options of the standard library, except for the excluded flags.
// It adds the functions of the call, and functions that call methods that take Hone's streams.
func standardOptions(set option.Set, excluded option.Flag) Options {
	set.On &^= excluded
	to, _ := set.Marshalers.(*Marshalers)
	from, _ := set.Unmarshalers.(*Unmarshalers)
	return jsonv2.JoinOptions(set.Standard(), jsonv2.WithMarshalers(to.withMethods()), jsonv2.WithUnmarshalers(from.withMethods()))
}

// hasFunctions reports whether streams in methods need information that options of the standard
// library cannot contain.
func hasFunctions(set *option.Set) bool {
	return set.Given&(option.Marshalers|option.Unmarshalers|option.ByStandard) != 0
}

// A standardCall is the state of a call that a stream of the standard library cannot store.
type standardCall struct {
	set        option.Set
	in         stream.Stream // the enclosing stream of Hone, or nil
	calls      int           // the depth of nested calls up to the stream in; see stream.Encoder.Calls
	root       string        // the name of the root type
	named      bool          // the value is the name of a member
	offset     int64         // the offset of the value in the enclosing stream
	separator  int           // the number of bytes between the previous token and the value
	pointer    func() jsontext.Pointer
	rebasedErr error // an error whose position is already relative to in
}

// running maps each active stream of the standard library to its standardCall.
var running sync.Map // *stdtext.Encoder or *stdtext.Decoder -> *standardCall

// runningOf returns the standardCall of a stream. It is empty for a stream that the program created
// with the standard library.
func runningOf(stream any) *standardCall {
	if s, ok := running.Load(stream); ok {
		return s.(*standardCall)
	}
	return &standardCall{}
}

// markRebased records that the position in err is already relative to s.in, and returns err.
func (s *standardCall) markRebased(err error) error {
	s.rebasedErr = err
	return err
}

// rebased returns err. A position that is relative to the value becomes relative to s.in.
func (s *standardCall) rebased(err error) error {
	if s.in == nil || err == s.rebasedErr {
		return err
	}
	switch e := err.(type) {
	case *SemanticError:
		made := *e
		made.ByteOffset += s.offset
		made.JSONPointer = s.pointer() + made.JSONPointer
		return &made
	case *jsontext.SyntacticError:
		made := *e
		made.ByteOffset += s.offset
		made.JSONPointer = s.pointer() + made.JSONPointer
		return &made
	case *json.UnmarshalTypeError:
		if e.Offset == 0 && e.Type == reflect.TypeFor[json.Number]() { // the error has no position
			return err
		}
		made := *e
		made.Offset += s.offset
		if outer := strings.ReplaceAll(strings.TrimPrefix(string(s.pointer()), "/"), "/", "."); outer != "" {
			made.Field = strings.TrimSuffix(outer+"."+made.Field, ".")
			if made.Struct == "" {
				made.Struct = s.root
			}
		}
		return &made
	}
	return err
}

// place returns the Place of the enclosing stream, which is a stream of the standard library.
func (s *standardCall) place(enclosing stream.Positioned) *stream.Place {
	p := &stream.Place{Track: sync.OnceValue(func() *stream.Track {
		if s.named {
			return new(stream.Track)
		}
		return stream.TrackOf(enclosing)
	})}
	if s.in != nil {
		p.Set(s.in)
	}
	return p
}

// separatorAt returns the number of bytes of delimiter and white space that the enclosing stream
// writes before its next token.
func (s *standardCall) separatorAt(at stream.Positioned) int {
	depth := at.StackDepth()
	if s.named {
		depth--
	}
	if _, count := at.StackIndex(at.StackDepth()); depth > 0 || count > 0 {
		return 0
	}
	return s.separator
}

// setOf returns the options of a stream that a function or a method receives.
func (s *standardCall) setOf(options Options) option.Set {
	var set option.Set
	set.Join(options)
	set.Given |= s.set.Given & (option.Marshalers | option.Unmarshalers | option.ByStandard)
	set.On |= s.set.On & option.ByStandard
	set.Marshalers, set.Unmarshalers = s.set.Marshalers, s.set.Unmarshalers
	return set
}

// wantsName reports whether the next token is a name or the end of an object.
func wantsName(s stream.Positioned) bool {
	kind, count := s.StackIndex(s.StackDepth())
	return kind == '{' && count%2 == 0
}

var (
	errSingle   = errors.New("must read or write exactly one value")
	errMutation = errors.New("unsupported calls must not read or write any tokens")
)

// An appender is an io.Writer that appends to a slice.
type appender struct{ b []byte }

func (a *appender) Write(b []byte) (int, error) {
	a.b = append(a.b, b...)
	return len(b), nil
}

// appendByStd implements append with encoding/json/v2.
func (c *encodeCall) appendByStd(dst []byte, v any) ([]byte, error) {
	if hasFunctions(&c.Set) {
		return appendIn(dst, v, &standardCall{set: c.Set}, standardOptions(c.Set, 0))
	}
	text, err := jsonv2.Marshal(v, standardOptions(c.Set, 0))
	if err != nil {
		c.Part = text
		return dst, err
	}
	return append(dst, text...), nil
}

// appendIn appends the JSON of v, using a new stream of the standard library.
func appendIn(dst []byte, v any, s *standardCall, options Options) ([]byte, error) {
	w := &appender{}
	e := stdtext.NewEncoder(w, options)
	running.Store(e, s)
	defer running.Delete(e)
	if s.named {
		_ = e.WriteToken(stdtext.BeginObject)
	}
	if err := jsonv2.MarshalEncode(e, v); err != nil {
		return dst, err
	}
	if s.named {
		_ = e.WriteToken(stdtext.Null)
		_ = e.WriteToken(stdtext.EndObject)
		return append(dst, w.b[len("{"):len(w.b)-len(":null}\n")]...), nil
	}
	return append(dst, bytes.TrimSuffix(w.b, []byte("\n"))...), nil
}

// encodeByStd implements MarshalEncode with encoding/json/v2.
func (c *encodeCall) encodeByStd(to *stream.Encoder, v any) error {
	if to.Calls > stream.MaxDepth {
		return to.TooDeep()
	}
	s := &standardCall{set: c.Set, in: to, calls: to.Calls, named: to.WantsName()}
	s.separator = len(to.Start('"')) - len(to.Buffer())
	s.offset = to.OutputOffset() + int64(s.separator)
	s.pointer = sync.OnceValue(func() jsontext.Pointer {
		_, pointer := to.Place(stream.Next)
		return pointer
	})
	if s.named {
		s.offset -= int64(len("{"))
	}
	text, err := appendIn(nil, v, s, standardOptions(c.Set, option.Whitespace))
	if err != nil {
		return s.rebased(err)
	}
	start := to.Start('"')
	if s.named {
		return to.CountName(append(start, text...), len(start))
	}
	if c.Set.Spaced() {
		return to.Count(to.AppendValid(start, text))
	}
	return to.Count(append(start, text...))
}

// unmarshalByStd implements UnmarshalFailed with encoding/json/v2.
func (c *decodeCall) unmarshalByStd(data []byte, readErr error, v any) error {
	if readErr != nil && isNumber(data) {
		return readErr // data may be a prefix of a longer number
	}
	options := standardOptions(c.Set, 0)
	var err error
	if hasFunctions(&c.Set) {
		err = unmarshalIn(data, v, &standardCall{set: c.Set}, options)
	} else {
		err = jsonv2.Unmarshal(data, v, options)
	}
	if readErr != nil && (err == nil || errors.Is(err, io.ErrUnexpectedEOF)) {
		return readErr
	}
	return err
}

// isNumber reports whether text could be the start of a number.
func isNumber(text []byte) bool {
	text = bytes.TrimLeft(text, " \n\t\r")
	return len(text) > 0 && stream.KindOf(text[0]) == '0' && len(bytes.Trim(text, "+-.0123456789eE")) == 0
}

// unmarshalIn decodes data, using a new stream of the standard library.
func unmarshalIn(data []byte, v any, s *standardCall, options Options) error {
	plain := s.set.Standard()
	if p := reflect.ValueOf(v); p.Kind() != reflect.Pointer || p.IsNil() {
		return jsonv2.Unmarshal(data, v, options)
	}
	if !s.named && s.set.Has(option.ReportErrorsWithLegacySemantics) {
		// With legacy errors, syntax errors take precedence over type errors.
		if err := jsonv2.Unmarshal(data, new(jsontext.Value), plain); err != nil {
			return err
		}
	}
	d := stdtext.NewDecoder(bytes.NewBuffer(data), options)
	running.Store(d, s)
	defer running.Delete(d)
	if s.named {
		_, _ = d.ReadToken()
	}
	switch err := jsonv2.UnmarshalDecode(d, v); {
	case err == io.EOF:
		return &jsontext.SyntacticError{ByteOffset: d.InputOffset() + int64(len(d.UnreadBuffer())), Err: io.ErrUnexpectedEOF}
	case err != nil || s.named:
		return err
	case len(bytes.TrimLeft(d.UnreadBuffer(), " \n\t\r")) > 0:
		return jsonv2.Unmarshal(data, new(jsontext.Value), plain) // returns the error for input after the value
	}
	return nil
}

// decodeByStd implements UnmarshalDecode with encoding/json/v2.
func (c *decodeCall) decodeByStd(from *stream.Decoder, v any) error {
	if p := reflect.ValueOf(v); p.Kind() != reflect.Pointer || p.IsNil() {
		return c.Call.UnmarshalDecode(from, v) // returns the error for v
	}
	s := &standardCall{set: c.Set, in: from, named: from.WantsName(), root: reflect.TypeOf(v).Elem().Name()}
	before := from.InputOffset()
	text, err := from.ReadValue()
	if err != nil {
		return c.ReadError(v, err)
	}
	s.offset = from.InputOffset() - int64(len(text))
	s.separator = int(s.offset - before)
	if s.named {
		s.offset -= int64(len("{"))
		text = append(append([]byte("{"), text...), ":null}"...)
	}
	from.BeforeLast(func() {
		s.pointer = sync.OnceValue(func() jsontext.Pointer { return from.PointerTo(stream.Next) })
		err = s.rebased(unmarshalIn(text, v, s, standardOptions(c.Set, 0)))
	})
	return err
}

// writeStandard calls write, a function or a method that writes a value to one of Hone's streams,
// and copies the value to the standard library's stream e. The argument method is the type that has
// the method, or nil for a function.
func writeStandard(e *stdtext.Encoder, method reflect.Type, write func(*jsontext.Encoder) error) error {
	s := runningOf(e)
	set := s.setOf(e.Options())
	named := wantsName(e)
	if method != nil && named && set.Has(option.CallMethodsWithLegacySemantics) {
		return errors.ErrUnsupported
	}
	encoder := new(jsontext.Encoder)
	to := export.Encoder(encoder)
	to.Set = set
	to.On |= option.Compact | option.OneValue | option.WithinCall
	separator := 0
	if _, count := e.StackIndex(e.StackDepth()); count > 0 && e.StackDepth() > 0 {
		separator = 1
	}
	to.SetPart(nil, s.offset+e.OutputOffset()+int64(separator), max(separator, s.separatorAt(e)), s.place(e))
	if to.Calls = s.calls + 1; named {
		to.StartName()
	}
	err := write(encoder)
	count, depth := to.Values()
	switch {
	case err == nil && count == 1 && depth == 0:
		return e.WriteValue(to.Buffer())
	case err == nil:
		err = errSingle
	case errors.Is(err, errors.ErrUnsupported) && count == 0 && depth == 0:
		return errors.ErrUnsupported
	case errors.Is(err, errors.ErrUnsupported):
		err = errMutation
	}
	if set.Has(option.ReportErrorsWithLegacySemantics) {
		return err
	}
	if hasPlace(err) {
		return s.markRebased(err)
	}
	offset, pointer := to.Place(whereOf(count, depth))
	if depth == 0 && count > 0 && to.StackDepth() > 0 {
		offset += int64(len(",")) // the comma before the next value
	}
	return s.markRebased(located(err, offset, pointer, method))
}

// readStandard calls read, a function or a method that reads a value from one of Hone's streams,
// and skips the value in the standard library's stream d. The argument method is the type that has
// the method, or nil for a function.
func readStandard(d *stdtext.Decoder, method reflect.Type, read func(*jsontext.Decoder) error) error {
	s := runningOf(d)
	kind := d.PeekKind()
	rest := d.UnreadBuffer()
	text := bytes.TrimLeft(rest, " \n\t\r,:")
	if kind == ']' || kind == '}' || kind == 0 && len(text) > 0 {
		_, err := d.ReadValue()
		return err
	}
	set := s.setOf(d.Options())
	named := wantsName(d)
	if method != nil && named && set.Has(option.CallMethodsWithLegacySemantics) {
		return errors.ErrUnsupported
	}
	separator := len(rest) - len(text)
	// If the value is valid, pass only the value to the method. If it is invalid, pass all
	// following text too, so that the method can read up to the error.
	whole := stream.Decoder{Set: set}
	whole.SetText(text)
	if value, err := whole.ReadValue(); err == nil {
		text = value
	}
	decoder := new(jsontext.Decoder)
	from := export.Decoder(decoder)
	from.Set = set
	from.On |= option.WithinCall
	from.SetPart(text[:len(text):len(text)], nil, s.offset+d.InputOffset()+int64(separator), max(separator, s.separatorAt(d)), s.place(d))
	if named {
		from.StartName()
	}
	err := read(decoder)
	count, depth := from.Values()
	switch {
	case err == nil && count == 1 && depth == 0:
		return d.SkipValue()
	case err == nil:
		err = errSingle
	case errors.Is(err, errors.ErrUnsupported) && count == 0 && depth == 0:
		return errors.ErrUnsupported
	case errors.Is(err, errors.ErrUnsupported):
		err = errMutation
	}
	if _, syntactic := err.(*jsontext.SyntacticError); syntactic || set.Has(option.ReportErrorsWithLegacySemantics) {
		return s.markRebased(err)
	}
	if hasPlace(err) {
		return s.markRebased(err)
	}
	last := from.LastText()
	offset := from.InputOffset() - int64(len(last))
	if count == 0 && depth == 0 || len(last) == 0 {
		offset = from.NextOffset()
	}
	return s.markRebased(located(err, offset, from.PointerTo(whereOf(count, depth)), method))
}

// whereOf returns the value that an error of a function is about. The function has read or written
// count values, and has left depth arrays and objects open.
func whereOf(count int64, depth int) stream.Where {
	switch {
	case depth == 0 && count == 0:
		return stream.Next
	case depth == 0 && count == 1:
		return stream.Previous
	}
	return stream.Ambiguous
}

// hasPlace reports whether err has an offset, a JSON pointer and a type.
func hasPlace(err error) bool {
	s, ok := err.(*SemanticError)
	return ok && s.ByteOffset != 0 && s.JSONPointer != "" && s.GoType != nil
}

// located returns err as a SemanticError, and sets the fields that are zero. It returns an IOError
// unchanged.
func located(err error, offset int64, pointer jsontext.Pointer, method reflect.Type) error {
	if _, ok := err.(*stream.IOError); ok {
		return err
	}
	made := SemanticError{Err: err}
	if s, ok := err.(*SemanticError); ok {
		made = *s
	}
	if made.ByteOffset == 0 {
		made.ByteOffset = offset
	}
	if made.JSONPointer == "" {
		made.JSONPointer = pointer
	}
	if made.GoType == nil {
		made.GoType = method
	}
	return &made
}
