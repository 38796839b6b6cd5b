package bind

import (
	"encoding"
	"encoding/base64"
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

// An Encoder encodes a type as the parts of a request. It is the inverse of a
// [Binder]: the encoding of a value binds to an equal value.
//
//	e, err := bind.EncoderFor[Search]() // at set-up
//	…
//	var in bind.Input
//	err = e.Encode(&Search{Host: "a", Tags: []string{"x", "y"}}, &in)
//	// in.Query is "tag=x&tag=y", and in.Path has the host
//
// A field with several sources is written to one of them. The order is path, form, header, query,
// cookie. The encoder uses the first source that the field names and that can represent the value.
//
// Values that binding yields for an absent parameter are omitted: an Option that is None, a nil
// pointer, an empty slice and, except in the path, any other zero value. A field with a tag
// default or required is written even if it is zero. Therefore the encodings of some values do not
// bind to an equal value. An Option that holds an empty slice binds to None. An embedded pointer
// to a struct of zero values binds to nil. A None or empty field with a default binds to the
// default. A time.Time without a tag format keeps its nanoseconds, and its zone if the offset is
// in whole minutes.
//
// A type that implements encoding.TextUnmarshaler is written by MarshalText. A type
// with UnmarshalParam is written by MarshalParam() (string, error), or else by
// MarshalText, and a type with UnmarshalParams by MarshalParams() ([]string, error).
type Encoder[T any] struct{ plan *sendPlan }

// EncoderFor returns the Encoder for T. The error is a [*TypeError] if T cannot be bound, if T has
// a field whose type has no method to write it, or if the name of a header field or a cookie is
// not valid.
func EncoderFor[T any]() (*Encoder[T], error) {
	return encoderOf[T](programOf(reflect.TypeFor[T]()))
}

// EncoderForDocument is like [EncoderFor], for a server that binds T with [ForDocument].
func EncoderForDocument[T any]() (*Encoder[T], error) {
	return encoderOf[T](documentedOf(reflect.TypeFor[T]()))
}

func encoderOf[T any](p *program) (*Encoder[T], error) {
	t := reflect.TypeFor[T]()
	if fault := p.complete().fault; fault != nil {
		return nil, fault
	}
	plan, err := p.sendPlan(t)
	if err != nil {
		return nil, err
	}
	return &Encoder[T]{plan}, nil
}

// Encode sets *input to the encoding of *v. Path becomes a [PathValues] if T has path parameters, or
// a [RawLookup] if [EncoderForDocument] returned the Encoder and T has a list in the path.
// Form becomes a form in the order of T's fields; if T has fields for files, Values and Files
// are set instead. Header becomes a new map with canonical names. Cookies becomes one header
// field. The files are the same as in *v.
//
// The error is [Errors], with one error for each field whose value cannot be sent. The cause of
// such an error is [ErrNotSendable] or the error of a method of the value's type.
func (e *Encoder[T]) Encode(v *T, input *Input) error {
	*input = Input{}
	w := encoder{in: input}
	root := mem.Of(v)
	for i := range e.plan.fields {
		w.field(root, &e.plan.fields[i])
	}
	for _, rest := range e.plan.rest {
		w.others(root, rest)
	}
	if w.rawPath != nil {
		values, _ := input.Path.(PathValues)
		input.Path = rawPathValues{values, w.rawPath}
	}
	if w.cookies != nil {
		input.Cookies = []string{strings.Join(w.cookies, "; ")}
	}
	input.Query = string(w.query)
	if e.plan.files {
		input.Values = w.values
	} else {
		input.Form = string(w.form)
	}
	for _, part := range []struct {
		source Source
		text   string
	}{{FromQuery, input.Query}, {FromForm, input.Form}} {
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

// Get returns the value of a parameter and whether the parameter exists.
func (p PathValues) Get(name string) (value string, ok bool) {
	value, ok = p[name]
	return value, ok
}

// rawPathValues are path parameters, some of which are lists. raw has the lists, escaped.
type rawPathValues struct {
	PathValues
	raw PathValues
}

func (p rawPathValues) GetRaw(name string) (value string, ok bool) { return p.raw.Get(name) }

// A sendPlan is the compiled form of an Encoder.
type sendPlan struct {
	fields []encodedField
	files  bool // a multipart form is needed
	// rest lists the struct fields that hold the query or form parameters that match no other field.
	rest []restField
}

// A restField is a field that holds the parameters of a source that match no other field.
type restField struct {
	*field
	names *shape.Names // names of the other fields
}

// An encodedField is a field with the sources that it may be written to, in order of preference.
type encodedField struct {
	to     []*field // possible sources in order of preference; at least one
	always bool     // write zero values too, because their absence has another meaning
}

// sendOrder is the order in which the sources of a field are tried. The path comes first
// because the pattern requires it. The header comes before the query because queries are
// written to logs.
var sendOrder = []Source{FromPath, FromForm, FromHeader, FromQuery, FromCookie}

// sendPlan compiles the Encoder of the type.
func (p *program) sendPlan(t reflect.Type) (*sendPlan, error) {
	plan := &sendPlan{}
	at := map[string]int{}
	tagged := map[string]bool{}
	all := p.complete()
	for i := range all.defaults {
		tagged[all.defaults[i].field.goPath] = true
	}
	for i := range all.checked {
		if f := &all.checked[i]; f.notZero < 0 {
			tagged[f.field.goPath] = true
		}
	}
	for _, s := range []*source{&p.query, &p.form} {
		if fs := p.fields(s); fs.rest != nil {
			plan.rest = append(plan.rest, restField{fs.rest, &fs.names})
		}
	}
	for _, source := range sendOrder {
		list := p.fields(p.source(source)).list
		for i := range list {
			f := &list[i]
			if reason := f.value.unwritable(); reason != "" {
				return nil, &TypeError{Root: t, Field: f.goPath, Type: f.value.leaf().typ, Reason: reason}
			}
			if (source == FromHeader || source == FromCookie) && !isToken(f.name) {
				return nil, &TypeError{Root: t, Field: f.goPath, Type: f.value.typ, Reason: strconv.Quote(f.name) + " is not a valid name for a " + string(source)}
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

// unwritable returns a reason if the type of v has a method that parses a parameter but no method that
// formats it, and "" otherwise.
func (v *value) unwritable() string {
	leaf := v.leaf()
	t := reflect.PointerTo(leaf.typ)
	switch {
	case leaf.op == opText && !t.Implements(textWriter):
		return "it has a method UnmarshalText but no MarshalText"
	case leaf.op == opParam && !t.Implements(paramWriter) && !t.Implements(textWriter):
		return "it has a method UnmarshalParam but neither MarshalParam nor MarshalText"
	case leaf.op == opParams && !t.Implements(paramsWriter):
		return "it has a method UnmarshalParams but no MarshalParams"
	}
	return ""
}

// paramMarshaler is implemented by types that write a parameter differently from other text.
type paramMarshaler interface{ MarshalParam() (string, error) }

// paramsMarshaler is implemented by types that write all values of a parameter at once.
type paramsMarshaler interface{ MarshalParams() ([]string, error) }

var (
	textWriter   = reflect.TypeFor[encoding.TextMarshaler]()
	paramWriter  = reflect.TypeFor[paramMarshaler]()
	paramsWriter = reflect.TypeFor[paramsMarshaler]()
)

// An encoder encodes one value.
type encoder struct {
	in      *Input
	query   []byte
	form    []byte
	values  map[string][]string // values of the form
	cookies []string
	rawPath PathValues // the escaped texts of lists
	written []writtenValue
	errs    Errors
}

// A writtenValue is a value that was written under a name. Another field with the same name
// must have the same value.
type writtenValue struct {
	source Source
	name   string
	values []string
}

// field writes one field to its first source that can represent the value.
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
			if to.roundTrips(values) && !w.conflicts(to, values) {
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

// others writes the parameters of a field that holds parameters of any name.
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

// conflicts reports whether another field with the target's source and name has already written
// different values.
func (w *encoder) conflicts(target *field, values []string) bool {
	return slices.ContainsFunc(w.written, func(x writtenValue) bool {
		return x.source == target.source && x.name == target.name && !slices.Equal(x.values, values)
	})
}

func (w *encoder) write(to *field, values []string) {
	for _, x := range w.written {
		if x.source == to.source && x.name == to.name {
			return // already written by a field of the same name
		}
	}
	w.written = append(w.written, writtenValue{to.source, to.name, values})
	in := w.in
	switch to.source {
	case FromPath:
		if in.Path == nil {
			in.Path = PathValues{}
		}
		if to.commas {
			if w.rawPath == nil {
				w.rawPath = PathValues{}
			}
			w.rawPath[to.name] = appendPathList(values)
		}
		in.Path.(PathValues)[to.name] = strings.Join(values, ",")
	case FromHeader:
		if in.Header == nil {
			in.Header = map[string][]string{}
		}
		if to.commas {
			values = []string{appendHeaderList(values)}
		}
		in.Header[to.name] = values
	case FromCookie:
		if to.commas {
			values = []string{strings.Join(values, ",")}
		}
		for _, s := range values {
			if strings.Contains(s, " ") || !to.commas && strings.Contains(s, ",") {
				s = `"` + s + `"`
			}
			w.cookies = append(w.cookies, to.name+"="+s)
		}
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

// roundTrips reports whether the server reads the same values if they are sent in the source of f.
func (f *field) roundTrips(values []string) bool {
	if f.source == FromPath && (len(values) == 0 || len(values) > 1 && !f.commas || len(values) == 1 && f.commas && values[0] == "") ||
		f.source == FromCookie && len(values) != 1 && !f.repeats {
		return false
	}
	for _, s := range values {
		switch f.source {
		case FromHeader: // a server removes the blanks around a value, unless it is in quotes
			if !f.commas && s != strings.Trim(s, " \t") || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
				return false
			}
		case FromCookie:
			if _, ok := cookieValue(`"` + s + `"`); !ok || f.commas && strings.Contains(s, ",") {
				return false
			}
		}
	}
	return true
}

// isToken reports whether s is a token of HTTP (RFC 9110, 5.6.2).
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

// reach is like place, but does not set nil pointers. It returns false if an embedded pointer
// on the path is nil.
func (f *field) reach(root mem.Pointer) (mem.Pointer, bool) {
	for i := range f.hops {
		if root = root.Elem(f.hops[i].Offset); root.IsNil() {
			return root, false
		}
	}
	return root, true
}

// append appends the texts for the value at a+off. Binding the texts yields the value. It appends
// nothing if an absent parameter binds to the same value. If zeroToo is set, it also appends the
// text of a zero value, for example of the value that a pointer points to.
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
					return nil, ErrNotSendable // an element is nil
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

// appendNullable appends "null" if the value is null, and nothing if it is absent.
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

// text returns the string for the value at a+off. It is the inverse of set.
func (v *value) text(a mem.Pointer, off uintptr) (string, error) {
	switch v.op {
	case opString:
		return mem.Load[string](a, off), nil
	case opBool, opTrueOrFalse:
		return strconv.FormatBool(mem.Load[bool](a, off)), nil
	case opInt8, opInt16, opInt32, opInt64:
		return strconv.FormatInt(a.Value(off, v.typ).Int(), 10), nil
	case opUint8, opUint16, opUint32, opUint64:
		return strconv.FormatUint(a.Value(off, v.typ).Uint(), 10), nil
	case opFloat32, opFloat64:
		return strconv.FormatFloat(a.Value(off, v.typ).Float(), 'g', -1, 32<<(v.op-opFloat32)), nil
	case opTime:
		return v.time(*mem.At[time.Time](a, off))
	case opNanoseconds:
		return strconv.FormatInt(mem.Load[int64](a, off), 10), nil
	case opDuration:
		return time.Duration(mem.Load[int64](a, off)).String(), nil
	case opBase64:
		return base64.StdEncoding.EncodeToString(a.Value(off, v.typ).Bytes()), nil
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

// time formats t in the layout of v. RFC 3339 allows only years of four digits, and only zones in
// whole minutes.
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

// filesAt returns the files of a form field.
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

// ErrNotSendable is the cause of an [Error] of [Encoder.Encode] for a value that cannot be
// written to its part of a request: several values in the path, a line break in the header, a nil
// element of a slice, or different values of two fields with one name. With [EncoderForDocument] the
// path may have several values, but an element of a list in a cookie must not contain a comma.
var ErrNotSendable = errors.New("the value cannot be written to this part of a request")
