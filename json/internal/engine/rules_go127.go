//go:build go1.27 && goexperiment.jsonv2

package engine

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	stdtext "encoding/json/jsontext"
	jsonv2 "encoding/json/v2"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/syntax"
	"github.com/hone-go/hone/json/internal/stream"
	"github.com/hone-go/hone/shape"
)

// These are the rules in which encoding/json's two engines differ, as the second one
// has them: that of Go 1.27.
const (
	methodsOfAll = true  // types without a name are asked for methods too
	keepsInf     = true  // a number that is too large is stored as an infinity
	appendsText  = true  // AppendText is a method that values are written by
	methodsEnd   = false // after an error of a type's own method decoding goes on
)

// misfitError returns the error for what does not fit. Where that is, placed adds.
func (d *Decoder) misfitError(value string, t reflect.Type, offset int, cause error) error {
	return &UnmarshalTypeError{Value: value, Type: t, Offset: int64(offset - d.Space), Err: cause}
}

// placed adds to the error that was saved, if it is about a position of the text, the
// name of the root's type and the path from there. The way there is looked for once a
// decode, as it takes the time of all that comes before.
func (d *Decoder) placed(err error) error {
	e, ok := err.(*UnmarshalTypeError)
	if !ok || d.savedAt < 0 {
		return err
	}
	d.place(e, d.pointer(d.savedAt))
	return e
}

// place says that e is about the value at the pointer.
func (d *Decoder) place(e *UnmarshalTypeError, pointer string) {
	if pointer != "" && d.top.Kind() == reflect.Pointer {
		e.Struct = d.top.Elem().Name()
	}
	e.Field = strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
}

// inContext returns err: those of methods stay as they are.
func (d *Decoder) inContext(err error) error { return err }

// pointer returns the JSON pointer of the value or the name at position pos.
func (d *Decoder) pointer(pos int) string {
	var path strings.Builder
	for t, found := 0, true; found; {
		c := d.data[d.words[t].Pos()]
		if found = false; c != '{' && c != '[' || pos <= d.words[t].Pos() {
			break
		}
		after := syntax.After(d.words, t)
		for i, next := 0, t+containerWords; next < after && !found; i++ {
			name := next
			if c == '{' {
				next++
			}
			if pos < d.end(next) {
				path.WriteByte('/')
				if c == '{' {
					path.WriteString(pointerToken.Replace(string(d.textOf(name))))
				} else {
					path.WriteString(strconv.Itoa(i))
				}
				if pos < d.words[next].Pos() {
					return path.String() // the name
				}
				t, found = next, true
			}
			next = d.after(next)
		}
	}
	return path.String()
}

var pointerToken = strings.NewReplacer("~", "~0", "/", "~1")

var errNoText = errors.New("JSON value must be string type")

// misfitText saves that the value at t is no text, which n's method takes.
func (d *Decoder) misfitText(n *Node, t int) { d.misfitValue(t, n.shape.Type, errNoText) }

// misfitValue is misfitOf with a cause.
func (d *Decoder) misfitValue(t int, typ reflect.Type, cause error) {
	if d.saved == nil {
		d.misfitOf(t, "number", typ)
		d.saved.(*UnmarshalTypeError).Err = cause
	}
}

// misfitInterface saves that nothing fits the interface n, which has methods. Its error
// is about the place in front of the value.
func (d *Decoder) misfitInterface(n *Node, t int) error {
	if d.saved == nil {
		d.misfitOf(t, "number", n.shape.Type)
		d.saved.(*UnmarshalTypeError).Offset = int64(d.words[t].Pos() - d.Space)
	}
	return nil
}

// misfitNumber saves that the value at t is no Number.
func (d *Decoder) misfitNumber(t int) error {
	if d.saved == nil && d.data[d.words[t].Pos()] == '"' {
		d.save(&UnmarshalTypeError{Value: "string " + string(d.raw(t)), Type: numberType, Err: strconv.ErrSyntax})
	}
	d.misfitNumberOf(t)
	return nil
}

// misfitNumberOf saves that the value at t is of a kind that no Number has. The error
// does not say where that is.
func (d *Decoder) misfitNumberOf(t int) {
	if d.saved == nil {
		d.misfitOf(t, "number", numberType)
		d.saved.(*UnmarshalTypeError).Offset, d.savedAt = 0, -1
	}
}

// bytesOf decodes base64 into the memory of the slice that is there, if it has room. After an
// error it holds what was decoded so far.
func bytesOf(text, there []byte) ([]byte, error) {
	b, err := base64.StdEncoding.AppendDecode(there[:0], text)
	if b == nil {
		b = []byte{}
	}
	return b, err
}

// misfitBase64 saves that the string at t is not base64.
func (d *Decoder) misfitBase64(n *Node, t int, err error) { d.misfitValue(t, n.shape.Type, err) }

// tooLarge returns what a number that no float64 holds is in an interface: an infinity.
func (d *Decoder) tooLarge(t int) (any, error) {
	d.misfitOf(t, "number "+string(d.raw(t)), floatType)
	return d.keepFloat(infinity(d.data[d.words[t].Pos()] == '-')), nil
}

// time decodes the value at t into *v.
func (d *Decoder) time(t int, v *time.Time) error {
	raw := d.raw(t)
	if raw[0] != '"' {
		d.misfitOf(t, "number", timeType)
		return nil
	}
	if readUTC(v, raw) {
		return nil
	}
	var read time.Time
	err := read.UnmarshalText(d.textOf(t))
	if err == nil {
		*v = read
	}
	return err
}

// entry decodes the key at name and the element behind it. What does not fit as a key
// leaves out the element.
func (d *Decoder) entry(n *Node, name int, key, elem reflect.Value) (next int, ok bool, err error) {
	if ok, err = d.key(n, name, key, d.end(name)); !ok || err != nil {
		return d.after(name + 1), false, d.failed(err)
	}
	next, err = d.value(n.elem, name+1, mem.OfPointer(elem.Addr()), 0)
	return next, true, err
}

var errClosed = errors.New("cannot set embedded pointer to unexported struct type")

// misfitClosed saves that an embedded pointer to a struct type cannot be set, which the
// value at t, of the field f, lies behind. The error is about the place in front of it.
func (d *Decoder) misfitClosed(f *field, _ reflect.Type, t int) {
	if d.saved == nil {
		d.misfitValue(t, f.in, errClosed)
		d.saved.(*UnmarshalTypeError).Offset = int64(d.words[t].Pos() - d.Space)
	}
}

// unsupported returns the error for a value, which it does not hold.
func unsupported(_ reflect.Value, why string) error { return &UnsupportedValueError{Str: why} }

// throughPointer returns err, which names the type that methodType gives.
func throughPointer(err error, _ reflect.Type) error { return err }

// methodType returns the type that errors of a marshal method name: a pointer to what
// has it.
func methodType(_ reflect.Type, method any) reflect.Type {
	t := reflect.TypeOf(method)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return reflect.PointerTo(t)
}

// numberError returns the error for text that is no number, in a Number.
func numberError(text string, quoted bool) error {
	var err error
	if quoted {
		_, err = json.Marshal(struct {
			N Number `json:",string"`
		}{Number(text)})
	} else {
		_, err = json.Marshal(Number(text))
	}
	return err
}

// keyError returns the error of a text method of a key.
func keyError(_ reflect.Type, key reflect.Value, err error) error {
	return errorBy(failedText{err}, methodType(nil, key.Interface()))
}

// timeError returns the error for a time that has no JSON.
func timeError(t *time.Time, _ error) error {
	_, err := json.Marshal(*t)
	return err
}

// methodError returns the error of a value's own method.
func methodError(t reflect.Type, method any, err error) error {
	if at, ok := method.(*time.Time); ok {
		return timeError(at, err)
	}
	if e, ok := err.(*MarshalerError); ok && writesItself(reflect.TypeOf(method)) {
		return e
	}
	return &MarshalerError{Type: methodType(t, method), Err: legacySyntax(notUnsupported(err, "MarshalJSON"))}
}

// keyNamerOf returns how keys of a type are named, and reports whether they are strings as
// they are. All types may be keys.
func keyNamerOf(key *shape.Shape) (name keyNamer, plain bool) {
	t := key.Type
	switch name = kindKey(key.Kind); {
	case t.Kind() == reflect.Interface || writesItself(t):
		return standardKey, false
	case t.Implements(textAppenderType):
		return appendedKey, false
	case t.Implements(textMarshaler):
		return textKey, false
	case name == nil:
		return standardKey, false
	}
	return name, key.Kind == shape.String
}

// appendedKey names keys by AppendText.
func appendedKey(_ *Encoder, _ []byte, _ reflect.Type, key reflect.Value) (string, error) {
	if key.Kind() == reflect.Pointer && key.IsNil() {
		return "", nil
	}
	text, err := key.Interface().(encoding.TextAppender).AppendText(nil)
	if err != nil {
		return "", errorBy(failedAppend{err}, methodType(nil, key.Interface()))
	}
	return string(text), nil
}

// standardKey names keys as encoding/json does, which is asked for each: numbers, what
// interfaces hold, and what writes itself to a stream.
func standardKey(e *Encoder, dst []byte, _ reflect.Type, key reflect.Value) (string, error) {
	one := reflect.MakeMap(reflect.MapOf(key.Type(), reflect.TypeFor[struct{}]()))
	one.SetMapIndex(key, reflect.ValueOf(struct{}{}))
	text, err := json.Marshal(one.Interface())
	if err != nil {
		if u, ok := err.(*UnsupportedValueError); ok && strings.Contains(u.Str, stream.ErrNonStringName.Error()) {
			err = notName(append(dst[e.start:], '{'))
		}
		return "", err
	}
	name, _ := syntax.AppendUnquoted(nil, text[1:len(text)-len(":{}}")])
	return string(name), nil
}

// notName returns the error for a key behind text that is not written as a string.
func notName(text []byte) error {
	at := stdtext.NewDecoder(bytes.NewReader(text), stdtext.AllowDuplicateNames(true), stdtext.AllowInvalidUTF8(true))
	for {
		if _, err := at.ReadToken(); err != nil {
			break
		}
	}
	offset := int64(len(text)) + 1 // as encoding/json counts the name's first byte
	where := stdtext.SyntacticError{ByteOffset: offset, JSONPointer: at.StackPointer(), Err: stdtext.ErrNonStringName}
	return &UnsupportedValueError{Str: where.Error()}
}

// keyFormOf returns how names become keys of a type.
func keyFormOf(s *shape.Shape) keyForm {
	p := reflect.PointerTo(s.Type)
	if form := keyFormOfKind(s.Kind); form != keyUnsupported && !p.Implements(textUnmarshaler) && !readsItself(p) {
		return form
	}
	return keyMethod
}

// misfitKey saves that the name at t does not fit as a key, which e says of a map that has
// it as its only one.
func (d *Decoder) misfitKey(e *UnmarshalTypeError, t int) {
	if d.saved != nil {
		return
	}
	d.misfitFor(e.Value, e.Type, d.end(t), e.Err)
	if e.Offset == int64(len("{")) { // it is about the place in front of the name, in the map
		at := d.words[t].Pos()
		saved, pointer := d.saved.(*UnmarshalTypeError), d.pointer(at)
		saved.Offset, d.savedAt = int64(at-d.Space), -1
		d.place(saved, pointer[:strings.LastIndexByte(pointer, '/')])
	}
}

// keyByMethod sets key to what encoding/json reads from the name at t, if it fits.
func (d *Decoder) keyByMethod(_ *Node, t int, key reflect.Value) (fits bool, err error) {
	method := key.Addr().Interface()
	if m, ok := method.(encoding.TextUnmarshaler); ok && !readsItself(key.Addr().Type()) {
		return true, answered(m.UnmarshalText(d.textToKeep(t)), "UnmarshalText")
	}
	one := reflect.New(reflect.MapOf(key.Type(), reflect.TypeFor[struct{}]()))
	text := append(append([]byte{'{'}, d.raw(t)...), ":{}}"...)
	err = json.Unmarshal(text, one.Interface())
	if e, ok := err.(*UnmarshalTypeError); ok {
		d.misfitKey(e, t)
		return false, nil
	}
	for _, k := range one.Elem().MapKeys() {
		key.Set(k)
	}
	return true, err
}

var (
	marshalerTo     = reflect.TypeFor[jsonv2.MarshalerTo]()
	unmarshalerFrom = reflect.TypeFor[jsonv2.UnmarshalerFrom]()
)

// readsItself reports whether t reads from a stream of tokens.
func readsItself(t reflect.Type) bool {
	return t.Implements(unmarshalerFrom) && t != reflect.TypeFor[*Number]()
}

// writesItself reports whether t writes to a stream of tokens.
func writesItself(t reflect.Type) bool {
	return t.Implements(marshalerTo) && t != numberType && t != reflect.TypeFor[*Number]()
}

// unmarshalJSON calls v's method. The streams of tokens are encoding/json's, which makes
// them.
func unmarshalJSON(v any, raw []byte) error {
	if _, ok := v.(jsonv2.UnmarshalerFrom); ok && readsItself(reflect.TypeOf(v)) {
		err := jsonv2.Unmarshal(raw, v, json.DefaultOptionsV1())
		if s, ok := err.(*SyntaxError); ok && s.Offset == int64(len(raw)) && s.Error() == "unexpected end of JSON input" {
			return io.EOF // as raw has no such error, this is that of the method
		}
		return err
	}
	return answered(v.(Unmarshaler).UnmarshalJSON(raw), "UnmarshalJSON")
}

// answered returns the error of a method as encoding/json takes it.
func answered(err error, by string) error {
	if err == nil {
		return nil
	}
	return notUnsupported(err, by)
}

// marshalJSON returns what v's method writes.
func marshalJSON(v any, html bool) ([]byte, error) {
	if _, ok := v.(jsonv2.MarshalerTo); ok && writesItself(reflect.TypeOf(v)) {
		return jsonv2.Marshal(v, json.DefaultOptionsV1(), stdtext.EscapeForHTML(html))
	}
	return v.(Marshaler).MarshalJSON()
}

// membersOf returns the members of a struct, and the field that takes all others.
func membersOf(s *shape.Shape, _ bool) ([]shape.Member, *shape.Member) {
	return s.Object().Members, s.Object().Rest
}

// standardRest appends the members of an object that is held as text. Encoding/json says what
// is wrong with one.
func standardRest(dst, text []byte, html bool) ([]byte, error) {
	if len(text) == 0 {
		return dst, nil
	}
	n := len(dst)
	out, ok := syntax.AppendCompact(dst, text, html)
	switch {
	case !ok || out[n] != '{':
		_, err := json.Marshal(struct {
			Rest stdtext.Value `json:",embed"`
		}{text})
		return dst, err
	case len(out) == n+len("{}"):
		return out[:n], nil
	case out[n-1] == '{':
		out = slices.Delete(out, n, n+1)
	default:
		out[n] = ','
	}
	return out[:len(out)-1], nil // without the brace
}

// misfitRest saves that what a struct keeps other members in is no object.
func (d *Decoder) misfitRest(r *restReader, t int) {
	d.misfitFor("string", r.shape.Type, d.end(t), errRestNotObject)
}

// marshalerError returns the error of v1 for a method or a function that failed.
func marshalerError(t reflect.Type, err error, by string) error {
	made := MarshalerError{}
	failures.once.Do(provokeFailures)
	if known := failures.by[by]; known != nil {
		made = *known
	}
	made.Type, made.Err = t, err
	return &made
}

// A failing has methods that fail, of which each type below has one.
type failing struct{}

func (failing) MarshalJSONTo(*stdtext.Encoder) error { return errSingle }

type failingText struct{}

func (failingText) MarshalText() ([]byte, error) { return nil, errSingle }

type failingAppend struct{}

func (failingAppend) AppendText([]byte) ([]byte, error) { return nil, errSingle }

// failures are errors of encoding/json which say that a method or a function failed: only it
// can make them.
var failures struct {
	once sync.Once
	by   map[string]*MarshalerError
}

func provokeFailures() {
	list := map[string]*MarshalerError{}
	provoke := func(by string, v any, options ...jsonv2.Options) {
		_, err := jsonv2.Marshal(v, append(options, json.DefaultOptionsV1())...)
		list[by], _ = err.(*MarshalerError)
	}
	provoke("MarshalJSONTo", failing{})
	provoke("MarshalText", failingText{})
	provoke("AppendText", failingAppend{})
	provoke("MarshalFunc", 0, jsonv2.WithMarshalers(jsonv2.MarshalFunc(func(int) ([]byte, error) { return nil, errSingle })))
	provoke("MarshalToFunc", 0, jsonv2.WithMarshalers(jsonv2.MarshalToFunc(func(*stdtext.Encoder, int) error { return errSingle })))
	failures.by = list
}

// legacySyntax returns an error of the text, or of the reader, as v1 returns it.
func legacySyntax(err error) error {
	switch err := err.(type) {
	case *stream.IOError:
		return err.Err
	case *stream.SyntacticError:
		// Only encoding/json can make its error.
		return jsonv2.Unmarshal([]byte("0"), new(int), json.DefaultOptionsV1(), jsonv2.WithUnmarshalers(
			jsonv2.UnmarshalFromFunc(func(*stdtext.Decoder, *int) error { return err })))
	}
	return err
}

// withCause adds a cause to an error of v1.
func withCause(e *UnmarshalTypeError, cause error) { e.Err = cause }

// ended returns err, which decoding a text of that many bytes into root has ended with. What
// methods return that json/v2 has, encoding/json takes for its own: its errors, and io.EOF.
func ended(err error, root reflect.Value, length int) error {
	if err == nil || !root.IsValid() {
		return err
	}
	if err != io.EOF {
		return LegacyUnmarshal(root.Type(), err)
	}
	err = SyntaxErrorOf(nil)
	if e, ok := err.(*SyntaxError); ok {
		e.Offset = int64(length)
	}
	return err
}
