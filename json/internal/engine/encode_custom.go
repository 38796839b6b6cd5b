package engine

import (
	"encoding"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/hatch"
	"github.com/hone-go/hone/json/internal/option"
	"github.com/hone-go/hone/json/internal/stream"
	text "github.com/hone-go/hone/json/jsontext"
	"github.com/hone-go/hone/shape"
)

// A MarshalerTo writes itself to a stream of tokens.
type MarshalerTo interface{ MarshalJSONTo(*text.Encoder) error }

// A methodForm is one of the methods by which values encode or decode themselves.
type methodForm uint8

const (
	methodStream   methodForm = iota // MarshalJSONTo, UnmarshalJSONFrom
	methodStandard                   // those with the standard library's streams
	methodJSON
	methodAppend
	methodText
)

var (
	marshalerToType  = reflect.TypeFor[MarshalerTo]()
	textAppenderType = reflect.TypeFor[encoding.TextAppender]()
	durationType     = reflect.TypeFor[time.Duration]()
)

// encodeMethods returns the methods of t, or of a pointer to it, in the order in which they
// are asked.
func encodeMethods(t reflect.Type) (list []methodForm) {
	if k := t.Kind(); k == reflect.Pointer || k == reflect.Interface {
		return nil
	}
	p := reflect.PointerTo(t)
	if p.Implements(marshalerToType) {
		list = append(list, methodStream)
	}
	if writesItself(p) {
		list = append(list, methodStandard)
	}
	if p.Implements(marshaler) {
		list = append(list, methodJSON)
	}
	if p.Implements(textAppenderType) {
		list = append(list, methodAppend)
	}
	if p.Implements(textMarshaler) {
		list = append(list, methodText)
	}
	return list
}

var (
	errString   = errors.New("invalid use of `string` tag option")
	errDuration = errors.New("no default representation")
)

// custom emits a value that functions or its own methods write, or that v2 refuses. It
// reports whether it did.
func (customPrograms) custom(w *writer, key programKey, off uintptr) bool {
	c, s, mode := w.compiler, key.shape, w.compiler.mode
	if key.declined == 0 {
		if calls := mode.types.of(s.Type); len(calls) > 0 {
			key.declined = 1
			w.emit(opFunctions, off, &ref{shape: s, pointer: mem.AddressTypeOf(s.Type), calls: calls, named: key.name, copies: !key.addressable, program: c.program(key)})
			return true
		}
	}
	legacy := mode.flags&option.CallMethodsWithLegacySemantics != 0
	switch {
	case s.Type == numberType, s.Kind == shape.Option, s.Union != nil:
	case s.Kind == shape.Time:
		if key.quoted && mode.flags&option.ReportErrorsWithLegacySemantics == 0 {
			w.fail(s, errString)
			return true
		}
		return false
	case key.declined <= 1:
		methods := encodeMethods(s.Type)
		if legacy {
			methods = slices.DeleteFunc(methods, func(m methodForm) bool {
				return key.name && m <= methodJSON || !key.addressable && !hasMethod(s.Type, m)
			})
		}
		if len(methods) == 0 {
			break
		}
		r := &ref{shape: s, pointer: mem.AddressTypeOf(s.Type), methods: methods, stringed: key.quoted, named: key.name, copies: !key.addressable}
		if methods[0] <= methodStandard {
			key.declined = 2
			r.program = c.program(key)
		}
		w.emit(opMethods, off, r)
		return true
	}
	if s.Type == durationType && mode.flags&option.FormatDurationAsNano == 0 {
		w.fail(s, errDuration)
		return true
	}
	if key.quoted && mode.refusesString(s) {
		w.fail(s, errString)
		return true
	}
	switch k := s.Kind; {
	case key.name && k != shape.String && k != shape.Pointer && k != shape.Interface && k != shape.Bytes && !(k >= shape.Int8 && k <= shape.Float64) && s.Type != numberType:
		if k == shape.Array && s.Elem.Kind == shape.Uint8 && mode.flags&option.FormatByteArrayAsArray == 0 && mode.isBytes(s) {
			return false
		}
		w.emit(opFail, off, &ref{shape: s, fault: errNotName})
		return true
	case k == shape.Chan, k == shape.Func, k == shape.UnsafePointer, k == shape.Complex64, k == shape.Complex128, k == shape.Invalid:
		w.fail(s, nil)
		return true
	case k == shape.Struct && s.Union == nil:
		if f := mode.faultOf(s); f != nil {
			w.emit(opFail, off, &ref{shape: shape.Of(f.Type), fault: f.Err})
			return true
		}
	}
	return false
}

// errNotName says that a key is not written as a string.
var errNotName = errors.New("not a name")

// fail emits the error for a value of this shape.
func (w *writer) fail(s *shape.Shape, err error) { w.emit(opFail, 0, &ref{shape: s, fault: err}) }

// hasMethod reports whether t itself has the method, and not only a pointer to it.
func hasMethod(t reflect.Type, m methodForm) bool {
	switch m {
	case methodStream:
		return t.Implements(marshalerToType)
	case methodStandard:
		return writesItself(t)
	case methodJSON:
		return t.Implements(marshaler)
	case methodAppend:
		return t.Implements(textAppenderType)
	}
	return t.Implements(textMarshaler)
}

// refusesString reports whether the option string is a mistake on a field of this shape.
func (k *modeKey) refusesString(s *shape.Shape) bool {
	if k.flags&option.ReportErrorsWithLegacySemantics != 0 {
		return false
	}
	legacy := k.flags&option.StringifyWithLegacySemantics != 0
	switch kind := s.Kind; {
	case kind == shape.Bool, kind == shape.String && s.Type != numberType:
		return !legacy
	case kind == shape.Pointer:
		return legacy && s.Elem.Kind == shape.Pointer
	case kind >= shape.Int8 && kind <= shape.Float64:
		return false
	case kind == shape.Bytes, kind == shape.Slice, kind == shape.Array, kind == shape.Map, kind == shape.Struct, kind == shape.Interface:
		return true
	}
	return false
}

// stopsString reports whether the option string says nothing to what a pointer of the shape
// points to.
func (k *modeKey) stopsString(s *shape.Shape) bool {
	return !k.isV1() && k.flags&option.StringifyWithLegacySemantics != 0 && s.Elem.Kind == shape.Pointer
}

// faultOf returns what is wrong with a struct type, or nil.
func (k *modeKey) faultOf(s *shape.Shape) *shape.Fault {
	if k.flags&option.ReportErrorsWithLegacySemantics != 0 {
		// A format is not passed over.
		for i := range s.Object().Faults {
			if f := &s.Object().Faults[i]; f.Format {
				return f
			}
		}
		return nil
	}
	for i := range s.Object().Faults {
		if f := &s.Object().Faults[i]; f.Embeds == nil || customizes(f.Embeds) {
			return f
		}
	}
	return nil
}

// customizes reports whether t has methods that encode or decode it.
func customizes(t reflect.Type) bool { return len(encodeMethods(t)) > 0 || len(decodeMethods(t)) > 0 }

// members returns the members of a struct, and the field that takes all others.
func (m *encodeMode) members(s *shape.Shape) ([]shape.Member, *shape.Member) {
	return membersOf(s, m.isV1())
}

// member returns what a field's value is written by.
func (c *encodeCompiler) member(f *shape.Member, addressable bool) programKey {
	key := programKey{shape: f.Field.Shape, addressable: addressable, quoted: f.Quoted}
	if !c.mode.isV1() {
		key.quoted = f.String
	}
	return key
}

// runOmitEmpty appends a member, unless its value is null, "", {} or [].
func (e *encoder) runOmitEmpty(r *ref, dst []byte, a mem.Pointer) ([]byte, error) {
	start := len(dst)
	dst, err := r.program.run(&e.Encoder, dst, a)
	if err != nil {
		return dst, err
	}
	n := len(dst)
	switch string(dst[n-2:]) {
	case "ll", "{}", "[]":
	case `""`:
		if dst[n-3] == '\\' {
			return dst, nil
		}
	default:
		return dst, nil
	}
	e.back(start)
	return dst[:start], nil
}

// back forgets where methods were behind start, which the text is cut at.
func (e *encoder) back(start int) {
	if e.track != nil && e.track.At() > start-e.start {
		e.track.Reset()
	}
}

// tracked returns where the text ends.
func (e *encoder) tracked(dst []byte) *stream.Track {
	if e.track == nil {
		e.track = new(stream.Track)
	}
	e.track.Move(dst[e.start:], len(dst)-e.start)
	return e.track
}

// address returns the address of the value at a+off, or of a copy.
func (r *ref) address(a mem.Pointer, off uintptr) any {
	if !r.copies {
		return r.pointer.Any(a, off)
	}
	held := reflect.New(r.shape.Type)
	held.Elem().Set(a.Value(off, r.shape.Type))
	return held.Interface()
}

// runMethods appends what the methods of a value write, or the program where they decline.
func (e *encoder) runMethods(r *ref, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	p := r.address(a, off)
	for _, m := range r.methods {
		start := len(dst)
		var err error
		switch m {
		case methodStream:
			dst, err = e.stream(dst, r.shape.Type, r.stringed, r.named, func(to *text.Encoder) error { return p.(MarshalerTo).MarshalJSONTo(to) }, "MarshalJSONTo", p)
		case methodStandard:
			dst, err = e.standardStream(dst, r, p)
		case methodJSON:
			b, failed := p.(Marshaler).MarshalJSON()
			return e.value(dst, b, r.shape.Type, failed, "MarshalJSON", p)
		case methodAppend:
			return e.text(dst, r.shape.Type, "AppendText", p, func(b []byte) ([]byte, error) { return p.(encoding.TextAppender).AppendText(b) })
		case methodText:
			return e.text(dst, r.shape.Type, "MarshalText", p, func(b []byte) ([]byte, error) {
				more, err := p.(encoding.TextMarshaler).MarshalText()
				return append(b, more...), err
			})
		}
		if err != errDeclined {
			return dst, err
		}
		dst = dst[:start]
		e.back(start)
	}
	return r.program.run(&e.Encoder, dst, a.Add(off))
}

// errDeclined says that a function or a method leaves the value to others.
var errDeclined = errors.New("declined")

// runFunctions is runMethods for the functions of the call.
func (e *encoder) runFunctions(r *ref, dst []byte, a mem.Pointer, off uintptr) ([]byte, error) {
	p := r.address(a, off)
	for _, i := range r.calls {
		f := &e.call.to.list[i]
		if f.To == nil {
			b, err := f.Bytes(p)
			return e.value(dst, b, f.Type, err, "MarshalFunc", p)
		}
		start := len(dst)
		b, err := e.stream(dst, f.Type, false, r.named, func(to *text.Encoder) error { return f.To(to, p) }, "MarshalToFunc", p)
		if err != errDeclined {
			return b, err
		}
		e.back(start)
	}
	return r.program.run(&e.Encoder, dst, a.Add(off))
}

// value appends a value that a method or a function returned.
func (e *encoder) value(dst, b []byte, t reflect.Type, err error, by string, p any) ([]byte, error) {
	legacy := e.has(option.ReportErrorsWithLegacySemantics)
	if err != nil {
		err = notUnsupported(err, by)
		if legacy {
			return dst, marshalerError(reflect.TypeOf(p), err, by)
		}
		return dst, newFault(t, err)
	}
	out, fails := e.valid(dst, b)
	if fails == nil {
		return out, nil
	}
	if legacy {
		return dst, marshalerError(reflect.TypeOf(p), fails, by)
	}
	if _, ok := fails.(*stream.SyntacticError); ok {
		return dst, newFault(t, fails)
	}
	return dst, fails
}

// notUnsupported returns the error of a method or a function, which may not be that with
// which others say that they leave a value to the engine.
func notUnsupported(err error, by string) error {
	if errors.Is(err, errors.ErrUnsupported) {
		return errors.New(unsupportedBy[by] + " may not return errors.ErrUnsupported")
	}
	return err
}

var unsupportedBy = map[string]string{
	"MarshalJSON": "MarshalJSON method", "AppendText": "AppendText method", "MarshalText": "MarshalText method",
	"MarshalFunc":   "marshal function of type func(T) ([]byte, error)",
	"UnmarshalJSON": "UnmarshalJSON method", "UnmarshalText": "UnmarshalText method", "UnmarshalFunc": "unmarshal function of type func([]byte, T) error",
}

// valid appends a value after checking it.
func (e *encoder) valid(dst, b []byte) ([]byte, error) {
	if e.isPlain(b) {
		return append(dst, b...), nil
	}
	w := e.takeWriter()
	defer e.keepWriter(w)
	e.aim(w, dst)
	err := w.s.WriteValue(b)
	if err != nil {
		if s, ok := err.(*stream.SyntacticError); ok {
			// The place is that in the whole text.
			return dst, e.rebased(dst, b, s)
		}
		return dst, err
	}
	return w.s.Buffer(), nil
}

// isPlain reports whether b is a value that is written as it stands by any options, or by
// those of the call: most values that functions return are scalars.
func (e *encoder) isPlain(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	switch c := b[0]; c {
	case '"':
		end := len(b) - 1
		return end > 0 && b[end] == '"' && !e.html() && syntax.PlainRun(b, 1) == end
	case 'n':
		return string(b) == "null"
	case 't':
		return string(b) == "true"
	case 'f':
		return string(b) == "false"
	default:
		return (c == '-' || c-'0' <= 9) && !e.has(option.CanonicalizeNumbers) && syntax.ValidNumber(mem.String(b))
	}
}

// rebased returns the error of a value that was to follow dst.
func (e *encoder) rebased(dst, b []byte, found *stream.SyntacticError) error {
	at := stream.Encoder{Set: e.call.Set}
	if e.outer != nil {
		at.CopyPlace(e.outer)
	} else {
		at.On |= option.OneValue
	}
	at.Replay(dst[e.start:])
	if err := at.WriteValue(b); err != nil {
		return err
	}
	return found
}

// text appends what a text method writes.
func (e *encoder) text(dst []byte, t reflect.Type, by string, p any, write func([]byte) ([]byte, error)) ([]byte, error) {
	n := len(dst)
	b, err := write(append(dst, '"'))
	if err != nil {
		err = notUnsupported(err, by)
		if e.has(option.ReportErrorsWithLegacySemantics) {
			return dst, marshalerError(reflect.TypeOf(p), err, by)
		}
		if _, ok := err.(*SemanticError); ok {
			return dst, err
		}
		return dst, newFault(t, err)
	}
	written := b[n+1:]
	if syntax.PlainRun(written, 0) == len(written) && !e.html() {
		return append(b, '"'), nil
	}
	held := strings.Clone(mem.String(written))
	out, err := e.string(dst[:n], held)
	if err != nil {
		if e.has(option.ReportErrorsWithLegacySemantics) {
			return dst, marshalerError(reflect.TypeOf(p), e.explain(dst[e.start:n], err), by)
		}
		return dst, newFault(t, e.explain(dst[e.start:n], err))
	}
	return out, nil
}

// A writerOfTokens is a stream that a method or a function is given: behind dst, which e has
// written.
type writerOfTokens struct {
	encoder text.Encoder
	s       *stream.Encoder
	place   stream.Place
	e       *encoder
	dst     []byte
}

var streams = sync.Pool{New: func() any {
	w := new(writerOfTokens)
	w.s = hatch.Encoder(&w.encoder)
	w.place.Track = w.track
	return w
}}

func (w *writerOfTokens) track() *stream.Track { return w.e.tracked(w.dst) }

func (w *writerOfTokens) release() {
	w.s.Set = option.Set{}
	w.s.SetBuffer(nil)
	w.place.Set(nil)
	w.e, w.dst = nil, nil
	streams.Put(w)
}

// takeWriter returns the stream that e keeps for one call after the other. Whoever calls
// keepWriter gives it back; it is not to be given back where someone may still hold it.
func (e *encoder) takeWriter() *writerOfTokens {
	if w := e.tokens; w != nil {
		e.tokens = nil
		return w
	}
	w := streams.Get().(*writerOfTokens)
	w.e, w.s.Set = e, e.call.Set
	return w
}

func (e *encoder) keepWriter(w *writerOfTokens) {
	if e.tokens == nil {
		e.tokens = w
	} else {
		w.release()
	}
}

// aim makes a stream write behind dst.
func (e *encoder) aim(w *writerOfTokens, dst []byte) {
	w.dst = dst
	if w.place.Set(nil); e.outer != nil {
		w.place.Set(e.outer)
	}
	w.s.Given = e.call.Set.Given | option.Whitespace
	w.s.On = e.call.Set.On&^option.Whitespace | option.OneValue
	lead := e.lead
	if n := len(dst); n > e.start {
		if lead = 0; dst[n-1] == ',' || dst[n-1] == ':' {
			lead = 1
		}
	}
	w.s.SetPart(dst, e.base+int64(len(dst)-e.start), lead, &w.place)
	if w.s.Calls = 1; e.outer != nil {
		w.s.Calls += e.outer.Calls
	}
}

var (
	errSingle   = errors.New("must read or write exactly one value")
	errMutation = errors.New("unsupported calls must not read or write any tokens")
)

// stream lets a method or a function write to a stream behind dst.
func (e *encoder) stream(dst []byte, t reflect.Type, stringed, name bool, write func(*text.Encoder) error, by string, p any) ([]byte, error) {
	w := e.takeWriter()
	e.aim(w, dst)
	w.s.On |= option.WithinCall
	if stringed {
		w.s.Put(option.StringifyNumbers, true)
	}
	if name {
		w.s.StartName()
	}
	err := write(&w.encoder)
	// Behind a panic it is not kept, as someone may still hold it.
	e.keepWriter(w)
	count, depth := w.s.Values()
	out := w.s.Buffer()
	if err == nil {
		if count == 1 && depth == 0 {
			return out, nil
		}
		err = errSingle
	} else if errors.Is(err, errors.ErrUnsupported) {
		if count == 0 && depth == 0 {
			return dst, errDeclined
		}
		err = errMutation
	}
	if e.has(option.ReportErrorsWithLegacySemantics) {
		return out, marshalerError(reflect.TypeOf(p), err, by)
	}
	f := &fault{err: unexpectedEnd(err), typ: t, where: stream.Ambiguous}
	switch {
	case depth == 0 && count == 0:
		f.where = stream.Next
	case depth == 0 && count == 1:
		f.where = stream.Previous
	}
	if s, ok := err.(*SemanticError); ok {
		f.semantic = s
	} else {
		f.semantic = &SemanticError{Err: f.err}
	}
	return out, f
}

// rest emits the members that a struct keeps in a field of its own.
func (w *writer) rest(s *shape.Shape, f *shape.Member, members []shape.Member, off uintptr, addressable bool) {
	r := &ref{shape: f.Field.Shape, rest: &restWriter{in: s.Type, hops: f.Through, offset: f.Offset}}
	inner := f.Field.Shape
	if inner.Kind == shape.Pointer {
		inner = inner.Elem
	}
	r.rest.shape = inner
	for i := range members {
		r.rest.names = append(r.rest.names, members[i].Name)
	}
	if inner.Kind == shape.Map {
		r.program = w.compiler.program(programKey{shape: inner.Elem})
	}
	w.emit(opRest, off, r)
}

// A restWriter writes the members that a struct keeps in a field of its own.
type restWriter struct {
	in     reflect.Type
	shape  *shape.Shape // of the map or the raw JSON
	hops   []shape.Hop
	offset uintptr
	names  []string // of the struct's fields
}
