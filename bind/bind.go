package bind

import (
	"mime/multipart"
	"net/http"
	"net/url"
	"reflect"
	"slices"

	"github.com/hone-go/hone/internal/memory/mem"
	"github.com/hone-go/hone/internal/path"
)

// A Lookup finds a path parameter by its name.
type Lookup interface {
	Get(name string) (value string, ok bool)
}

// An Input is the part of a request that is bound. If a field of the Input is not set, the request
// does not have that part.
type Input struct {
	Path   Lookup
	Query  string // raw, without the '?'
	Header http.Header
	// Cookies are the Cookie fields of the header.
	Cookies []string
	// Form is the raw body of a form. Its parameters are bound to the fields tagged form.
	Form string
	// FormQuery is a raw query. Its parameters are also bound to the fields tagged form, after the parameters
	// of Form.
	FormQuery string
	// Values and Files are a multipart form.
	Values map[string][]string
	Files  map[string][]*multipart.FileHeader
	// ByTags enforces the tags default and required. A field that is absent from the request is
	// set to its tag default. A missing field tagged required:"true" is an error,
	// [ErrRequired], unless the field has several sources. In a program that links package api, zero
	// is an error, [LimitError], for a field tagged required:"false" whose limits do not allow zero.
	ByTags bool
	// SkipNil skips the fields of a struct that is embedded by a nil pointer, and leaves the pointer nil.
	SkipNil bool
	// Known makes it an error, [ErrUnknown], if a parameter of the query or the form matches no
	// field.
	Known bool
}

// Request fills *v, a struct, from the path values, query, header and cookies
// of r. The error is [Errors], or a [*TypeError] if v is not a pointer to a
// struct.
func Request(r *http.Request, v any) error {
	p, a, err := open(v)
	if err != nil {
		return err
	}
	in := Input{Query: r.URL.RawQuery, Header: r.Header}
	if len(p.fields(&p.path).list) > 0 {
		in.Path = pathValues{r}
	}
	if len(p.fields(&p.cookie).list) > 0 {
		in.Cookies = r.Header["Cookie"]
	}
	return p.run(a, &in)
}

// Query fills *v from a raw query string; see [Request].
func Query(rawQuery string, v any) error { return all(&Input{Query: rawQuery}, v) }

// Form fills *v from the fields of a form, given as a body of type
// application/x-www-form-urlencoded; see [Request].
func Form(body string, v any) error { return all(&Input{Form: body}, v) }

// Header fills *v from header fields; see [Request]. The names in h must be canonical,
// as in net/http.
func Header(h http.Header, v any) error { return all(&Input{Header: h}, v) }

// Path fills *v from path parameters; see [Request].
func Path(params Lookup, v any) error { return all(&Input{Path: params}, v) }

// All fills *v from all parts of an Input; see [Request].
func All(in Input, v any) error { return all(&in, v) }

func all(in *Input, v any) error {
	p, a, err := open(v)
	if err != nil {
		return err
	}
	return p.run(a, in)
}

// open returns the program and the address of the struct that v points to.
func open(v any) (*program, mem.Pointer, error) {
	rv := reflect.ValueOf(v)
	if rv.Kind() != reflect.Pointer || rv.IsNil() {
		return nil, mem.Pointer{}, &TypeError{Root: reflect.TypeOf(v), Type: reflect.TypeOf(v), Reason: "not a pointer to a struct"}
	}
	p := programOf(rv.Type().Elem())
	if p.broken != nil {
		return nil, mem.Pointer{}, p.broken
	}
	return p, mem.OfPointer(rv), nil
}

// A Binder binds one type. For and ForDocument report at set-up whether the type can be bound. They
// also look up the program of the type, so that Bind does not have to look it up for each request.
type Binder[T any] struct {
	program *program
	empty   bool // no field of T comes from a request
}

// For returns the Binder for T. The error is a [*TypeError].
func For[T any]() (*Binder[T], error) {
	return binderOf[T](programOf(reflect.TypeFor[T]()))
}

// ForDocument is like [For], but values have the forms that an API document describes: a bool is true
// or false, a duration is a number of nanoseconds, bytes are base64, and the elements of a list in the
// path, in a header field or in a cookie have commas between them. In a header field, an element that
// contains a comma is a quoted string. A list has at most 10,000 elements; a longer list is an error,
// [ErrTooMany]. It is an error if T has a field whose text is JSON, such as an mo.Either.
func ForDocument[T any]() (*Binder[T], error) {
	return binderOf[T](documentedOf(reflect.TypeFor[T]()))
}

// binderOf returns the Binder of a program. It compiles all sources of the program.
func binderOf[T any](p *program) (*Binder[T], error) {
	if fault := p.complete().fault; fault != nil {
		return nil, fault
	}
	b := &Binder[T]{program: p, empty: true}
	for _, s := range p.sources() {
		f := p.fields(s)
		b.empty = b.empty && len(f.list) == 0 && f.rest == nil
	}
	return b, nil
}

// Bind fills *v from an Input. The error is [Errors].
func (b *Binder[T]) Bind(in *Input, v *T) error {
	if b.empty {
		return nil
	}
	return b.program.run(mem.Of(v), in)
}

// Empty reports whether no field of T comes from a request.
func (b *Binder[T]) Empty() bool { return b.empty }

// PathNames returns the names of T's path parameters.
func (b *Binder[T]) PathNames() []string {
	var names []string
	for _, f := range b.program.fields(&b.program.path).list {
		names = append(names, f.name)
	}
	return names
}

// PathLists returns the names of T's path parameters that are lists with commas between the elements.
func (b *Binder[T]) PathLists() []string {
	var names []string
	for _, f := range b.program.fields(&b.program.path).list {
		if f.commas {
			names = append(names, f.name)
		}
	}
	return names
}

// pathValues are the path values that http.ServeMux has set.
type pathValues struct{ r *http.Request }

func (p pathValues) Get(name string) (string, bool) {
	v := p.r.PathValue(name)
	return v, v != ""
}

func (p *program) run(root mem.Pointer, in *Input) error {
	var errs Errors
	var byTags *tags // set if in.ByTags is
	var given seen   // the fields in byTags.notZero that the request has
	if in.ByTags {
		byTags = p.complete()
		for i := range byTags.defaults {
			d := &byTags.defaults[i]
			errs = d.field.setAll(root, d.values, errs)
		}
	}
	if len(in.Header) > 0 {
		header := p.fields(&p.header).list
		for i := range header {
			f := &header[i]
			if in.SkipNil && f.isInNil(root) {
				continue
			}
			// A list without values counts as absent, except for a type that takes all values.
			if values, ok := in.Header[f.name]; len(values) > 0 || ok && f.whole {
				if f.commas {
					list, err := headerList(values)
					if err != nil {
						errs = append(errs, f.fail(root, values[0], err))
						continue
					}
					values = list
				}
				errs = f.setAll(root, values, errs)
			}
		}
	}
	if len(in.Cookies) > 0 {
		cookies := p.fields(&p.cookie).list
		for i := range cookies {
			f := &cookies[i]
			if in.SkipNil && f.isInNil(root) {
				continue
			}
			if f.repeats {
				errs = f.setCookies(root, in.Cookies, errs)
			} else if s, ok := cookie(in.Cookies, f.name); ok {
				if err := f.setFirst(root, s); err != nil {
					errs = append(errs, err)
				}
			}
		}
	}
	if in.Query != "" && p.fields(&p.query).reads(in) {
		s := scan{fields: p.fields(&p.query), source: FromQuery, errs: errs, known: in.Known, skipNil: in.SkipNil}
		s.run(root, in.Query)
		errs = s.end(root)
		if in.ByTags {
			errs = byTags.check(FromQuery, errs, &given, func(f *byTag) bool { return s.done.has(f.index) })
		}
	} else if in.ByTags {
		errs = byTags.check(FromQuery, errs, &given, nil)
	}
	if in.hasForm() && p.fields(&p.form).reads(in) {
		errs = p.runForm(root, in, byTags, &given, errs)
	} else if in.ByTags {
		errs = byTags.check(FromForm, errs, &given, nil)
	}
	if in.ByTags && len(byTags.checked) > 0 {
		errs = byTags.check(FromHeader, errs, &given, func(f *byTag) bool { return len(in.Header[f.field.name]) > 0 })
		errs = byTags.check(FromCookie, errs, &given, func(f *byTag) bool { _, ok := cookie(in.Cookies, f.field.name); return ok })
	}
	if in.Path != nil {
		path := p.fields(&p.path).list
		for i := range path {
			f := &path[i]
			if in.SkipNil && f.isInNil(root) {
				continue
			}
			if s, ok := in.Path.Get(f.name); ok {
				if f.commas {
					errs = f.setPathList(root, in.Path, s, errs)
				} else if err := f.setFirst(root, s); err != nil {
					errs = append(errs, err)
				}
			}
		}
	}
	if in.ByTags && len(byTags.notZero) > 0 {
		errs = byTags.zeros(root, errs, &given)
	}
	if errs != nil {
		return errs
	}
	return nil
}

// reads reports whether the parameters of the source must be read, because a field needs them or
// because unknown parameters are errors.
func (fs *fields) reads(in *Input) bool { return len(fs.list) > 0 || fs.rest != nil || in.Known }

// check appends an error to errs for each required field of source that the request does not have, and adds the
// other fields that it has to given. The function present reports whether the request has a field. If present is
// nil, the request has none of the fields.
func (t *tags) check(source Source, errs Errors, given *seen, present func(f *byTag) bool) Errors {
	for i := range t.checked {
		f := &t.checked[i]
		switch there := f.field.source == source && present != nil && present(f); {
		case f.field.source != source:
		case there && f.notZero >= 0:
			given.add(f.notZero, len(t.notZero))
		case !there && f.notZero < 0:
			errs = append(errs, &Error{Source: source, Name: f.field.name, Field: f.field.goPath, Type: f.field.value.leaf().typ, Err: ErrRequired})
		}
	}
	return errs
}

// zeros appends an error to errs for each field in given that is zero, unless it already has an error.
func (t *tags) zeros(root mem.Pointer, errs Errors, given *seen) Errors {
	for i := range t.notZero {
		z := &t.notZero[i]
		a, ok := z.field.reach(root)
		if !ok || !given.has(i) || !a.Value(z.field.offset, z.field.value.typ).IsZero() {
			continue
		}
		if !slices.ContainsFunc(errs, func(e *Error) bool { return e.Field == z.field.goPath }) {
			errs = append(errs, &Error{Source: z.field.source, Name: z.field.name, Field: z.field.goPath, Type: z.field.value.leaf().typ, Err: z.fault})
		}
	}
	return errs
}

// setFirst sets the field from its first value. If the field receives all values of its parameter, setFirst
// empties the field first.
func (f *field) setFirst(root mem.Pointer, s string) *Error {
	a := f.place(root)
	if f.repeats {
		f.value.reset(a, f.offset)
	}
	if err := f.value.set(a, f.offset, s); err != nil {
		return f.fail(root, s, err)
	}
	return nil
}

// setNext appends another value to a field that receives all values of its parameter.
func (f *field) setNext(root mem.Pointer, s string) *Error {
	a := f.place(root)
	if err := f.value.set(a, f.offset, s); err != nil {
		return f.fail(root, s, err)
	}
	return nil
}

// setCookies sets the field from all cookies with its name.
func (f *field) setCookies(root mem.Pointer, lines []string, errs Errors) Errors {
	values, err := cookieList(lines, f.name, f.commas)
	if err != nil {
		first, _ := cookie(lines, f.name)
		return append(errs, f.fail(root, first, err))
	}
	if values == nil {
		return errs
	}
	return f.setAll(root, values, errs)
}

// setPathList sets the field from a list in the path. s is the unescaped text.
func (f *field) setPathList(root mem.Pointer, path Lookup, s string, errs Errors) Errors {
	values, err := pathList(path, f.name, s)
	if err != nil {
		return append(errs, f.fail(root, s, err))
	}
	return f.setAll(root, values, errs)
}

// setAll sets the field from the values of its parameter. If there are none, it empties a slice.
func (f *field) setAll(root mem.Pointer, values []string, errs Errors) Errors {
	if f.whole {
		if err := f.value.setWhole(f.place(root), f.offset, values); err != nil {
			first := ""
			if len(values) > 0 {
				first = values[0]
			}
			errs = append(errs, f.fail(root, first, err))
		}
		return errs
	}
	if len(values) == 0 {
		f.value.reset(f.place(root), f.offset)
		return errs
	}
	err := f.setFirst(root, values[0])
	if f.repeats {
		for _, s := range values[1:] {
			if err != nil {
				break
			}
			err = f.setNext(root, s)
		}
	}
	if err != nil {
		errs = append(errs, err)
	}
	return errs
}

// fail returns the error for a value that could not be set.
func (f *field) fail(root mem.Pointer, s string, err error) *Error {
	a := f.place(root)
	e := &Error{Source: f.source, Name: f.name, Field: f.goPath, Value: shorten(s), Type: f.value.leaf().typ, Err: cause(err)}
	if f.repeats && !f.whole {
		e.Field += path.Index(f.value.length(a, f.offset))
	}
	return e
}

// seen is a set of fields. For structs of up to 64 fields it allocates nothing.
type seen struct {
	first uint64
	rest  []uint64
}

func (s *seen) has(i int) bool {
	if i < 64 {
		return s.first&(1<<i) != 0
	}
	return s.rest != nil && s.rest[i/64]&(1<<(i%64)) != 0
}

func (s *seen) clone() seen { return seen{s.first, slices.Clone(s.rest)} }

// add adds the field with the index i, of a list of the given length.
func (s *seen) add(i, length int) {
	if i < 64 {
		s.first |= 1 << i
		return
	}
	if s.rest == nil {
		s.rest = make([]uint64, length/64+1)
	}
	s.rest[i/64] |= 1 << (i % 64)
}

// A scan reads the parameters of a query or a form, each once and in order.
type scan struct {
	*fields
	source  Source
	errs    Errors
	done    seen // the fields that have a value
	failed  seen // the fields whose value could not be set
	folded  []folded
	wholes  map[int][]string // values of the fields that receive all their values in one call
	known   bool             // unknown parameters are errors
	skipNil bool             // see Input.SkipNil
	others  int              // number of unknown parameters so far
}

func (s *scan) run(root mem.Pointer, query string) {
	if tooMany(query) {
		s.errs = append(s.errs, &Error{Source: s.source, Err: ErrTooMany})
		return
	}
	for query != "" {
		key, value, inKey, inPair, rest := cutPair(query)
		query = rest
		if isEmpty(key, inPair) {
			continue
		}
		if n, exact := s.find(key, inKey&escapeByte != 0); n >= 0 {
			s.take(root, n, exact, value, inPair)
		} else if s.rest != nil || s.known {
			s.other(root, key, value, inPair)
		}
	}
}

// take sets the fields with the n-th name from a value of a parameter. If the parameter's name differs from the
// field's name in case, take keeps the value until all parameters have been read.
func (s *scan) take(root mem.Pointer, n int, exact bool, value string, class byteClass) {
	if !exact {
		s.folded = append(s.folded, folded{n, value, class})
		return
	}
	for {
		s.takeOne(root, n, value, class)
		if n = s.list[n].next; n == 0 {
			return
		}
	}
}

func (s *scan) takeOne(root mem.Pointer, n int, value string, class byteClass) {
	f := &s.list[n]
	again := s.done.has(n)
	if again && (!f.repeats || s.failed.has(n)) || s.skipNil && f.isInNil(root) {
		return
	}
	s.done.add(n, len(s.list))
	if err := s.set(root, n, value, class, again); err != nil {
		s.failed.add(n, len(s.list))
		s.errs = append(s.errs, err)
	}
}

// end sets the fields that have no value under their exact name, and the fields that
// receive all their values at once. It returns the errors.
func (s *scan) end(root mem.Pointer) Errors {
	if s.folded != nil {
		exact := s.done.clone()
		for _, v := range s.folded {
			for n := v.n; ; {
				if !exact.has(n) {
					s.takeOne(root, n, v.value, v.class)
				}
				if n = s.list[n].fold; n == 0 {
					break
				}
			}
		}
	}
	if s.wholes != nil {
		for n := range s.list {
			if values := s.wholes[n]; len(values) > 0 && !s.failed.has(n) {
				s.errs = s.list[n].setAll(root, values, s.errs)
			}
		}
	}
	return s.errs
}

func (s *scan) set(root mem.Pointer, n int, value string, class byteClass, again bool) *Error {
	f := &s.list[n]
	if class&semiByte != 0 {
		return f.fail(root, value, ErrSemicolon)
	}
	if class&escapeByte != 0 {
		decoded, err := url.QueryUnescape(value)
		if err != nil {
			return f.fail(root, value, err)
		}
		value = decoded
	}
	switch {
	case f.whole:
		if s.wholes == nil {
			s.wholes = map[int][]string{}
		}
		s.wholes[n] = append(s.wholes[n], value)
		return nil
	case again:
		return f.setNext(root, value)
	}
	return f.setFirst(root, value)
}
