package bind

import (
	"encoding"
	"errors"
	"maps"
	"mime/multipart"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/shape"
)

// An Encoder writes one type as the parts of a request: the inverse of a [Binder].
// What it writes of a value binds to an equal value.
//
//	e, err := bind.EncoderFor[Search]() // at set-up
//	…
//	var in bind.Input
//	err = e.Encode(&Search{Host: "a", Tags: []string{"x", "y"}}, &in)
//	// in.Query is "tag=x&tag=y", and in.Path has the host
//
// A field of several sources is written to one of them: the path, the form, the
// header, the query or a cookie, the first of these that the field names and that
// can carry the value. An Option that is None, a nil pointer, an empty slice and,
// but for the path, the zero value of anything else are left out: that is how they
// bind. A field with a tag default or required is written though it is zero. So an
// Option that holds an empty slice comes back as None, an embedded pointer to a struct
// of zero values as nil, and what has a default and is None or empty as that. A time.Time without a tag format keeps
// its nanoseconds, and its zone if that is of whole minutes.
//
// A type that reads text in a way of its own writes it by MarshalText, one with
// UnmarshalParam by MarshalParam() (string, error) or else by MarshalText, and one
// with UnmarshalParams by MarshalParams() ([]string, error).
type Encoder[T any] struct{ plan *sendPlan }

// EncoderFor returns the Encoder for T. The error is a [*TypeError]: that T cannot
// be bound, or has a field whose type has no method that writes it.
func EncoderFor[T any]() (*Encoder[T], error) {
	t := reflect.TypeFor[T]()
	p := programOf(t)
	if p.fault != nil {
		return nil, p.fault
	}
	plan, err := p.sendPlan(t)
	if err != nil {
		return nil, err
	}
	return &Encoder[T]{plan}, nil
}

// Encode sets in to what binds to *v: Path to a [PathValues], if T has path
// parameters; Form to a form in the order of T's fields or, if T has fields for
// files, Values and Files instead; Header to a new map. Cookies is one field, and the
// names in Header are canonical. The files are those of *v.
//
// The error is [Errors], one for each field whose value cannot be sent: its cause is
// [ErrNotSendable], or what a method of its type returned.
func (e *Encoder[T]) Encode(v *T, in *Input) error {
	*in = Input{}
	w := encoder{in: in}
	root := mem.Of(v)
	for i := range e.plan.fields {
		w.field(root, &e.plan.fields[i])
	}
	for _, rest := range e.plan.rest {
		w.others(root, rest)
	}
	if w.cookies != nil {
		in.Cookies = []string{strings.Join(w.cookies, "; ")}
	}
	in.Query = string(w.query)
	if e.plan.files {
		in.Values = w.values
	} else {
		in.Form = string(w.form)
	}
	for _, part := range []struct {
		source Source
		text   string
	}{{FromQuery, in.Query}, {FromForm, in.Form}} {
		if tooMany(part.text) {
			w.errs = append(w.errs, &Error{Source: part.source, Err: ErrTooMany})
		}
	}
	if w.errs != nil {
		return w.errs
	}
	return nil
}

// PathValues are path parameters by name.
type PathValues map[string]string

// Get returns the value of a parameter and whether there is one.
func (p PathValues) Get(name string) (value string, ok bool) {
	value, ok = p[name]
	return value, ok
}

// A sendPlan is how the values of a type are written.
type sendPlan struct {
	fields []encodedField
	files  bool // of a multipart form
	// rest are the fields that take parameters of any name, of the query and the form.
	rest []restField
}

// A restField is a field that takes the parameters of a source that no other takes.
type restField struct {
	*field
	names *shape.Names // which others take
}

// An encodedField is one field with the places that it may be written to.
type encodedField struct {
	to     []*field // the best first; at least one
	always bool     // written though it is zero: its absence means something else
}

// sendOrder lists the sources as a field of several is written. The path comes
// first because the pattern has it; a value in the header stays out of logs, which
// have the query.
var sendOrder = []Source{FromPath, FromForm, FromHeader, FromQuery, FromCookie}

// sendPlan works out how values of the type are written.
func (p *program) sendPlan(t reflect.Type) (*sendPlan, error) {
	plan := &sendPlan{}
	at := map[string]int{}
	tagged := map[string]bool{}
	for _, list := range [][]byTag{p.defaults, p.required} {
		for i := range list {
			tagged[list[i].field.goPath] = true
		}
	}
	for _, k := range []*keyed{&p.query, &p.form} {
		if k.rest != nil {
			plan.rest = append(plan.rest, restField{k.rest, &k.names})
		}
	}
	for _, source := range sendOrder {
		list := *p.fields(source)
		for i := range list {
			f := &list[i]
			if reason := f.value.unwritable(); reason != "" {
				return nil, &TypeError{Root: t, Field: f.goPath, Type: f.value.leaf().typ, Reason: reason}
			}
			if (source == FromHeader || source == FromCookie) && !isToken(f.name) {
				return nil, &TypeError{Root: t, Field: f.goPath, Type: f.value.typ, Reason: strconv.Quote(f.name) + " is no name for a " + string(source)}
			}
			plan.files = plan.files || f.file
			n, known := at[f.goPath]
			if !known {
				n = len(plan.fields)
				at[f.goPath] = n
				plan.fields = append(plan.fields, encodedField{always: source == FromPath || tagged[f.goPath]})
			}
			plan.fields[n].to = append(plan.fields[n].to, f)
		}
	}
	return plan, nil
}

// unwritable returns the reason if the type of a value says how it is read and not
// how it is written.
func (v *value) unwritable() string {
	leaf := v.leaf()
	t := reflect.PointerTo(leaf.typ)
	switch {
	case leaf.op == opText && !t.Implements(textWriter):
		return "it has a method UnmarshalText, and no MarshalText"
	case leaf.op == opParam && !t.Implements(paramWriter) && !t.Implements(textWriter):
		return "it has a method UnmarshalParam, and neither MarshalParam nor MarshalText"
	case leaf.op == opParams && !t.Implements(paramsWriter):
		return "it has a method UnmarshalParams, and no MarshalParams"
	}
	return ""
}

// paramMarshaler is the inverse of paramUnmarshaler.
type paramMarshaler interface{ MarshalParam() (string, error) }

// paramsMarshaler is the inverse of paramsUnmarshaler.
type paramsMarshaler interface{ MarshalParams() ([]string, error) }

var (
	textWriter   = reflect.TypeFor[encoding.TextMarshaler]()
	paramWriter  = reflect.TypeFor[paramMarshaler]()
	paramsWriter = reflect.TypeFor[paramsMarshaler]()
)

// An encoder writes one value.
type encoder struct {
	in      *Input
	query   []byte
	form    []byte
	values  map[string][]string // of the form
	cookies []string
	written []writtenValue
	errs    Errors
}

// A writtenValue is there for a second field of the same name.
type writtenValue struct {
	source Source
	name   string
	values []string
}

// field writes one field to the first place that can carry it.
func (w *encoder) field(root mem.Pointer, f *encodedField) {
	first := f.to[0]
	a, ok := first.reach(root)
	if !ok {
		return
	}
	if first.file {
		if files := first.value.filesAt(a, first.offset); files != nil {
			if w.in.Files == nil {
				w.in.Files = map[string][]*multipart.FileHeader{}
			}
			w.in.Files[first.name] = append(w.in.Files[first.name], files...)
		}
		return
	}
	values, err := first.value.append(nil, a, first.offset, f.always)
	if err == nil && len(values) == 0 {
		return
	}
	if err == nil {
		err = ErrNotSendable
		for _, to := range f.to {
			if to.carries(values) && !w.otherwise(to, values) {
				w.write(to, values)
				return
			}
		}
	}
	e := &Error{Source: first.source, Name: first.name, Field: first.goPath, Type: first.value.leaf().typ, Err: err}
	if len(values) > 0 {
		e.Value = shorten(values[0])
	}
	w.errs = append(w.errs, e)
}

// others writes the parameters of a field that takes those of any name.
func (w *encoder) others(root mem.Pointer, rest restField) {
	a, ok := rest.reach(root)
	if !ok {
		return
	}
	all := a.Value(rest.offset, rest.value.typ).Convert(valuesType).Interface().(map[string][]string)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if n, _ := shape.Find(rest.names, name); n >= 0 || name == "" {
			w.errs = append(w.errs, &Error{Source: rest.source, Name: shorten(name), Type: rest.value.typ, Err: ErrNotSendable})
			continue
		}
		if len(all[name]) > 0 {
			w.write(&field{source: rest.source, name: name}, all[name])
		}
	}
}

// otherwise reports whether another field has written other values under the name.
func (w *encoder) otherwise(to *field, values []string) bool {
	return slices.ContainsFunc(w.written, func(x writtenValue) bool {
		return x.source == to.source && x.name == to.name && !slices.Equal(x.values, values)
	})
}

func (w *encoder) write(to *field, values []string) {
	for _, x := range w.written {
		if x.source == to.source && x.name == to.name {
			return // by a field of the same name, which has the same values
		}
	}
	w.written = append(w.written, writtenValue{to.source, to.name, values})
	in := w.in
	switch to.source {
	case FromPath:
		if in.Path == nil {
			in.Path = PathValues{}
		}
		in.Path.(PathValues)[to.name] = values[0]
	case FromHeader:
		if in.Header == nil {
			in.Header = map[string][]string{}
		}
		in.Header[to.name] = values
	case FromCookie:
		s := values[0]
		if strings.ContainsAny(s, " ,") {
			s = `"` + s + `"`
		}
		w.cookies = append(w.cookies, to.name+"="+s)
	case FromForm:
		w.form = appendPairs(w.form, to.name, values)
		if w.values == nil {
			w.values = map[string][]string{}
		}
		w.values[to.name] = values
	default:
		w.query = appendPairs(w.query, to.name, values)
	}
}

func appendPairs(b []byte, name string, values []string) []byte {
	for _, v := range values {
		if len(b) > 0 {
			b = append(b, '&')
		}
		b = append(append(append(b, url.QueryEscape(name)...), '='), url.QueryEscape(v)...)
	}
	return b
}

// carries reports whether the values arrive as they are.
func (f *field) carries(values []string) bool {
	switch f.source {
	case FromPath, FromCookie:
		if len(values) != 1 {
			return false
		}
	}
	for _, s := range values {
		switch f.source {
		case FromHeader: // whose values lose blanks around them
			if s != strings.Trim(s, " \t") || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
				return false
			}
		case FromCookie:
			if _, ok := cookieValue(`"` + s + `"`); !ok {
				return false
			}
		}
	}
	return true
}

// isToken reports whether s is a name by the rules of HTTP (RFC 9110, 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (c < '0' || c > '9') && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// reach is place for a value that is read: it reports whether there is one.
func (f *field) reach(root mem.Pointer) (mem.Pointer, bool) {
	for i := range f.hops {
		if root = root.Elem(f.hops[i].Offset); root.IsNil() {
			return root, false
		}
	}
	return root, true
}

// append appends the texts that the value at a+off is set from; none if it is what
// it would be without any. A value that is there though it is zero, as that of a
// pointer is, has a text too.
func (v *value) append(dst []string, a mem.Pointer, off uintptr, zeroToo bool) ([]string, error) {
	switch v.op {
	case opPointer:
		target := a.Elem(off)
		if target.IsNil() {
			return dst, nil
		}
		return v.elem.append(dst, target, 0, true)
	case opOption:
		if !mem.Load[bool](a, off+v.flag) {
			return dst, nil
		}
		return v.elem.append(dst, a, off+v.at, true)
	case opNullable:
		return v.appendNullable(dst, a, off)
	case opSlice:
		data, n := a.Slice(off)
		for i := range n {
			before := len(dst)
			var err error
			if dst, err = v.elem.append(dst, data, uintptr(i)*v.elem.typ.Size(), true); err != nil {
				return nil, err
			}
			if len(dst) == before {
				if v.elem.op != opOption || !v.elem.elem.emptyIsNone() {
					return nil, ErrNotSendable // an element that is not there
				}
				dst = append(dst, "")
			}
		}
		return dst, nil
	}
	if !zeroToo && a.Value(off, v.typ).IsZero() {
		return dst, nil
	}
	if v.op == opParams {
		values, err := a.Addr(off, v.typ).(paramsMarshaler).MarshalParams()
		return append(dst, values...), err
	}
	s, err := v.text(a, off)
	if err != nil {
		return nil, err
	}
	return append(dst, s), nil
}

// appendNullable appends the text null for null, and nothing for what is absent.
func (v *value) appendNullable(dst []string, a mem.Pointer, off uintptr) ([]string, error) {
	held := v.union.Nullable()
	switch v.union.Held(a, off) {
	case held:
	case held - 1:
		return append(dst, "null"), nil
	default:
		return dst, nil
	}
	before := len(dst)
	dst, err := v.elem.append(dst, a, off+v.union.Cases[held].Offset, true)
	if err == nil && (len(dst) == before || dst[before] == "null") {
		return nil, ErrNotSendable
	}
	return dst, err
}

// text is the inverse of set for one text.
func (v *value) text(a mem.Pointer, off uintptr) (string, error) {
	switch v.op {
	case opString:
		return mem.Load[string](a, off), nil
	case opBool:
		return strconv.FormatBool(mem.Load[bool](a, off)), nil
	case opInt8, opInt16, opInt32, opInt64:
		return strconv.FormatInt(a.Value(off, v.typ).Int(), 10), nil
	case opUint8, opUint16, opUint32, opUint64:
		return strconv.FormatUint(a.Value(off, v.typ).Uint(), 10), nil
	case opFloat32, opFloat64:
		return strconv.FormatFloat(a.Value(off, v.typ).Float(), 'g', -1, 32<<(v.op-opFloat32)), nil
	case opTime:
		return v.time(*mem.At[time.Time](a, off))
	case opDuration:
		return time.Duration(mem.Load[int64](a, off)).String(), nil
	case opText, opParam:
		at := a.Addr(off, v.typ)
		if param, ok := at.(paramMarshaler); ok && v.op == opParam {
			return param.MarshalParam()
		}
		text, err := at.(encoding.TextMarshaler).MarshalText()
		return string(text), err
	}
	return "", ErrNoText
}

// time writes a time in its layout. That of RFC 3339 has years of four digits, and
// zones of whole minutes.
func (v *value) time(t time.Time) (string, error) {
	layout := v.layout
	if layout == time.RFC3339 {
		layout = time.RFC3339Nano
		if _, offset := t.Zone(); offset%60 != 0 || offset <= -24*3600 || offset >= 24*3600 {
			t = t.UTC()
		}
		if y := t.Year(); y < 0 || y > 9999 {
			return "", ErrNotSendable
		}
	}
	return t.Format(layout), nil
}

// filesAt returns the files of a form's field.
func (v *value) filesAt(a mem.Pointer, off uintptr) []*multipart.FileHeader {
	switch v.op {
	case opFile:
		if f := *mem.At[*multipart.FileHeader](a, off); f != nil {
			return []*multipart.FileHeader{f}
		}
	case opFiles:
		return slices.DeleteFunc(slices.Clone(*mem.At[[]*multipart.FileHeader](a, off)), func(f *multipart.FileHeader) bool { return f == nil })
	case opFileStructs:
		var files []*multipart.FileHeader
		all := *mem.At[[]multipart.FileHeader](a, off)
		for i := range all {
			files = append(files, &all[i])
		}
		return files
	}
	return nil
}

// ErrNotSendable is the cause of an [Error] of [Encoder.Encode] about a value that its
// part of a request cannot carry: such as several values in a cookie, a line break in
// the header, a nil among the elements of a slice, or values of two fields of one name
// that differ.
var ErrNotSendable = errors.New("a value that this part of a request cannot carry")
