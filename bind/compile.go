package bind

import (
	"encoding"
	"fmt"
	"mime/multipart"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/plan"
	"github.com/hone-go/hone/internal/zero"
	"github.com/hone-go/hone/shape"
)

// A program is the compiled form of a struct type: the sources of its fields, and how to set them.
// A source is compiled when it is first used, because most programs bind a type from only one or
// two of the sources that its tags name.
type program struct {
	shape      *shape.Shape
	documented bool // see [ForDocument]
	path       source
	header     source
	cookie     source
	query      source
	form       source
	broken     *TypeError // the error for a type that is not a struct; nil for a struct
	tags       atomic.Pointer[tags]
}

// tags are the parts of a program that need all sources of the type.
type tags struct {
	// defaults are the fields with a tag default. checked are the fields with required:"true", and
	// the fields in notZero with each of their sources. They are used if Input.ByTags is set.
	defaults []byTag
	checked  []byTag
	notZero  []notZeroField
	// fault is the error that For returns for a type that is not a struct, or for the first field
	// that cannot be bound. Functions such as Request accept a type with such a field, and return an
	// error if the request has a value for it.
	fault *TypeError
}

// A source holds the fields of one source of a request. They are compiled on first use.
type source struct {
	name     Source
	compiled atomic.Pointer[fields]
}

// fields are the fields of one source. For the query and the form, which are read once from start
// to end, a parameter's name determines the fields to set.
type fields struct {
	list    []field
	names   shape.Names // names of the fields of the query or the form
	longest int         // the length in bytes of the longest name
	rest    *field      // holds the values of all other names of the query or the form; may be nil
	// fault is the error for the first field that cannot be bound, and faultAt its index among the
	// parameters of the source.
	fault   *TypeError
	faultAt int
}

// A byTag is a field with the tag default or required.
type byTag struct {
	field   field
	index   int      // index of the field among the fields of its source
	values  []string // values of the tag default
	notZero int      // index in tags.notZero; negative for a required field
}

// A notZeroField is a field that a request may lack, and that must not be zero if the request has
// it. See package zero.
type notZeroField struct {
	field field // with the first of its sources
	fault *LimitError
}

// A field describes one field to be set.
type field struct {
	name    string // name of the parameter; the canonical name of a header field
	goPath  string // ".Base.Limit"
	source  Source
	param   int         // index among the parameters of the source
	hops    []shape.Hop // embedded pointers on the path to the field
	offset  uintptr     // offset from the target of the last hop, or from the struct
	value   *value
	repeats bool // receives all values of a name
	whole   bool // receives all values in one call
	commas  bool // the values are a list with commas between the elements; see list.go
	file    bool // receives files of a multipart form
	// For the query and the form, next is the index of the next field with the same name, and fold is
	// the index of the next field whose name differs at most in case. Both are 0 if there is no
	// such field.
	next, fold int
}

// A value describes how to set a value of one type from a string.
type value struct {
	op     op
	typ    reflect.Type
	elem   *value       // element of a pointer, an option, a Nullable or a slice
	union  *shape.Union // set for a Nullable
	at     uintptr      // offset of an option's value
	flag   uintptr      // offset of an option's flag
	layout string       // layout of a time
}

type op uint8

const (
	opBool        op = iota
	opTrueOrFalse    // opBool for [ForDocument]
	opInt8
	opInt16
	opInt32
	opInt64
	opUint8
	opUint16
	opUint32
	opUint64
	opFloat32
	opFloat64
	opString
	opTime
	opDuration
	opNanoseconds // opDuration for [ForDocument]: written as a number, as in JSON
	opBase64      // bytes, for [ForDocument]
	opText        // encoding.TextUnmarshaler
	opParam       // shape.ParamUnmarshaler
	opPointer
	opOption
	opNullable
	opSlice
	opParams      // shape.ParamsUnmarshaler
	opFile        // *multipart.FileHeader
	opFiles       // []*multipart.FileHeader
	opFileStructs // []multipart.FileHeader
	opNone        // the type cannot be converted from text
	opEmbedded    // opNone for an embedded struct that has a tag
)

var kindOps = map[shape.Kind]op{
	shape.Bool: opBool, shape.Int8: opInt8, shape.Int16: opInt16, shape.Int32: opInt32, shape.Int64: opInt64,
	shape.Uint8: opUint8, shape.Uint16: opUint16, shape.Uint32: opUint32, shape.Uint64: opUint64,
	shape.Float32: opFloat32, shape.Float64: opFloat64, shape.String: opString,
}

var (
	textType     = reflect.TypeFor[encoding.TextUnmarshaler]()
	paramType    = reflect.TypeFor[shape.ParamUnmarshaler]()
	paramsType   = reflect.TypeFor[shape.ParamsUnmarshaler]()
	durationType = reflect.TypeFor[time.Duration]()

	fileOps = map[reflect.Type]op{
		reflect.TypeFor[*multipart.FileHeader]():   opFile,
		reflect.TypeFor[[]*multipart.FileHeader](): opFiles,
		reflect.TypeFor[[]multipart.FileHeader]():  opFileStructs,
	}
)

var programs, documented plan.Cache[program]

// programOf returns the program for a struct type. The program of a type that cannot be bound
// holds the reason.
func programOf(t reflect.Type) *program {
	if p := programs.Get(t); p != nil {
		return p
	}
	return programs.Put(t, newProgram(t, false))
}

// documentedOf is like programOf, with the stricter bools of [ForDocument].
func documentedOf(t reflect.Type) *program {
	if p := documented.Get(t); p != nil {
		return p
	}
	return documented.Put(t, newProgram(t, true))
}

func newProgram(t reflect.Type, documented bool) *program {
	p := &program{
		shape: shape.Of(t), documented: documented,
		path: source{name: FromPath}, header: source{name: FromHeader}, cookie: source{name: FromCookie},
		query: source{name: FromQuery}, form: source{name: FromForm},
	}
	if t.Kind() != reflect.Struct {
		p.broken = &TypeError{Root: t, Type: t, Reason: "not a struct"}
	} else if p.shape.Kind != shape.Struct {
		p.broken = &TypeError{Root: t, Type: t, Reason: "a struct that is one value, such as time.Time, has no fields to bind"}
	}
	return p
}

// source returns the source in p with the given name.
func (p *program) source(name Source) *source {
	switch name {
	case FromPath:
		return &p.path
	case FromHeader:
		return &p.header
	case FromCookie:
		return &p.cookie
	case FromForm:
		return &p.form
	}
	return &p.query
}

// sources returns all sources of p.
func (p *program) sources() [5]*source {
	return [5]*source{&p.path, &p.header, &p.cookie, &p.query, &p.form}
}

// fields returns the fields of a source. It compiles them on the first call.
func (p *program) fields(s *source) *fields {
	if f := s.compiled.Load(); f != nil {
		return f
	}
	return p.compile(s)
}

// compile compiles the fields of a source. Goroutines that compile a source at the same time use
// the result of the first.
func (p *program) compile(s *source) *fields {
	params := p.shape.ParamsOf(s.name)
	fs := &fields{}
	if len(params) > 0 {
		fs.list = make([]field, 0, len(params))
	}
	for i := range params {
		fs.add(p, params, i)
	}
	if s.name == FromQuery || s.name == FromForm {
		fs.index()
	}
	s.compiled.CompareAndSwap(nil, fs)
	return s.compiled.Load()
}

// complete compiles all sources and returns the tags. It compiles them on the first call.
func (p *program) complete() *tags {
	if t := p.tags.Load(); t != nil {
		return t
	}
	p.tags.CompareAndSwap(nil, p.compileTags())
	return p.tags.Load()
}

func (p *program) compileTags() *tags {
	if p.broken != nil {
		return &tags{fault: p.broken}
	}
	t := &tags{}
	params := p.shape.Request().Params
	type progress struct{ params, fields int } // the numbers of a source's parameters and fields so far
	done := map[Source]progress{}
	for i := range params {
		name := params[i].Source
		fs, at := p.fields(p.source(name)), done[name]
		if t.fault == nil && fs.fault != nil && fs.faultAt == at.params {
			t.fault = fs.fault
		}
		// A parameter is not in the list if it cannot be bound or receives all other names.
		if at.fields < len(fs.list) && fs.list[at.fields].param == at.params {
			if reason := t.add(p, &fs.list[at.fields], at.fields, params, i); reason != "" && t.fault == nil {
				t.fault = p.refuse(&params[i], reason)
			}
			at.fields++
		}
		at.params++
		done[name] = at
	}
	return t
}

// refuse returns the error for a parameter that cannot be bound.
func (p *program) refuse(param *shape.Param, reason string) *TypeError {
	return &TypeError{Root: p.shape.Type, Field: param.GoPath(), Type: param.Field.Shape.Type, Reason: reason}
}

// index makes the table of names, and links the fields whose names are equal or differ only in case.
func (fs *fields) index() {
	names := make([]string, len(fs.list))
	folded := make([]string, len(fs.list))
	for i := range fs.list {
		name := fs.list[i].name
		names[i], folded[i], fs.longest = name, shape.Fold(name), max(fs.longest, len(name))
		if j := lastIndex(folded[:i], folded[i]); j >= 0 {
			fs.list[j].fold = i
			if j = lastIndex(names[:i], name); j >= 0 {
				fs.list[j].next = i
			}
		}
	}
	fs.names = shape.NamesOf(names)
}

// lastIndex returns the index of the last element of list that equals s, or -1.
func lastIndex(list []string, s string) int {
	for i, other := range slices.Backward(list) {
		if other == s {
			return i
		}
	}
	return -1
}

// add compiles params[i]. params are the parameters of the source in p's struct.
func (fs *fields) add(p *program, params []shape.Param, i int) {
	param := &params[i]
	f := param.Field
	refuse := func(reason string) {
		if fs.fault == nil {
			fs.fault, fs.faultAt = p.refuse(param, reason), i
		}
	}
	switch {
	case !f.Exported:
		refuse("it has a tag, but is not exported")
		return
	case param.Closed():
		refuse("it is reached through an embedded pointer to a type that is not exported")
		return
	case slices.ContainsFunc(params[:i], func(other shape.Param) bool {
		return other.Name == param.Name && other.Beside(&param.Place)
	}):
		refuse("another field is tagged " + strconv.Quote(param.Name) + " too")
	}
	if fs.addRest(param) {
		return
	}
	at := field{name: param.Name, goPath: param.GoPath(), source: param.Source, param: i, hops: param.Through, offset: param.Offset}
	if op, ok := fileOps[f.Shape.Type]; ok && param.Source == FromForm {
		at.value, at.file = &value{op: op, typ: f.Shape.Type}, true
	} else {
		var reason string
		if at.value, reason = p.compileValue(f.Shape, f.TimeLayout(), true); reason != "" {
			refuse(reason)
			at.value = &value{op: opNone, typ: f.Shape.Type}
			if f.Embedded {
				at.value.op = opEmbedded
			}
		}
		if leaf := at.value.leaf(); leaf.op == opBool && p.documented {
			leaf.op = opTrueOrFalse
		}
		at.whole = at.value.leafOp() == opParams
		at.repeats = at.value.repeats() || at.whole
		at.commas = at.hasCommas(p.documented)
	}
	fs.list = append(fs.list, at)
}

// addRest adds a field tagged query:"*" or form:"*", which holds the values of all parameters that
// match no other field. It returns false for any other field, for a second such field, and for a
// field whose type cannot hold the values.
func (fs *fields) addRest(param *shape.Param) bool {
	if param.Name != "*" || param.Source != FromQuery && param.Source != FromForm {
		return false
	}
	if fs.rest != nil || !param.Field.Shape.Type.ConvertibleTo(valuesType) {
		return false
	}
	fs.rest = &field{name: "*", source: param.Source, hops: param.Through, offset: param.Offset, value: &value{typ: param.Field.Shape.Type}}
	return true
}

var valuesType = reflect.TypeFor[map[string][]string]()

// add records the tags default and required of params[i], which is the n-th field of its source. It
// returns a reason if the default cannot be set. Neither a field with several sources nor a path
// parameter is required.
func (t *tags) add(p *program, at *field, n int, params []shape.Param, i int) (reason string) {
	f := params[i].Field
	several := slices.ContainsFunc(params, func(other shape.Param) bool {
		return other.Field == f && other.Source != at.source && other.Beside(&params[i].Place)
	})
	if text, ok := f.Default(); ok && !at.file && !slices.ContainsFunc(t.defaults, func(d byTag) bool { return d.field.goPath == at.goPath }) {
		d := byTag{field: *at, values: []string{text}}
		if at.repeats {
			d.values = strings.Split(text, ",")
		}
		trial := reflect.New(p.shape.Type)
		if errs := d.field.setAll(mem.OfPointer(trial), d.values, nil); errs != nil {
			reason = "its tag default: " + errs[0].Reason()
		}
		t.defaults = append(t.defaults, d)
	}
	if f.RequiredParam() && !several && at.source != FromPath {
		t.checked = append(t.checked, byTag{field: *at, index: n, notZero: -1})
	}
	if params[i].MayBeSkipped() {
		if z := t.addNotZero(at, f); z >= 0 {
			t.checked = append(t.checked, byTag{field: *at, index: n, notZero: z})
		}
	}
	return reason
}

// addNotZero adds the field f to t.notZero, unless it is there or may be zero, and returns its index
// or -1.
func (t *tags) addNotZero(at *field, f *shape.Field) int {
	for i := range t.notZero {
		if t.notZero[i].field.goPath == at.goPath {
			return i
		}
	}
	faults := zero.Faults(f)
	if faults == nil {
		return -1
	}
	t.notZero = append(t.notZero, notZeroField{*at, &LimitError{faults[0].Detail}})
	return len(t.notZero) - 1
}

// compileValue returns the value for a type, or a reason if the type cannot be set. A slice of
// slices cannot be set, because a request can repeat parameters but not nest them.
func (p *program) compileValue(s *shape.Shape, layout string, mayRepeat bool) (v *value, reason string) {
	v = &value{typ: s.Type, layout: layout}
	if o, ok := kindOps[s.Kind]; ok && s.Type.PkgPath() == "" {
		v.op = o // the type has no methods
		return v, ""
	}
	pointer := reflect.PointerTo(s.Type)
	switch {
	case s.Kind == shape.Option:
		v.op, v.at, v.flag = opOption, s.Value, s.Present
		v.elem, reason = p.compileValue(s.Elem, layout, mayRepeat)
	case s.Union != nil && s.Union.Nullable() >= 0:
		v.op, v.union = opNullable, s.Union
		if v.elem, reason = p.compileValue(s.Union.Cases[s.Union.Nullable()].Elem, layout, false); reason != "" {
			return p.textOfJSON(s)
		}
	case s.Union != nil:
		return p.textOfJSON(s)
	case s.Kind == shape.Time:
		v.op = opTime
		if v.layout == "" {
			v.layout = time.RFC3339
		} else if !shape.ShowsTime(v.layout) {
			return nil, fmt.Sprintf("the tag format:%q is not a layout of a time, and not the name of a format such as date-time or date", layout)
		}
	case mayRepeat && pointer.Implements(paramsType) && s.Kind != shape.Pointer:
		v.op = opParams
	case pointer.Implements(paramType) && s.Kind != shape.Pointer:
		v.op = opParam
	case pointer.Implements(textType) && s.Kind != shape.Pointer:
		v.op = opText
	case s.Type == durationType && p.documented:
		v.op = opNanoseconds
	case s.Type == durationType:
		v.op = opDuration
	case s.Endless():
		return nil, "a pointer of this type leads to a pointer of the same type"
	case s.Kind == shape.Pointer:
		v.op = opPointer
		v.elem, reason = p.compileValue(s.Elem, layout, mayRepeat)
	case s.Kind == shape.Bytes && p.documented:
		v.op = opBase64
	case s.Kind == shape.Slice || s.Kind == shape.Bytes:
		if !mayRepeat {
			return nil, "it contains a slice of slices, and a request can repeat parameters but not nest them"
		}
		v.op = opSlice
		if !p.documented {
			layout = ""
		}
		v.elem, reason = p.compileValue(s.Elem, layout, false)
	case s.Sum != nil:
		return nil, "its declared cases are identified in JSON, so it can only be in a body"
	default:
		o, ok := kindOps[s.Kind]
		if !ok {
			return nil, "the type cannot be converted from text"
		}
		v.op = o
	}
	return v, reason
}

// textOfJSON returns the value for a union of package mo. The union's method UnmarshalText parses
// JSON, which a document cannot describe as the value of a parameter.
func (p *program) textOfJSON(s *shape.Shape) (v *value, reason string) {
	if p.documented {
		return nil, "its text is JSON, so it can only be in a body"
	}
	return &value{typ: s.Type, op: opText}, ""
}

// zeroOf returns a pointer to a zero value of the type inside pointers and options.
func (v *value) zeroOf() any {
	for v.op == opPointer || v.op == opOption {
		v = v.elem
	}
	return reflect.New(v.typ).Interface()
}

// repeats reports whether the value receives all values of a key.
func (v *value) repeats() bool {
	for ; v != nil; v = v.elem {
		if v.op == opSlice {
			return true
		}
	}
	return false
}

// leafOp returns the op of the value inside pointers and options.
func (v *value) leafOp() op {
	for v.op == opPointer || v.op == opOption {
		v = v.elem
	}
	return v.op
}

// place returns the base address of the field's offset: root, or the target of the last embedded pointer
// on the path to the field. It allocates the targets of nil pointers.
func (f *field) place(root mem.Pointer) mem.Pointer {
	if len(f.hops) == 0 {
		return root
	}
	return f.follow(root)
}

// isInNil reports whether a pointer on the path to the field is nil.
func (f *field) isInNil(root mem.Pointer) bool {
	if len(f.hops) == 0 {
		return false
	}
	_, ok := f.reach(root)
	return !ok
}

func (f *field) follow(root mem.Pointer) mem.Pointer {
	for i := range f.hops {
		next := root.Elem(f.hops[i].Offset)
		if next.IsNil() {
			next = root.SetNew(f.hops[i].Offset, f.hops[i].Elem.Type)
		}
		root = next
	}
	return root
}
